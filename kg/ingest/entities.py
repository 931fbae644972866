"""Entities of a row: names resolved by the registry, links followed, and things made that no registry holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from pydantic import ValidationError

from kg.content.entities import Registry
from kg.content.resolution import Resolution, Resolver, made_id, split_names
from kg.ingest.cells import Unread, as_integer, as_text
from kg.ingest.compute import Compute, Fields, filled, holds_all, taken
from kg.ingest.errors import CELL, NAMES, RECORD, MappingError, RowFault, shown
from kg.ingest.mapping_entity import Either, EntityRule, Linked, Made, MadeAlways, Resolved
from kg.ingest.mapping_field import Counted
from kg.ingest.mapping_part import FILLED
from kg.ingest.naming import slug_of
from kg.model.accepted import accepted
from kg.model.json_types import Json
from kg.model.names import KIND_OF_NAME, MODEL_KINDS, name_key
from kg.model.record import Entity, recorded_form
from kg.model.recorded import ThingRecord
from kg.model.reference import References
from kg.model.vocabulary import EntityKind, Level

Find = Callable[[Fields], str | None]

LEVEL_OF_KIND = {
    # most levels are kinds of things, and the level of those
    **{kind: kind for kind in get_args(EntityKind) if kind in get_args(Level)},
    **dict.fromkeys(MODEL_KINDS | {"model-class"}, "model"),
    "configuration": "node",
    "chip-family": "family",
    "architecture": "family",
    "vendor": "organisation",
    "software-agent": "software",
}
_KIND_MADE = {
    "accelerator": "accelerator",
    "system": "node",
    "cluster": "cluster",
    "model": "unknown-architecture-model",
    "organisation": "organisation",
    "org": "organisation",
    "vendor": "organisation",
    "task": "benchmark-task",
    "round": "benchmark-round",
    "config": "configuration",
    "offer": "offer",
    "software": "software",
}


@dataclass(slots=True)
class Things:
    """The registry of one load: what is curated, what the ledger holds, and what this load made so far."""

    registry: Registry
    resolver: Resolver
    loader: str
    references: References = field(default_factory=References.of)
    """Outside facts: in which unit an official result is counted."""
    held: dict[str, ThingRecord] = field(default_factory=dict)
    """Entities and sources that the ledger holds in addition to the curated ones."""
    made: dict[str, ThingRecord] = field(default_factory=dict)
    fresh: list[ThingRecord] = field(default_factory=list)
    """Made since the list was last emptied; a rejected row takes back its own."""

    def knows(self, identifier: str) -> bool:
        """Whether an id is curated, held or made."""
        return identifier in self.registry.records or identifier in self.made or identifier in self.held

    def get(self, identifier: str) -> ThingRecord | None:
        """The record of an id."""
        return self.made.get(identifier) or self.registry.records.get(identifier) or self.held.get(identifier)

    def add(self, record: ThingRecord) -> None:
        """Remember an entity, and have it written when neither registry nor ledger holds it."""
        if self.knows(record["id"]):
            return
        self.made[record["id"]] = record
        self.fresh.append(record)

    def take_back(self) -> None:
        """Forget what a rejected row made."""
        for record in self.fresh:
            del self.made[record["id"]]
        self.fresh.clear()

    def level(self, identifier: str) -> str:
        """The level of a thing: its own, or that of its kind."""
        record = self.get(identifier)
        if record is None:
            return "other"
        return str(record.get("level") or LEVEL_OF_KIND.get(record["kind"], "other"))


def finder(name: str, rule: EntityRule, things: Things, source: Find) -> Find:
    """The function that gives the entity of a row, or None."""
    inner = _finder(name, rule, things, source)
    when = holds_all(rule.when)
    if when is None:
        return inner
    return lambda fields: inner(fields) if when(fields) else None


def _finder(name: str, rule: EntityRule, things: Things, source: Find) -> Find:
    match rule:
        case Either():
            return lambda fields: next((fields[one] for one in rule.of if fields.get(one) is not None), None)
        case Linked():
            return lambda fields: _link(things, fields.get(rule.of), rule.link)
        case MadeAlways():
            return maker(f"entities.{name}.make", rule.make, things, source)
        case Resolved():
            return _resolver(name, rule, things, source)


def _link(things: Things, identifier: object, link: str) -> str | None:
    record = things.get(identifier) if isinstance(identifier, str) else None
    value = record.get(link) if record is not None else None
    return value if isinstance(value, str) else None


def _resolver(name: str, rule: Resolved, things: Things, source: Find) -> Find:
    if rule.kind not in KIND_OF_NAME and rule.kind not in ("any", "org", "vendor", "benchmark", "chip", "gpu"):
        raise MappingError(field=f"entities.{name}.kind", given=rule.kind, expected=", ".join([*KIND_OF_NAME, "any"]))
    for one in rule.names.values():
        if one not in things.registry.records:
            raise MappingError(field=f"entities.{name}.names", given=one, expected="the id of a known entity")
    return _NameResolver(
        rule,
        things,
        source,
        names={name_key(given): one for given, one in rule.names.items()},
        context=tuple((key, taken(value)) for key, value in rule.context.items()),
        create=maker(f"entities.{name}.create", rule.create, things, source) if rule.create is not None else None,
        mixed=maker(f"entities.{name}.mixed", rule.mixed, things, source) if rule.mixed is not None else None,
        flag=f"{name}_mixed",
    ).find


@dataclass(frozen=True, slots=True)
class _NameResolver:
    """Finds the entity that a cell names, as one rule of a mapping says."""

    rule: Resolved
    things: Things
    source: Find
    names: Mapping[str, str]
    """What the mapping itself says of names, by key: it knows its source better than the registry does."""
    context: tuple[tuple[str, Compute], ...]
    create: Find | None
    mixed: Find | None
    flag: str
    """The field that says whether the cell named several things."""

    def find(self, fields: Fields) -> str | None:
        """The id of the entity that a row names; None where it names none."""
        given = fields.get(self.rule.of)
        if given is None:
            self._refuse_empty(None)
            return None
        text = given if type(given) is str else as_text(given)
        if self.names and (known := self.names.get(name_key(text))) is not None:
            return known
        around = {key: value for key, take in self.context if (value := take(fields)) is not None}
        found = self.things.resolver.resolve(self.rule.kind, text, around)
        if found.id is not None:
            return found.id
        if found.how == "empty":
            self._refuse_empty(text)
            return None
        return self._unknown(text, fields, around, found)

    def _unknown(self, text: str, fields: Fields, around: Mapping[str, object], found: Resolution) -> str | None:
        """What a name that is not known means: several things, nothing, a new entity, or a refused row."""
        if self.mixed is not None and (several := self._several(text, around)) is not None:
            fields[self.flag] = True
            return self.mixed({**fields, "_parts": several})
        if self.rule.unknown == "drop":
            return None
        if self.rule.unknown == "create" and found.how == "unknown":
            return self.create(fields) if self.create is not None else self._created(text, fields)
        expected = f"a name of the registry ({self.rule.kind})" if not found.candidates else "one thing, not several"
        raise RowFault(NAMES, self.rule.of, text[:200], expected, self.rule.kind, found.candidates)

    def _refuse_empty(self, text: str | None) -> None:
        if self.rule.empty == "reject":
            # no name to accept, so not an unresolved one
            raise RowFault(CELL, self.rule.of, shown(text), f"a name ({self.rule.kind})")

    def _several(self, text: str, around: Mapping[str, object]) -> list[tuple[str, int | None]] | None:
        """The things of a cell that lists several, with their numbers; None unless every one of them is known."""
        parts = split_names(text)
        if len(parts) < 2:
            return None
        # the maker of the row may be that of one part only
        shared = {key: value for key, value in around.items() if key in ("publisher", "suite")}
        resolve = self.things.resolver.resolve
        ids = [(resolve(self.rule.kind, part, shared).id, count) for part, count in parts]
        known = [(one, count) for one, count in ids if one is not None]
        return known if len(known) == len(ids) else None

    def _created(self, text: str, fields: Fields) -> str:
        identifier = made_id(self.rule.kind, self.things.loader, text)
        if not self.things.knows(identifier):
            record: Json = {
                "record": "entity",
                "id": identifier,
                "kind": _KIND_MADE.get(self.rule.kind, "reference-thing"),
                "label": text[:2000],
            }
            if (where := self.source(fields)) is not None:
                record["source"] = where
            self.things.add(_sound(record))
        return identifier


def maker(where: str, rule: Made, things: Things, source: Find) -> Find:
    """The function that makes an entity of a row and gives its id; missing when a part of the id is."""
    pieces = FILLED.split(rule.id)
    label, count = filled(rule.label), taken(rule.count)
    note = filled(rule.note) if rule.note else None
    links: list[tuple[str, Find]] = [(link, taken(value)) for link, value in rule.links.items()]
    links += [(key, written) for key, written in (("note", note), ("source", source)) if written is not None]

    fixed: Json = {"record": "entity", "kind": rule.kind} | ({} if rule.level is None else {"level": rule.level})

    def make(fields: Fields) -> str | None:
        identifier = _filled_id(pieces, fields)
        if identifier is None or things.knows(identifier):
            return identifier
        record: Json = {**fixed, "id": identifier, "label": label(fields) or identifier}
        for link, take in links:
            if (target := take(fields)) is not None:
                record[link] = target
        counted = count(fields)
        if counted is not None:
            record["count"] = _whole_count(counted, where)
        if "_parts" in fields:
            record["parts"] = [{"part": one, "count": many or 1} for one, many in fields["_parts"]]
        things.add(_sound(record))
        return identifier

    return make


def _filled_id(pieces: Sequence[str], fields: Fields) -> str | None:
    """An id whose odd pieces are names of fields; None where a field is missing, since half an id names another thing."""
    out = []
    for position, piece in enumerate(pieces):
        if position % 2:
            value = fields.get(piece)
            if value is None:
                return None
            out.append(slug_of(value))
        else:
            out.append(piece)
    return "".join(out)


def _whole_count(counted: object, where: str) -> int:
    try:
        return as_integer(counted)
    except Unread as cause:
        raise RowFault(RECORD, where, shown(counted), str(cause)) from None


def _sound(record: Mapping[str, object]) -> ThingRecord:
    try:
        return recorded_form(Entity.model_validate(record))
    except ValidationError as cause:
        first = cause.errors(include_url=False)[0]
        field_name = ".".join(map(str, first["loc"]))
        raise RowFault(RECORD, field_name, shown(first.get("input")), accepted(first)) from None


def counted(name: str, rule: Counted, things: Things) -> Compute:
    """The unit in which the result of a row is counted; the field `<name>_source` gets where that is written."""
    references, source = things.references, f"{name}_source"

    def decide(fields: Fields) -> str | None:
        of = fields.get(rule.round)
        found = references.result_unit(fields.get(rule.task), [of] if of else [], fields.get(rule.scenario))
        if found is None:
            return None
        fields[source] = found.citation.text
        return found.unit

    return decide
