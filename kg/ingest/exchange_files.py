"""Claims in the exchange form, written as YAML or CSV: the same records as JSON Lines, with the line of each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from kg.content.located import read_located
from kg.ingest.cells import Unread, as_number, as_text
from kg.ingest.errors import FileDamaged, RowFault, WrongColumns
from kg.ingest.mapping_reader import CsvReader
from kg.ingest.tabular import open_csv
from kg.model.json_types import Json

FORMS = (".yaml", ".yml", ".csv", ".tsv")
_LISTS = frozenset({"path", "subjects", "alternatives", "aliases", "cites", "quantity.set"})
_NUMBERS = frozenset({"quantity.value", "anchor.start", "anchor.end", "count", "bytes", "code_points"})
_TRUTHS = frozenset({"quantity.exact", "quantity.absent", "secondary", "virtualised"})


TEMPLATE = """\
record,id,kind,label,form,subject,level,metric,normaliser,quantity.printed,quantity.value,quantity.unit,conditions.model,conditions.accelerators,asserted_by,source,said_on,said_on_basis,anchor.locator,note
source,source/my-report,source,My report of May 2026,report,,,,,,,,,,,,,,,
entity,org/my-team,organisation,My team,,,,,,,,,,,,,,,,
claim,my-report/h200.llama-70b,measurement,,,accelerator/nvidia-h200-sxm-141gb,accelerator,throughput,per-chip,"3,025",3025,token/s,model/llama-2-70b,8,org/my-team,source/my-report,2026-05-20,printed,"page 4, table 2, row H200",one row a claim; empty cells are left out
"""
"""A CSV that loads: a source, who says it, and one claim; `kg load claims --template` prints it."""


def is_curated(path: Path) -> bool:
    """Whether a YAML file has the form of `seeds/claims`: a mapping with groups, and not a list of records."""
    if not path.name.lower().endswith((".yaml", ".yml")):
        return False
    value = read_located(path).value
    return isinstance(value, dict) and "groups" in value


def exchange_rows(path: Path) -> Iterator[tuple[int, Any]]:
    """Line and value of every record of a YAML or CSV file."""
    return _yaml_rows(path) if path.name.lower().endswith((".yaml", ".yml")) else _csv_rows(path)


def _yaml_rows(path: Path) -> Iterator[tuple[int, Any]]:
    """A list of records; dates must be in quotes."""
    located = read_located(path)
    value = located.value
    if not isinstance(value, list):
        raise FileDamaged(
            path=str(path),
            line=1,
            given=_begins(value),
            expected="a list of records, each with record and id",
            next_step="kg load --template claims shows records as CSV; docs/curating.md has them as YAML",
        )
    for position, one in enumerate(value):
        yield located.line(position), _with_text_dates(one)


def _begins(value: object) -> str:
    """What a file holds instead of a list, in words."""
    return f"a mapping that begins with {next(iter(value))!s:.40}" if isinstance(value, dict) and value else "no list"


def _with_text_dates(value: object) -> Any:
    if isinstance(value, dict):
        return {str(key): _with_text_dates(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_text_dates(one) for one in value]
    iso = getattr(value, "isoformat", None)
    return iso() if iso is not None else value


def _csv_rows(path: Path) -> Iterator[tuple[int, Any]]:
    """One record a row; a column such as `quantity.value` or `conditions.model` means a nested key.

    Empty cells are absent. Lists (path, aliases) are separated by semicolons; a cell that begins with `[` or `{` is JSON.
    """
    with open_csv(path, CsvReader(format="csv")) as table:
        columns = table.columns or ()
        if "record" not in columns or "id" not in columns:
            raise WrongColumns(
                path=str(path),
                line=1,
                field="record",
                given=", ".join(columns)[:200],
                expected="the columns record and id, and the keys of the exchange form",
            )
        for row in table.rows:
            if row.fault is not None:
                raise FileDamaged(
                    path=str(path), line=int(row.number), given=row.fault.given, expected=row.fault.expected
                )
            record: Json = {}
            for name, cell in zip(columns, row.cells, strict=True):
                if cell.strip():
                    try:
                        _put(record, name, _cell(name, cell.strip()))
                    except RowFault as fault:
                        raise FileDamaged(
                            path=str(path), line=int(row.number), field=name, given=fault.given, expected=fault.expected
                        ) from None
            yield int(row.number), record


def _put(record: Json, name: str, value: Any) -> None:
    *outer, last = name.split(".")
    for part in outer:
        record = record.setdefault(part, {})
        if not isinstance(record, dict):
            raise _said_twice(name, record)
    if last in record:
        raise _said_twice(name, record[last])
    record[last] = value


def _said_twice(name: str, known: object) -> RowFault:
    return RowFault("load.columns", name, str(known)[:40], "a column for the whole or columns for its parts, not both")


def _cell(name: str, text: str) -> Any:
    if text[0] in "[{":
        try:
            return orjson.loads(text)
        except ValueError as cause:
            raise RowFault("load.cell", name, text[:60], f"JSON ({cause})") from None
    if name in _LISTS:
        return [one.strip() for one in text.split(";") if one.strip()]
    if name in _TRUTHS:
        return text.lower() == "true" if text.lower() in ("true", "false") else text
    if name in _NUMBERS or name.startswith(("conditions.", "baseline_conditions.")):
        try:
            number = as_number(text)
        except Unread:
            return text
        # of a condition only what prints alike is a number: 12.10 is a version, 007 a name
        return number if name in _NUMBERS or as_text(number) == text else text
    return text
