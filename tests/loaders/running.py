"""Runs the examples of a mapping: a row, and the claims that it must give."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg.content.vocabulary import Vocabulary
from kg.ingest.compiled_mapping import FileOf, LoadedPart, Outcome, Program, Skipped
from kg.ingest.entities import Things
from kg.ingest.errors import RowFault
from kg.ingest.file_edition import edition_of
from kg.ingest.json_rows import flattened
from kg.ingest.mapping import Example
from kg.ingest.mapping_reader import CrosstabReader, CsvReader, ParquetReader, XlsxReader
from kg.ingest.opened_file import OpenedFile
from kg.ingest.planned_file import Planned, source_id, source_records
from kg.ingest.sources import Loader
from kg.ingest.table import Row, SourceTable
from kg.model.recorded import ClaimRecord

_DIGEST = "0" * 64
_ANY_DAY = "2000-01-01"
_FIGURE = frozenset({"value", "unit", "printed", "term", "date", "set", "absent", "hedge", "exact"})


def run_example(loader: Loader, example: Example, things: Things, vocabulary: Vocabulary) -> Outcome:
    """What the row of an example gives."""
    shape = loader.mapping.shapes[example.shape]
    tabular = isinstance(shape.reader, CsvReader | XlsxReader | ParquetReader | CrosstabReader)
    cells = (
        {" ".join(key.split()): value for key, value in example.row.items()}
        if tabular
        else flattened(dict(example.row))
    )
    path = Path(example.file)
    table = SourceTable(
        None, iter(()), lambda locus, column: {"row": 2, "column": column} if tabular else {"pointer": f"/0/{column}"}
    )
    given = example.edition or (_ANY_DAY if (shape.edition or loader.mapping.edition).kind == "snapshot" else None)
    edition, _ = edition_of(
        path, loader.mapping, shape, OpenedFile(example.shape, table, tuple(cells), iter(()), cells), given
    )
    planned = Planned(path, example.shape, edition, source_id(loader, shape, edition, path), _DIGEST, shape.scope)
    source_records(loader, planned, things)
    file = FileOf(path, _DIGEST, edition, planned.source)
    program = Program(
        loader.mapping,
        example.shape,
        file,
        tuple(cells),
        tabular=False,
        things=things,
        vocabulary=vocabulary,
        steps=loader.steps,
        place=table.place,
        edition_of=None,
    )
    return program.run(Row(1, cells, None))


def example_mistakes(loader: Loader, example: Example, things: Things, vocabulary: Vocabulary) -> Iterator[str]:
    """Where a row gives something else than its example says."""
    outcome = run_example(loader, example, things, vocabulary)
    if isinstance(outcome, tuple):
        codes = [one.code for one in outcome]
        if example.rejected not in codes:
            yield f"rejected with {', '.join(map(_told, outcome))}"
        return
    if example.rejected is not None:
        yield f"not rejected with {example.rejected}"
    if isinstance(outcome, Skipped):
        if outcome.rule != example.skipped:
            yield f"skipped by {outcome.rule}"
        return
    if example.skipped is not None:
        yield f"not skipped by {example.skipped}"
    yield from _differences(example, outcome)


def _differences(example: Example, outcome: LoadedPart) -> Iterator[str]:
    made = {record["id"].partition("/")[2].removeprefix(f"{outcome.key}."): record for record in outcome.claims}
    made |= {key.rsplit(".", 1)[1]: record for key, record in outcome.once}
    for name in sorted(set(example.gives) - set(made)):
        yield f"gives no claim {name}, only {', '.join(sorted(made)) or 'none'}"
    for name, wanted in example.gives.items():
        for key, value in wanted.items():
            record = made.get(name)
            if record is None:
                continue
            found = _at(record, key)
            if found != value:
                yield f"{name}: {key} is {found!r}, not {value!r}"


def _at(record: ClaimRecord, key: str) -> Any:
    value: Any = record.get("quantity", {}) if key in _FIGURE else record
    for part in [key] if key in _FIGURE else key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _told(fault: RowFault) -> str:
    return f"{fault.code} ({fault.field}: {fault.given}; accepted: {fault.expected})"
