"""From an entry of a claims file to the record of the claim, checked against the registry and the vocabulary.

Figures are read from their printed text (`kg.model.printed`); an entry may give the value itself where the text does not
parse to it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeGuard, cast

from pydantic import ValidationError

from kg.content.claims_file import ClaimsFile
from kg.content.documents import Document
from kg.content.entities import Registry, UnknownEntity
from kg.content.shape import FIGURE, PLAIN, shape_mistakes
from kg.content.soundness import figure_mistakes, formula_mistakes
from kg.content.validation import from_pydantic
from kg.content.vocabulary import Vocabulary
from kg.errors import ContentError, KgError, Mistakes
from kg.model.identifiers import is_entity_id
from kg.model.inserted_scale import without_inserted_scale
from kg.model.json_types import Json
from kg.model.printed import PrintedNumber, read_printed
from kg.model.record import Claim, recorded_form
from kg.model.recorded import ClaimRecord, ConditionsRecord, ThingRecord
from kg.model.units import UnknownUnit
from kg.model.vocabulary import RATIO_RELATIONS


class PositionMismatch(ContentError):
    """The document does not print at a position what the claim says."""

    code = "claim.position"


class UnitKindMismatch(ContentError):
    """A unit that the metric cannot have."""

    code = "claim.unit-kind"


class UnreadableFigure(ContentError):
    """The printed text does not parse to a figure and no value is given."""

    code = "claim.figure"


@dataclass(slots=True)
class Expander:
    """Turns merged entries into claim records against a registry and a vocabulary."""

    registry: Registry
    vocabulary: Vocabulary
    documents: Mapping[str, Document]
    """Attached documents by SHA-256; positions are checked in those that are here."""

    def claim(self, file: ClaimsFile, entry: Json) -> ClaimRecord:
        """The recorded form of one entry; raises all its mistakes together."""
        source = self.registry.records.get(file.source)
        if source is None or source["record"] != "source":
            raise UnknownEntity(field="source", given=file.source, expected="the id of a source")
        Mistakes.raise_any(shape_mistakes(entry))
        value = self._value(file, source, entry)
        mistakes: list[KgError] = []
        for step in (partial(self._figure, entry, value), partial(self._anchor, file, source, entry, value)):
            try:
                step()
            except KgError as cause:
                mistakes.append(cause)
        record, refused = _validated(value, has_mistakes=bool(mistakes))
        mistakes.extend(refused)
        # A unit that is unknown is said once; what follows from it is no further mistake.
        known_unit = not any(isinstance(one, UnknownUnit) for one in mistakes)
        mistakes.extend(self._unknown_names(record))
        mistakes.extend(self._metric_mistakes(record, known_unit=known_unit))
        Mistakes.raise_any(mistakes)
        return record

    def _value(self, file: ClaimsFile, source: ThingRecord, entry: Json) -> Json:
        """The fields of a claim that need no reading."""
        document = file.source.split("/", 1)[1]
        value: Json = {key: entry[key] for key in PLAIN if key in entry}
        # Ids of claims are those of the source with a local part, so that a file may be read
        # without the others.
        value["id"] = f"{document}/{entry.get('id')}"
        value["source"] = file.source
        if value.get("subjects") and "subject" not in value:
            value["subject"] = value["subjects"][0]
        value |= _dates(source, entry)
        for key in ("conditions", "baseline_conditions"):
            if entry.get(key):
                value[key] = entry[key]
        if "same_as" in entry:
            same = entry["same_as"]
            value["same_as"] = same if "/" in same else f"{document}/{same}"
        if entry.get("derivations"):
            value["derivations"] = [_derivation(one) for one in entry["derivations"]]
        return value

    def _figure(self, entry: Json, value: Json) -> None:
        printed = entry.get("printed")
        given = {key: entry[key] for key in FIGURE if key in entry and key != "printed"}
        # Without any of these the printed text is words to find the claim by, and no figure.
        if not any(key in given for key in ("unit", "value", "term", "set", "date", "absent")):
            value["cue"] = printed
            return
        quantity: Json = {"printed": printed, **given}
        if "value" not in given and not any(key in given for key in ("term", "set", "date", "absent")):
            number = self._read(printed, given)
            ends = number.value if isinstance(number.value, tuple) else (number.value,)
            quantity["value"] = _plain(ends[0]) if len(ends) == 1 else [_plain(one) for one in ends]
            if number.shape is not None:
                quantity.setdefault("shape", number.shape)
            # "up to 700 W" printed as one: what is recorded is read by its hedge, not by its print.
            if number.hedge is not None:
                quantity["hedge"] = number.hedge
        value["quantity"] = quantity

    def _read(self, printed: str | None, given: Json) -> PrintedNumber:
        units = self.vocabulary.units
        try:
            return read_printed(printed or "", unit=given.get("unit"), hedge=given.get("hedge"), table=units)
        except UnknownUnit as cause:
            raise cause.at(field="unit") from None
        except KgError as cause:
            if cause.field == "hedge":
                raise
            raise UnreadableFigure(
                field="printed",
                given=printed or "",
                expected="a figure that parses, or a value next to it",
                next_step=str(cause.message),
            ) from cause

    def _anchor(self, file: ClaimsFile, source: ThingRecord, entry: Json, value: Json) -> None:
        if "locator" in entry:
            value["anchor"] = {"locator": entry["locator"]}
            return
        cell = _cell(entry)
        if cell and not {"at", "find"} & set(entry):
            # a cell of a published file, which no document text holds
            value["anchor"] = {"document": file.document, "sha256": entry.get("sha256") or source.get("sha256"), **cell}
            return
        printed = entry.get("printed")
        if "at" not in entry or printed is None:
            raise ContentError(
                code="claim.no-position",
                field="at",
                given="find" if "find" in entry else "nothing",
                expected="the position of the printed text",
                next_step="run kg content format --documents DIR to turn find into at",
            )
        printed = without_inserted_scale(printed)
        start, digest = entry["at"], source.get("sha256")
        anchor: Json = {"document": file.document, "sha256": digest, "start": start, "end": start + len(printed)}
        anchor |= {key: entry[key] for key in ("page", "box", "table", "row", "column") if key in entry}
        value["anchor"] = anchor
        self._check_position(digest, printed, start)
        for key, name in (("context_at", "context_anchors"), ("also_at", "also_at")):
            if entry.get(key):
                value[name] = [_span(one) for one in entry[key]]

    def _check_position(self, digest: str | None, printed: str, start: int) -> None:
        """Compare a printed figure with the text, where that is at hand: the package ships none."""
        document = self.documents.get(digest or "")
        if document is None:
            return
        there = document.text[start : start + len(printed)]
        if there != printed:
            raise PositionMismatch(
                field="at",
                given=there,
                expected=f'"{printed}" at {start}',
                next_step="give the right position, or find: with words around the figure",
            )

    def _unknown_names(self, record: ClaimRecord) -> Iterator[KgError]:
        for field, name in entity_links(record):
            if name not in self.registry.records:
                near = self.registry.redirects.get(name) or self.registry.nearest(name)
                yield UnknownEntity(
                    field=field,
                    given=name,
                    expected="the id of a known entity",
                    next_step=f'Did you mean "{near}"?' if near else None,
                )

    def _metric_mistakes(self, record: ClaimRecord, *, known_unit: bool) -> Iterator[KgError]:
        given = (record.get("quantity") or {}).get("unit")
        yield from formula_mistakes(record)
        if known_unit:
            yield from figure_mistakes(record, self.vocabulary.units)
        if given is not None and known_unit:
            try:
                self.vocabulary.units.get(given)
            except UnknownUnit as cause:
                yield cause.at(field="unit")
        name = record.get("metric")
        if name is None:
            return
        metric = self.vocabulary.metrics.get(name)
        if metric is None:
            yield self.vocabulary.unknown_metric(name, given)
            return
        unit = self.vocabulary.units.find(given or "")
        if unit is not None:
            kind = unit.kind
            allowed = {*metric.kinds, "ratio", "utilisation", "percentage-points", "count"}
            if record.get("relation", "absolute") == "absolute" and metric.kinds:
                allowed = set(metric.kinds)
            if kind not in allowed and record.get("relation", "absolute") not in (
                *RATIO_RELATIONS,
                "points",
                "order",
                "difference",
            ):
                yield UnitKindMismatch(
                    field="unit",
                    given=f"{record['quantity']['unit']} ({kind})",
                    expected=f"{name} in {', '.join(sorted(allowed))}",
                )


def _dates(source: ThingRecord, entry: Json) -> Json:
    """When a claim was made and what time it is about; without a day of its own it was made when its source appeared."""
    dates: Json = {}
    said = entry.get("said_on") or {}
    if said:
        dates |= {"said_on": said.get("date"), "said_on_basis": said.get("basis")}
    elif source.get("published"):
        basis = f"source: {source.get('published_basis', 'unstated')}"
        dates |= {"said_on": source["published"], "said_on_basis": basis}
    as_of = entry.get("as_of")
    if isinstance(as_of, Mapping):
        dates |= {"as_of": as_of.get("date"), "as_of_basis": as_of.get("basis")}
    elif as_of is not None:
        dates["as_of"] = as_of
    return dates


def _span(given: Mapping[str, object]) -> Json:
    span = {"start": given["at"], "end": given["to"]}
    return {**span, "gives": given["gives"]} if "gives" in given else span


def _validated(value: Mapping[str, object], *, has_mistakes: bool) -> tuple[ClaimRecord, list[KgError]]:
    """The record of a value; of an unsound one the fields that are sound, and its mistakes.

    A figure or an anchor that could not be read is missing here too: that is reported already, nearer to its cause.
    """
    try:
        return recorded_form(Claim.model_validate(value, strict=True)), []
    except ValidationError as cause:
        refused = {error["loc"][0] for error in cause.errors(include_url=False) if error["loc"]}
        follow_on = {"", "anchor", "quantity"} if has_mistakes else set()
        mistakes = [one for one in from_pydantic(cause) if (one.field or "").split(".")[0] not in follow_on]
        # only these have their types, so that later checks may read them
        return cast(ClaimRecord, {key: one for key, one in value.items() if key not in refused}), mistakes


def _cell(entry: Json) -> Json:
    """A JSON pointer, or the row and column of a table."""
    if "pointer" in entry:
        return {"pointer": entry["pointer"]}
    return {key: entry[key] for key in ("row", "column")} if "row" in entry and "column" in entry else {}


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def _derivation(given: Mapping[str, object]) -> Json:
    own = {key: value for key, value in given.items() if key != "text"}
    return {**own, "stated_by_text": bool(given.get("text", True))}


def entity_links(record: ClaimRecord) -> Iterator[tuple[str, str]]:
    """Every entity or source that a claim names, with the field."""
    event = record.get("event")
    single = [
        ("subject", record.get("subject")),
        ("baseline", record.get("baseline")),
        ("asserted_by", record.get("asserted_by")),
        ("attributed_to", record.get("attributed_to")),
        ("source", record.get("source")),
    ]
    single += [("subjects", name) for name in record.get("subjects") or ()]
    single += [("path", name) for name in record.get("path") or ()]
    single += [("restates", one.get("source")) for one in record.get("restates") or ()]
    single.append(("term", (record.get("quantity") or {}).get("term")))
    if isinstance(event, dict):
        single += [("event.actor", event.get("actor")), ("event.operator", event.get("operator"))]
        single.append(("event.customer", event.get("customer")))
    yield from ((field, name) for field, name in single if is_name(name))
    yield from _condition_links("conditions", record.get("conditions") or {})
    yield from _condition_links("baseline_conditions", record.get("baseline_conditions") or {})


def _condition_links(field: str, conditions: ConditionsRecord) -> Iterator[tuple[str, str]]:
    """The ids among the values of conditions; any other text there is a word and names nothing."""
    for name, given in conditions.items():
        value = given.get("value") if isinstance(given, dict) else given
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and is_entity_id(one):
                yield f"{field}.{name}", one


def is_name(value: object) -> TypeGuard[str]:
    """Whether a value could be the id of a thing; anything else is the model's to refuse."""
    return isinstance(value, str) and bool(value)
