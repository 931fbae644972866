"""Opens a file with the reader that its shape names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from kg.errors import UsageError
from kg.ingest.decode import Watch
from kg.ingest.errors import SHORT, FileDamaged, LimitExceeded, RowFault
from kg.ingest.foreign import foreign_bytes, foreign_lines
from kg.ingest.json_rows import open_json, open_jsonl, open_yaml
from kg.ingest.limits import LINE
from kg.ingest.mapping_reader import (
    CrosstabReader,
    CsvReader,
    JsonLinesReader,
    JsonReader,
    ParquetReader,
    Reader,
    XlsxReader,
    YamlReader,
)
from kg.ingest.table import Opener, Row, SourceTable
from kg.ingest.tabular import checked_columns, open_crosstab, open_csv
from kg.ingest.turned import open_turned


def open_table(path: Path, spec: Reader, watch: Watch | None = None) -> Opener:
    """The rows of a file; to be used in a `with`."""
    if isinstance(spec, CsvReader | XlsxReader) and spec.turned:
        upright = spec.model_copy(update={"turned": False})
        opened = open_table(path, upright, watch)
        return open_turned(path, opened, header_line=spec.header_line, repeated=spec.repeated_columns)
    match spec:
        case CsvReader():
            return open_csv(path, spec, watch)
        case CrosstabReader():
            return open_crosstab(path, spec, watch)
        case JsonReader():
            return open_json(path, spec, watch)
        case JsonLinesReader():
            return open_jsonl(path, watch)
        case YamlReader():
            return open_yaml(path, spec)
        case XlsxReader():
            return _open_xlsx(path, spec)
        case ParquetReader():
            return _open_parquet(path)


def reader_for(path: Path) -> Reader:
    """The reader that the ending of a file asks for."""
    match Path(path.name.removesuffix(".gz")).suffix.lower():
        case ".csv" | ".tsv" | ".txt":
            return CsvReader(format="csv")
        case ".jsonl" | ".ndjson":
            return JsonLinesReader(format="jsonl")
        case ".json":
            return JsonReader(format="json")
        case ".yaml" | ".yml":
            return YamlReader(format="yaml")
        case ".xlsx":
            return XlsxReader(format="xlsx")
        case ".parquet":
            return ParquetReader(format="parquet")
        case other:
            raise UsageError(
                path=str(path),
                given=other or "no ending",
                expected=".csv, .tsv, .json, .jsonl, .yaml, .xlsx or .parquet",
            )


def _values(path: Path, lines: Iterator[bytes]) -> Iterator[Any]:
    for line in lines:
        if len(line) > LINE:
            raise LimitExceeded(path=str(path), given=f"a row of more than {LINE} bytes", expected="smaller rows")
        yield orjson.loads(line)


def _letters(position: int) -> str:
    """The name of a sheet column.

    >>> _letters(0), _letters(25), _letters(26)
    ('A', 'Z', 'AA')
    """
    text = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        text = chr(65 + rest) + text
    return text


@contextmanager
def _open_xlsx(path: Path, spec: XlsxReader) -> Iterator[SourceTable]:
    with foreign_bytes(path, "xlsx", spec.sheet) as stream:
        values = _values(path, foreign_lines(stream))
        sheet = str(next(values)["sheet"])[:200]
        head: list[Any] = []
        for number, value in enumerate(values, 1):
            if number == spec.header_line:
                head = value
                break
        if not any(one is not None for one in head):
            raise FileDamaged(path=str(path), line=spec.header_line, given="an empty line", expected="a header line")
        # cells that were formatted and left empty make a sheet wider than its table
        while head and head[-1] is None:
            head.pop()
        columns = checked_columns(path, head, line=spec.header_line, repeated=spec.repeated_columns)
        letters = {name: _letters(position) for position, name in enumerate(columns)}

        def rows() -> Iterator[Row]:
            width = len(columns)
            for number, cells in enumerate(values, spec.header_line + 1):
                if all(one is None for one in cells):
                    continue
                if any(one is not None for one in cells[width:]):
                    fault = RowFault(SHORT, None, f"{len(cells)} cells", f"{width}, one for each column")
                    yield Row(number, dict(zip(columns, cells, strict=False)), number, fault)
                else:
                    yield Row(number, [*cells[:width], *[None] * (width - len(cells))], number)

        yield SourceTable(
            columns, rows(), lambda locus, column: {"sheet": sheet, "cell": f"{letters.get(column, 'A')}{locus}"}
        )


@contextmanager
def _open_parquet(path: Path) -> Iterator[SourceTable]:
    with foreign_bytes(path, "parquet") as stream:
        values = _values(path, foreign_lines(stream))
        columns = checked_columns(path, next(values)["columns"], line=1, repeated="refuse")
        rows = (Row(number, cells, number) for number, cells in enumerate(values, 1))
        yield SourceTable(columns, rows, lambda locus, column: {"row": locus, "column": column[:200]})
