"""What runs on the workers of a Spark cluster: batches or groups of rows in Arrow in, rows in Arrow out.

Each function gives the claims of its rows to `kg.build.partition` and lays the results out by a schema; `kg.build.spark`
names the functions in its steps.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import orjson

from kg.build.partition import (
    Partition,
    Setting,
    Unit,
    current_record,
    triples_of,
)
from kg.model.json_types import Json
from kg.model.record import SCHEMA

Batches = Iterable[Any]
BATCH: Final = 2000


class SentSetting(Protocol):
    """A setting that every worker was sent once: a broadcast of Spark."""

    @property
    def value(self) -> Setting: ...


def _batch(rows: Sequence[Mapping[str, object]], schema: Mapping[str, object]) -> Any:
    import pyarrow

    arrays = [pyarrow.array([row[name] for row in rows], type=kind) for name, kind in schema.items()]
    return pyarrow.RecordBatch.from_arrays(arrays, names=list(schema))


def _batches(rows: Iterable[Mapping[str, object]], schema: Mapping[str, object]) -> Iterator[Any]:
    waiting: list[Mapping[str, Any]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == BATCH:
            yield _batch(waiting, schema)
            waiting = []
    if waiting:
        yield _batch(waiting, schema)


def _rows(batches: Batches) -> Iterator[Json]:
    for batch in batches:
        yield from batch.to_pylist()


def _unit_schema() -> Json:
    import pyarrow

    return {"unit": pyarrow.binary(), "exact": pyarrow.binary(), "involved": pyarrow.list_(pyarrow.string())}


def _unit_row(unit: Unit) -> Json:
    name, lines, exact, involved = unit
    return {"name": name, "unit": lines, "exact": exact, "involved": involved}


def identified_records(batches: Batches) -> Iterator[Any]:
    """Records of segments with id and kind, in the present schema; the header of a segment is none."""
    import pyarrow

    from kg.ledger.upgrade import upgraded

    schema = {
        "id": pyarrow.string(),
        "kind": pyarrow.string(),
        "place": pyarrow.int32(),
        "edition": pyarrow.string(),
        "retired": pyarrow.bool_(),
        "body": pyarrow.binary(),
    }

    def rows() -> Iterator[Json]:
        for row in _rows(batches):
            record = orjson.loads(row["body"])
            if record["record"] == "segment":
                continue
            if row["schema"] != SCHEMA:
                record = upgraded(record, row["schema"])
                row["body"] = orjson.dumps(record)
            yield {**row, "id": record["id"], "kind": record["record"]}

    return _batches(rows(), schema)


def current_records(batches: Batches) -> Iterator[Any]:
    """The current record of each id, of all its revisions."""
    import pyarrow

    found = (current_record(row["revisions"]) for row in _rows(batches))
    return _batches(({"body": body} for body in found if body is not None), {"body": pyarrow.binary()})


def claim_rows(setting: SentSetting, batches: Batches) -> Iterator[Any]:
    """Claims with their triples, scopes and links, and what follows from each alone."""
    import pyarrow

    words = pyarrow.list_(pyarrow.string())
    scope = pyarrow.struct([("scope", pyarrow.int64()), ("tag", pyarrow.int64())])
    schema = {
        "id": pyarrow.string(),
        "body": pyarrow.binary(),
        "text": pyarrow.string(),
        "scopes": pyarrow.list_(scope),
        "groups": words,
        "said": pyarrow.int64(),
        "relayed": words,
        "inputs": words,
        "linked": pyarrow.bool_(),
        **_unit_schema(),
    }
    partition = Partition.of(setting.value)
    return _batches(partition.claims(bytes(row["body"]) for row in _rows(batches)), schema)


def scope_rows(setting: SentSetting, table: Any) -> Any:
    """The findings of the claims of one scope."""
    import pyarrow

    scope = table.column("scope")[0].as_py()
    found = Partition.of(setting.value).scope(scope, (bytes(one) for one in table.column("body").to_pylist()))
    return pyarrow.Table.from_batches(
        [_batch([_unit_row(one) for one in found], {"name": pyarrow.int64(), **_unit_schema()})]
    )


def own_rows(setting: SentSetting, batches: Batches) -> Iterator[Any]:
    """What follows from claims and what they link to."""
    import pyarrow

    partition = Partition.of(setting.value)
    rows = partition.own(bytes(row["body"]) for row in _rows(batches))
    return _batches(rows, {"id": pyarrow.string(), **_unit_schema()})


def of_group(work: Callable[[Any, Any], Any], setting: SentSetting) -> Any:
    """A function of one group, annotated as Spark asks for."""
    import pyarrow

    def run(table: pyarrow.Table) -> pyarrow.Table:
        return work(setting, table)

    return run


def _lines_table(lines: Iterable[bytes]) -> Any:
    import pyarrow

    # A group in which nothing is concluded gives an empty text, which is no row.
    return pyarrow.Table.from_batches([_batch([{"line": one} for one in lines if one], {"line": pyarrow.binary()})])


def echo_rows(setting: SentSetting, table: Any) -> Any:
    """The lines on one set of claims that repeat one another or say the same."""
    return _lines_table(Partition.of(setting.value).echoes(bytes(one) for one in table.column("body").to_pylist()))


def measured_lines(setting: SentSetting, table: Any) -> Any:
    """The lines of the rows that are computed in one group of published results."""
    group = table.column("group")[0].as_py()
    bodies = (bytes(one) for one in table.column("body").to_pylist())
    return _lines_table([Partition.of(setting.value).measured(group, bodies)])


def advice_rows(setting: SentSetting, batches: Batches) -> Iterator[Any]:
    """The line of the advice on each claim."""
    import pyarrow

    partition = Partition.of(setting.value)

    def rows() -> Iterator[Json]:
        for row in _rows(batches):
            own = (bytes(row["own"] or b""), _bytes(row["own_exact"]))
            about: list[Unit] = [
                (one["name"], bytes(one["unit"]), _bytes(one["exact"]), []) for one in row["about"] or ()
            ]
            yield {"line": partition.advice(bytes(row["body"]), own, about)}

    return _batches(rows(), {"line": pyarrow.binary()})


def triple_rows(batches: Batches) -> Iterator[Any]:
    """The triples of lines of the derived set."""
    import pyarrow

    return _batches(({"text": triples_of(bytes(row["line"]))} for row in _rows(batches)), {"text": pyarrow.string()})


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)
