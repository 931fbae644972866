"""Reads `seeds/claims/*.yaml`: groups of claims that state once what they share, expanded into claim records.

`docs/curating.md` describes the form. Figures are read from their printed text (`kg.model.printed`); a claim may give the
value itself where the text does not parse to it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kg.content.documents import Document
from kg.content.entities import ContentConflict, DuplicateId, Registry, UnknownEntity, followed
from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.content.shape import FIGURE, KEYS, PLAIN, shape_mistakes
from kg.content.shape import shown as shown_value
from kg.content.soundness import cycle_mistakes, figure_mistakes
from kg.content.validation import from_pydantic
from kg.content.vocabulary import UnknownMetric, Vocabulary
from kg.errors import ContentError, KgError, Mistakes
from kg.model.identifiers import is_entity_id
from kg.model.printed import read_printed
from kg.model.record import Claim, recorded_form
from kg.model.units import UnknownUnit
from kg.model.vocabulary import RATIO_RELATIONS

Json = dict[str, Any]


class PositionMismatch(ContentError):
    """The document does not print at a position what the claim says."""

    code = "claim.position"


class UnitKindMismatch(ContentError):
    """A unit that the metric cannot have."""

    code = "claim.unit-kind"


class UnreadableFigure(ContentError):
    """The printed text does not parse to a figure and no value is given."""

    code = "claim.figure"


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """One file of `seeds/claims/`, read but not yet expanded."""

    located: Located
    shown: str
    source: str
    document: str | None

    def text(self) -> str:
        """The file as it stands."""
        return self.located.path.read_text(encoding="utf-8")

    def entries(self) -> Iterator[tuple[int, int, Json]]:
        """Each claim with what its group states, and its place: group and claim number."""
        for g, group in enumerate(self.located.value["groups"]):
            shared = group.get("with") or {}
            for c, own in enumerate(group.get("claims") or ()):
                yield g, c, merged(shared, own)

    def line(self, group: int, claim: int, field: str | None = None) -> int:
        """The line of a key of a claim, in the claim or in its group; of the claim when neither states it."""
        key = (field or "").split(".")[0]
        for place in (("groups", group, "claims", claim, key), ("groups", group, "with", key)):
            if place in self.located.lines:
                return self.located.lines[place]
        return self.located.line("groups", group, "claims", claim)


def merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Json:
    """A claim's own keys over those of its group; conditions merge key by key, null removes.

    >>> merged({"unit": "W", "conditions": {"model": "m", "phase": "p"}}, {"id": "x", "conditions": {"phase": None}})
    {'unit': 'W', 'conditions': {'model': 'm'}, 'id': 'x'}
    """
    whole = dict(shared)
    for key, value in own.items():
        if (
            key in ("conditions", "baseline_conditions")
            and isinstance(whole.get(key), Mapping)
            and isinstance(value, Mapping | None)
        ):
            both = {**whole[key], **(value or {})}
            whole[key] = {k: v for k, v in both.items() if v is not None}
        else:
            whole[key] = value
    for one, other in (("subject", "subjects"), ("subjects", "subject")):
        if one in own and other not in own:
            whole.pop(other, None)
    for key in ("conditions", "baseline_conditions"):
        if isinstance(whole.get(key), Mapping):
            whole[key] = {k: v for k, v in whole[key].items() if v is not None}
    return {key: value for key, value in whole.items() if value is not None or key not in KEYS}


def read_claims_file(path: Path, *, shown: str) -> ClaimsFile:
    """Read one file and check its outer form."""
    located = read_located(path, shown=shown)
    value = located.value
    if not isinstance(value, dict) or not isinstance(value.get("groups"), list) or "source" not in value:
        given = ", ".join(map(str, value)) if isinstance(value, dict) else type(value).__name__
        raise ContentError(path=shown, line=1, given=given, expected="a mapping with source, document and groups")
    mistakes: list[KgError] = []
    for key in sorted(map(str, set(value) - {"source", "document", "groups"})):
        mistakes.append(
            ContentError(path=shown, line=located.line(key), field=key, given=key, expected="source, document, groups")
        )
    for key in ("source", "document"):
        if not isinstance(value.get(key, ""), str):
            mistakes.append(
                ContentError(
                    path=shown, line=located.line(key), field=key, given=shown_value(value[key]), expected="text"
                )
            )
    for g, group in enumerate(value["groups"]):
        mistakes.extend(one.at(path=shown) for one in _group_mistakes(located, g, group))
    Mistakes.raise_any(mistakes)
    return ClaimsFile(located, shown, value["source"], value.get("document"))


def _group_mistakes(located: Located, g: int, group: Any) -> Iterator[KgError]:
    """What keeps a group from being read: other keys, or something else where a mapping or list must be."""
    line, field = located.line("groups", g), f"groups[{g}]"
    if not isinstance(group, dict):
        yield ContentError(
            line=line, field=field, given=shown_value(group), expected="a mapping with about, with and claims"
        )
        return
    for key in sorted(map(str, set(group) - {"about", "with", "claims"})):
        yield ContentError(
            line=located.line("groups", g, key), field=f"{field}.{key}", given=key, expected="about, with and claims"
        )
    shared, claims = group.get("with") or {}, group.get("claims") or []
    if not isinstance(shared, dict):
        yield ContentError(
            line=located.line("groups", g, "with"),
            field=f"{field}.with",
            given=shown_value(shared),
            expected="a mapping",
        )
    if not isinstance(claims, list):
        yield ContentError(
            line=located.line("groups", g, "claims"),
            field=f"{field}.claims",
            given=shown_value(claims),
            expected="a list of claims",
        )
        return
    for c, own in enumerate(claims):
        if not isinstance(own, dict):
            yield ContentError(
                line=located.line("groups", g, "claims", c),
                field=f"{field}.claims[{c}]",
                given=shown_value(own),
                expected="a mapping",
            )


@dataclass(slots=True)
class Expander:
    """Turns merged entries into claim records against a registry and a vocabulary."""

    registry: Registry
    vocabulary: Vocabulary
    documents: Mapping[str, Document]
    """Attached documents by SHA-256; positions are checked in those that are here."""

    def claim(self, file: ClaimsFile, entry: Json) -> Json:
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
        record: Json = {}
        sound = value
        try:
            record = recorded_form(Claim.model_validate(value, strict=True))
        except ValidationError as cause:
            refused = {error["loc"][0] for error in cause.errors(include_url=False) if error["loc"]}
            sound = {key: one for key, one in value.items() if key not in refused}  # only these have their types
            follow_on = {"", "anchor", "quantity"} if mistakes else set()  # told already, nearer to the cause
            mistakes.extend(one for one in from_pydantic(cause) if (one.field or "").split(".")[0] not in follow_on)
        known_unit = not any(isinstance(one, UnknownUnit) for one in mistakes)
        mistakes.extend(self._unknown_names(record or sound))
        mistakes.extend(self._metric_mistakes(record or sound, known_unit=known_unit))
        Mistakes.raise_any(mistakes)
        return record

    def _value(self, file: ClaimsFile, source: Json, entry: Json) -> Json:
        """The fields of a claim that need no reading."""
        value: Json = {key: entry[key] for key in PLAIN if key in entry}
        value["id"] = f"{file.source.split('/', 1)[1]}/{entry.get('id')}"
        value["source"] = file.source
        if value.get("subjects") and "subject" not in value:
            value["subject"] = value["subjects"][0]
        said = entry.get("said_on") or {}
        if said:
            value["said_on"], value["said_on_basis"] = said.get("date"), said.get("basis")
        elif source.get("published"):
            value["said_on"], value["said_on_basis"] = (
                source["published"],
                f"source: {source.get('published_basis', 'unstated')}",
            )
        as_of = entry.get("as_of")
        if isinstance(as_of, Mapping):
            value["as_of"], value["as_of_basis"] = as_of.get("date"), as_of.get("basis")
        elif as_of is not None:
            value["as_of"] = as_of
        for key in ("conditions", "baseline_conditions"):
            if entry.get(key):
                value[key] = entry[key]
        if "same_as" in entry:
            same = entry["same_as"]
            value["same_as"] = same if "/" in same else f"{file.source.split('/', 1)[1]}/{same}"
        if entry.get("derivations"):
            value["derivations"] = [_derivation(one) for one in entry["derivations"]]
        return value

    def _figure(self, entry: Json, value: Json) -> None:
        printed = entry.get("printed")
        given = {key: entry[key] for key in FIGURE if key in entry and key != "printed"}
        if not any(key in given for key in ("unit", "value", "term", "set", "date", "absent")):
            value["cue"] = printed
            return
        quantity: Json = {"printed": printed, **given}
        if "value" not in given and not any(key in given for key in ("term", "set", "date", "absent")):
            quantity["value"], shape = self._read(printed, given)
            if shape and "shape" not in given:
                quantity["shape"] = shape
        value["quantity"] = quantity

    def _read(self, printed: str | None, given: Json) -> tuple[int | float | list[int | float], str | None]:
        units = self.vocabulary.units
        try:
            number = read_printed(printed or "", unit=given.get("unit"), hedge=given.get("hedge"), table=units)
        except UnknownUnit as cause:
            raise cause.at(field="unit") from None
        except KgError as cause:
            if cause.field == "hedge":
                raise
            raise UnreadableFigure(
                field="printed",
                given=printed or "",
                expected="a figure that parses, or value beside it",
                next_step=str(cause.message),
            ) from cause
        if isinstance(number.value, tuple):
            return [_plain(one) for one in number.value], number.shape or "span"
        if number.value is None:
            raise UnreadableFigure(
                field="printed", given=printed or "", expected="a figure that parses, or value beside it"
            )
        return _plain(number.value), None

    def _anchor(self, file: ClaimsFile, source: Json, entry: Json, value: Json) -> None:
        if "locator" in entry:
            value["anchor"] = {"locator": entry["locator"]}
            return
        if not {"at", "find"} & set(entry) and (
            cell := _cell(entry)
        ):  # a cell of a published file, which no document text holds
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
        start = entry["at"]
        digest = source.get("sha256")
        anchor: Json = {"document": file.document, "sha256": digest, "start": start, "end": start + len(printed)}
        anchor |= {key: entry[key] for key in ("table", "row", "column") if key in entry}
        value["anchor"] = anchor
        document = self.documents.get(digest or "")
        if document is not None and document.text[start : start + len(printed)] != printed:
            raise PositionMismatch(
                field="at",
                given=document.text[start : start + len(printed)],
                expected=f'"{printed}" at {start}',
                next_step="give the right position, or find: with words around the figure",
            )
        for key, name in (("context_at", "context_anchors"), ("also_at", "also_at")):
            if entry.get(key):
                value[name] = [
                    {"start": one["at"], "end": one["to"], **({"gives": one["gives"]} if "gives" in one else {})}
                    for one in entry[key]
                ]

    def _unknown_names(self, record: Json) -> Iterator[KgError]:
        for field, name in entity_links(record):
            if name not in self.registry.records:
                near = self.registry.redirects.get(name) or self.registry.nearest(name)
                yield UnknownEntity(
                    field=field,
                    given=name,
                    expected="the id of a known entity",
                    next_step=f'Did you mean "{near}"?' if near else None,
                )

    def _metric_mistakes(self, record: Json, *, known_unit: bool) -> Iterator[KgError]:
        given = (record.get("quantity") or {}).get("unit")
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
            near = next(iter(get_close_matches(name, self.vocabulary.metrics, n=1, cutoff=0.6)), None)
            yield UnknownMetric(
                field="metric",
                given=name,
                expected="a metric of ontology/metrics.yaml",
                next_step=f'Did you mean "{near}"?' if near else None,
            )
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


def _cell(entry: Json) -> Json:
    """A JSON pointer, or the row and column of a table."""
    if "pointer" in entry:
        return {"pointer": entry["pointer"]}
    return {key: entry[key] for key in ("row", "column")} if "row" in entry and "column" in entry else {}


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def _derivation(given: Json) -> Json:
    own = {key: value for key, value in given.items() if key != "text"}
    return {**own, "stated_by_text": bool(given.get("text", True))}


def entity_links(record: Json) -> Iterator[tuple[str, str]]:
    """Every entity or source that a claim names, with the field."""
    for field in ("subject", "baseline", "asserted_by", "attributed_to", "source"):
        if is_name(record.get(field)):
            yield field, record[field]
    for field in ("subjects", "path"):
        for name in record.get(field) or ():
            if is_name(name):
                yield field, name
    for one in record.get("restates") or ():
        if isinstance(one, dict) and is_name(one.get("source")):
            yield "restates", one["source"]
    if is_name((record.get("quantity") or {}).get("term")):
        yield "term", record["quantity"]["term"]
    event = record.get("event")
    for field in ("actor", "operator", "customer"):
        if isinstance(event, dict) and is_name(event.get(field)):
            yield f"event.{field}", event[field]
    for field in ("conditions", "baseline_conditions"):
        for name, given in (record.get(field) or {}).items():
            value = given.get("value") if isinstance(given, dict) else given
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str) and is_entity_id(one):
                    yield f"{field}.{name}", one


def is_name(value: object) -> bool:
    """Whether a value could be the id of a thing; anything else is the model's to refuse."""
    return isinstance(value, str) and bool(value)


