"""Reads `seeds/claims/*.yaml`: groups of claims that state once what they share, expanded into claim records.

`docs/curating.md` describes the form. Figures are read from their printed text (`kg.model.printed`); a claim may give the
value itself where the text does not parse to it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kg.content.documents import Document
from kg.content.entities import DuplicateId, Registry, UnknownEntity
from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.content.validation import from_pydantic
from kg.content.vocabulary import UnknownMetric, Vocabulary
from kg.errors import ContentError, KgError, Mistakes
from kg.model.printed import read_printed
from kg.model.record import Claim, recorded_form
from kg.model.triples import is_entity_id
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


_PLAIN = (
    "utterance", "kind", "modality", "polarity", "subject", "subject_printed", "level", "subjects", "baseline",
    "baseline_level", "baseline_printed", "baseline_status", "metric", "statistic", "normaliser", "relation", "reading",
    "alternatives", "statement", "direction", "event", "asserted_by", "attributed_to", "path", "restates", "note",
)  # fmt: skip
_FIGURE = ("printed", "value", "shape", "hedge", "exact", "unit", "term", "set", "date", "absent")
_PLACE = ("at", "find", "nth", "table", "row", "column", "locator")
_OWN = ("id", "conditions", "baseline_conditions", "said_on", "as_of", "derivations", "context_at", "also_at", "same_as")
KEYS = frozenset((*_PLAIN, *_FIGURE, *_PLACE, *_OWN))


@dataclass(frozen=True, slots=True)
class ClaimsFile:
    """One file of `seeds/claims/`, read but not yet expanded."""

    located: Located
    shown: str
    source: str
    document: str | None

    def entries(self) -> Iterator[tuple[int, int, Json]]:
        """Each claim with what its group states, and its place: group and claim number."""
        for g, group in enumerate(self.located.value["groups"]):
            shared = group.get("with") or {}
            for c, own in enumerate(group.get("claims") or ()):
                yield g, c, merged(shared, own)


def merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Json:
    """A claim's own keys over those of its group; conditions merge key by key, null removes.

    >>> merged({"unit": "W", "conditions": {"model": "m", "phase": "p"}}, {"id": "x", "conditions": {"phase": None}})
    {'unit': 'W', 'conditions': {'model': 'm'}, 'id': 'x'}
    """
    whole = dict(shared)
    for key, value in own.items():
        if key in ("conditions", "baseline_conditions") and isinstance(whole.get(key), Mapping):
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
    return {key: value for key, value in whole.items() if value is not None}


def read_claims_file(path: Path, *, shown: str) -> ClaimsFile:
    """Read one file and check its outer form."""
    located = read_located(path)
    value = located.value
    if not isinstance(value, dict) or not isinstance(value.get("groups"), list) or "source" not in value:
        raise ContentError(path=shown, line=1, given=type(value).__name__, expected="a mapping with source, document and groups")
    for g, group in enumerate(value["groups"]):
        if not isinstance(group, dict) or set(group) - {"about", "with", "claims"}:
            raise ContentError(path=shown, line=located.line("groups", g), given=str(group)[:60], expected="about, with and claims")
    unknown = set(value) - {"source", "document", "groups"}
    if unknown:
        raise ContentError(path=shown, line=located.line(sorted(unknown)[0]), given=", ".join(sorted(unknown)), expected="source, document, groups")
    return ClaimsFile(located, shown, value["source"], value.get("document"))


@dataclass(slots=True)
class Expander:
    """Turns merged entries into claim records against a registry and a vocabulary."""

    registry: Registry
    vocabulary: Vocabulary
    documents: Mapping[str, Document]
    """Attached documents by SHA-256; positions are checked in those that are here."""

    def claim(self, file: ClaimsFile, entry: Json) -> Json:
        """The recorded form of one entry; raises ContentError or ValidationError."""
        source = self.registry.records.get(file.source)
        if source is None:
            raise UnknownEntity(field="source", given=file.source, expected="the id of a source")
        unknown = sorted(set(entry) - KEYS)
        if unknown:
            raise ContentError(
                code="claim.unknown-key", field=unknown[0], given=", ".join(unknown), expected="the keys listed in docs/curating.md"
            )
        value: Json = {key: entry[key] for key in _PLAIN if key in entry}
        value["id"] = f"{file.source.split('/', 1)[1]}/{entry.get('id')}"
        value["source"] = file.source
        if value.get("subjects") and "subject" not in value:
            value["subject"] = value["subjects"][0]
        said = entry.get("said_on") or {}
        if said:
            value["said_on"], value["said_on_basis"] = said.get("date"), said.get("basis")
        elif source.get("published"):
            value["said_on"], value["said_on_basis"] = source["published"], f"source: {source.get('published_basis', 'unstated')}"
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
        self._figure(entry, value)
        self._anchor(file, source, entry, value)
        if entry.get("derivations"):
            value["derivations"] = [_derivation(one) for one in entry["derivations"]]
        record = recorded_form(Claim.model_validate(value))
        self._check_links(record)
        return record

    def _figure(self, entry: Json, value: Json) -> None:
        printed = entry.get("printed")
        given = {key: entry[key] for key in _FIGURE if key in entry and key != "printed"}
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
        except UnknownUnit:
            raise
        except KgError as cause:
            raise UnreadableFigure(
                field="printed", given=printed or "", expected="a figure that parses, or value beside it", next_step=str(cause.message)
            ) from cause
        if isinstance(number.value, tuple):
            return [_plain(one) for one in number.value], number.shape or "span"
        if number.value is None:
            raise UnreadableFigure(field="printed", given=printed or "", expected="a figure that parses, or value beside it")
        return _plain(number.value), None

    def _anchor(self, file: ClaimsFile, source: Json, entry: Json, value: Json) -> None:
        if "locator" in entry:
            value["anchor"] = {"locator": entry["locator"]}
            return
        printed = entry.get("printed")
        if "at" not in entry or printed is None:
            raise ContentError(
                code="claim.no-position", field="at", given="find" if "find" in entry else "nothing", expected="the position of the printed text",
                next_step="run kg content format --documents DIR to turn find into at",
            )  # fmt: skip
        start = entry["at"]
        digest = source.get("sha256")
        anchor: Json = {"document": file.document, "sha256": digest, "start": start, "end": start + len(printed)}
        anchor |= {key: entry[key] for key in ("table", "row", "column") if key in entry}
        value["anchor"] = anchor
        document = self.documents.get(digest or "")
        if document is not None and document.text[start : start + len(printed)] != printed:
            raise PositionMismatch(
                field="at", given=document.text[start : start + len(printed)], expected=f'"{printed}" at {start}',
                next_step="give the right position, or find: with words around the figure",
            )  # fmt: skip
        for key, name in (("context_at", "context_anchors"), ("also_at", "also_at")):
            if entry.get(key):
                value[name] = [
                    {"start": one["at"], "end": one["to"], **({"gives": one["gives"]} if "gives" in one else {})}
                    for one in entry[key]
                ]

    def _check_links(self, record: Json) -> None:
        mistakes: list[KgError] = []
        for field, name in entity_links(record):
            if name not in self.registry.records:
                near = self.registry.nearest(name)
                mistakes.append(UnknownEntity(
                    field=field, given=name, expected="the id of a known entity", next_step=f'Did you mean "{near}"?' if near else None
                ))  # fmt: skip
        metric = self.vocabulary.metrics.get(record["metric"])
        if metric is None:
            mistakes.append(UnknownMetric(field="metric", given=record["metric"], expected="a metric of ontology/metrics.yaml"))
        quantity = record.get("quantity") or {}
        if "unit" in quantity and metric is not None:
            kind = self.vocabulary.units.get(quantity["unit"]).kind
            allowed = {*metric.kinds, "ratio", "utilisation", "percentage-points", "count"}
            if record.get("relation", "absolute") == "absolute" and metric.kinds:
                allowed = set(metric.kinds)
            if kind not in allowed and record.get("relation", "absolute") not in (*RATIO_RELATIONS, "points", "order", "difference"):
                mistakes.append(UnitKindMismatch(
                    field="unit", given=f"{quantity['unit']} ({kind})", expected=f"{record['metric']} in {', '.join(sorted(allowed))}"
                ))  # fmt: skip
        Mistakes.raise_any(mistakes)


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)


def _derivation(given: Json) -> Json:
    own = {key: value for key, value in given.items() if key != "text"}
    return {**own, "stated_by_text": bool(given.get("text", True))}


def entity_links(record: Json) -> Iterator[tuple[str, str]]:
    """Every entity or source that a claim names, with the field."""
    for field in ("subject", "baseline", "asserted_by", "attributed_to", "source"):
        if field in record:
            yield field, record[field]
    for field in ("subjects", "path"):
        for name in record.get(field) or ():
            yield field, name
    for one in record.get("restates") or ():
        if one.get("source"):
            yield "restates", one["source"]
    if (record.get("quantity") or {}).get("term"):
        yield "term", record["quantity"]["term"]
    for field in ("actor", "operator", "customer"):
        if (record.get("event") or {}).get(field):
            yield f"event.{field}", record["event"][field]
    for field in ("conditions", "baseline_conditions"):
        for name, given in (record.get(field) or {}).items():
            value = given.get("value") if isinstance(given, dict) else given
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str) and is_entity_id(one):
                    yield f"{field}.{name}", one


def read_claims(
    content: Content, registry: Registry, vocabulary: Vocabulary, documents: Mapping[str, Document] | None = None
) -> list[Json]:
    """All curated claims, sorted by id; all mistakes of all files are collected before raising."""
    expander = Expander(registry, vocabulary, documents or {})
    claims: dict[str, Json] = {}
    places: dict[str, tuple[str, int]] = {}
    mistakes: list[KgError] = []
    for path in sorted((content.seeds / "claims").rglob("*.yaml")):
        shown = path.relative_to(content.root).as_posix()
        try:
            file = read_claims_file(path, shown=shown)
        except KgError as error:
            mistakes.extend(error.errors if isinstance(error, Mistakes) else [error])
            continue
        for g, c, entry in file.entries():
            line = file.located.line("groups", g, "claims", c)
            field = str(entry.get("id", f"groups[{g}].claims[{c}]"))
            try:
                record = expander.claim(file, entry)
            except ValidationError as cause:
                mistakes.extend(from_pydantic(cause, path=shown, line=line, prefix=f"{field}."))
                continue
            except KgError as cause:
                for one in cause.errors if isinstance(cause, Mistakes) else [cause]:
                    one.at(path=shown, line=line)
                    one.field = f"{field}.{one.field}" if one.field else field
                    mistakes.append(one)
                continue
            if record["id"] in claims:
                where, at = places[record["id"]]
                mistakes.append(DuplicateId(path=shown, line=line, field="id", given=record["id"], expected=f"an id not yet used ({where}:{at})"))
            claims[record["id"]], places[record["id"]] = record, (shown, line)
    mistakes.extend(_broken_references(claims, places))
    Mistakes.raise_any(mistakes)
    return [claims[name] for name in sorted(claims)]


def _broken_references(claims: Mapping[str, Json], places: Mapping[str, tuple[str, int]]) -> list[KgError]:
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
            if other not in claims:
                path, line = places[name]
                found.append(ContentError(
                    code="claim.unknown-claim", path=path, line=line, field=f"{name}.{field}", given=other, expected="the id of a claim of the seeds"
                ))  # fmt: skip
    return found
