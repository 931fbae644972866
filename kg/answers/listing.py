"""All claims, or all things, as one table of a dozen columns: what a frame is made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from kg.answers.asking import Ask, Asker, metric_named, near_names, text
from kg.answers.sheet import UnknownThing
from kg.ask.id_names import sources_named
from kg.model.json_types import JsonMapping
from kg.model.similar_names import similar_names
from kg.stores.protocol import Answer, Cell

CLAIM_COLUMNS: Final = (
    "claim",
    "subject_label",
    "baseline_label",
    "metric",
    "printed",
    "canonical_value",
    "canonical_unit",
    "asserted_by",
    "source",
    "said_on",
    "verdict",
    "value_to_use",
)
_WIDE_COLUMNS: Final = (*CLAIM_COLUMNS, "verdict_reason", "kind", "subject", "baseline", "unit")
ENTITY_COLUMNS: Final = ("entity", "kind", "label", "level", "maker", "member_of", "variant_of", "released", "aliases")


def list_claims(
    records: Iterable[JsonMapping],
    *,
    subjects: Collection[str] | None = None,
    wide: bool = False,
    **wanted: str | None,
) -> Answer:
    """The claims of exchange records, one row each, `wide` with reason and ids; `subjects` and the columns `wanted` narrow them."""
    rows = [
        _cells(record, _WIDE_COLUMNS, claim=record["id"], **_figure(record))
        for record in records
        if record["record"] == "claim" and (subjects is None or not _subjects(record).isdisjoint(subjects))
    ]
    # narrowed by the wide columns, whether or not they are shown: `kind` and ids are among them
    places = [(_WIDE_COLUMNS.index(name), value) for name, value in wanted.items() if value is not None]
    columns = _WIDE_COLUMNS if wide else CLAIM_COLUMNS
    kept = (row[: len(columns)] for row in rows if all(row[n] == value for n, value in places))
    return Answer(columns, tuple(kept))


def list_entities(records: Iterable[JsonMapping], kind: str | None = None) -> Answer:
    """The things of exchange records, one row each, of all kinds or of one; a kind of which there is none raises `UnknownThing`."""
    things = [record for record in records if record["record"] == "entity"]
    kinds = {str(record["kind"]) for record in things}
    if kind is not None and kind not in kinds:
        near = similar_names(kind, kinds) or sorted(kinds)
        raise UnknownThing("is no kind of thing.", given=kind, expected=", ".join(near))
    rows = (
        _cells(record, ENTITY_COLUMNS, entity=record["id"], aliases=", ".join(record.get("aliases") or ()) or None)
        for record in things
        if kind in (None, record["kind"])
    )
    return Answer(ENTITY_COLUMNS, tuple(rows))


def covered_by(ask: Ask, name: str) -> frozenset[str]:
    """The things that a name or an id covers; raises `UnknownThing` with names like it where it covers none."""
    asker = Asker(ask)
    covered = frozenset(text(row, "entity") for row in asker.rows("names/resolve", thing=[name]))
    if not covered:
        near = ", ".join(near_names(asker, name))
        raise UnknownThing(
            "is no thing.", given=name, expected=near or "a name or an id", next_step="kg find looks for names"
        )
    return covered


def source_named(ask: Ask, name: str) -> str:
    """The id of a source by its id, its digits or its name; raises where there is none, or several have the name."""
    found = sources_named(ask, name)
    if len(found) > 1:
        raise UnknownThing("names several sources.", given=name, expected=", ".join(found))
    return found[0]


def metric_name(ask: Ask, name: str) -> str:
    """The name of a metric by its words or its id; raises `UnknownThing` where there is none."""
    slug = metric_named(Asker(ask), name)
    if slug is None:
        labels = (text(row, "label") for row in Asker(ask).rows("find/metrics", text=""))
        near = ", ".join(similar_names(name, labels))
        raise UnknownThing(
            "is no metric.", given=name, expected=near or "a metric", next_step="kg find looks for metrics"
        )
    return slug


def _cells(record: JsonMapping, columns: tuple[str, ...], **told: Cell) -> tuple[Cell, ...]:
    return tuple(told[name] if name in told else _cell(record.get(name)) for name in columns)


def _cell(value: Cell | list[object]) -> Cell:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _subjects(record: Mapping[str, object]) -> set[str]:
    given = record.get("subjects") or record.get("subject")
    return set(given) if isinstance(given, list) else {str(given)}


def _figure(record: JsonMapping) -> dict[str, Cell]:
    """The columns that lie with the quantity in the exchange form, of a pair its lower end; and the verdict."""
    quantity, advice = record.get("quantity") or {}, record.get("advice") or {}
    names = ("printed", "unit", "canonical_value", "canonical_unit")
    given = {name: quantity.get(name, record.get(name)) for name in names}
    found: dict[str, Cell] = {name: one[0] if isinstance(one, list) else one for name, one in given.items()}
    for name in ("verdict", "verdict_reason", "value_to_use"):
        found[name] = record.get(name, advice.get(name) if isinstance(advice, Mapping) else None)
    return found