def read_claims(
    content: Content, registry: Registry, vocabulary: Vocabulary, documents: Mapping[str, Document] | None = None
) -> list[Json]:
    """All curated claims, sorted by id; all mistakes of all files are collected before raising."""
    return read_layered_claims(content, registry, vocabulary, documents)[0]


def read_layered_claims(
    content: Content, registry: Registry, vocabulary: Vocabulary, documents: Mapping[str, Document] | None = None
) -> tuple[list[Json], tuple[ContentConflict, ...]]:
    """All curated claims, and the ids that one's own folder and the shipped content both use: what is shipped stands."""
    expander = Expander(registry, vocabulary, documents or {})
    claims: dict[str, Json] = {}
    places: dict[str, tuple[str, int]] = {}
    mistakes: list[KgError] = []
    refused: set[str] = set()
    unread = False
    conflicts: list[ContentConflict] = []
    shipped: frozenset[str] = frozenset()
    for path in content.seed_files("claims"):
        shown = content.shown(path)
        is_own = content.is_own(path)
        if is_own and not shipped:
            shipped = frozenset(claims)
        if is_own and not path.read_bytes().strip():  # a review may have taken everything back
            continue
        try:
            file = read_claims_file(path, shown=shown)
        except KgError as error:
            mistakes.extend(error.errors if isinstance(error, Mistakes) else [error])
            unread = True
            continue
        for g, c, entry in file.entries():
            line = file.line(g, c)
            field = str(entry.get("id", f"groups[{g}].claims[{c}]"))
            try:
                record = expander.claim(file, followed(entry, registry.redirects) if is_own else entry)
            except KgError as cause:
                for one in cause.errors if isinstance(cause, Mistakes) else [cause]:
                    one.at(path=shown, line=file.line(g, c, one.field))
                    one.field = f"{field}.{one.field}" if one.field else field
                    mistakes.append(one)
                refused.add(f"{file.source.split('/', 1)[-1]}/{entry.get('id')}")
                continue
            if is_own and record["id"] in shipped:
                conflicts.append(ContentConflict("claim", record["id"], None, shown, line, record["id"]))
                continue
            if record["id"] in claims:
                where, at = places[record["id"]]
                mistakes.append(
                    DuplicateId(
                        path=shown,
                        line=line,
                        field="id",
                        given=record["id"],
                        expected=f"an id not yet used ({where}:{at})",
                    )
                )
            claims[record["id"]], places[record["id"]] = record, (shown, line)
    if not unread:  # what an unreadable file holds is unknown, and a reference to it is no mistake
        mistakes.extend(_broken_references(claims, places, refused))
        mistakes.extend(cycle_mistakes(claims, places))
    Mistakes.raise_any(mistakes)
    return [claims[name] for name in sorted(claims)], tuple(conflicts)


def _broken_references(
    claims: Mapping[str, Json], places: Mapping[str, tuple[str, int]], refused: set[str]
) -> list[KgError]:
    found: list[KgError] = []
    for name, record in claims.items():
        named = [("same_as", record["same_as"])] if "same_as" in record else []
        named += [("restates", one["claim"]) for one in record.get("restates", ()) if "claim" in one]
        named += [
            (f"derivations.{key}", given["claim"])
            for one in record.get("derivations", ())
            for key, given in one["inputs"].items()
            if "claim" in given
        ]
        for field, other in named:
            if other not in claims and other not in refused:
                path, line = places[name]
                found.append(
                    ContentError(
                        code="claim.unknown-claim",
                        path=path,
                        line=line,
                        field=f"{name}.{field}",
                        given=other,
                        expected="the id of a claim of the seeds",
                    )
                )
    return found
