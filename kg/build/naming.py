"""A name accepted into the registry, as another name of a known entity or with a new one; and that taken back.

A name is refused where it already means something else, or has a word by which two entities are distinguished.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from kg.build.accepted_names import last_of, read_accepted, segments_of, without, write_accepted
from kg.build.alone import alone_in_own
from kg.build.unresolved_names import refuse_unknown_kind
from kg.build.waiting_files import Waiting, waiting_rows
from kg.content.entities import Registry, UnknownEntity, read_registry
from kg.content.folders import Content, find_content
from kg.content.registry_files import ensure_writable, with_alias, with_entity, without_alias, without_entity
from kg.content.resolution import Resolver, split_names
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes, UsageError
from kg.ledger import durable
from kg.ledger.ledger import Ledger
from kg.model.json_types import JsonMapping
from kg.model.names import KIND_OF_NAME, name_key
from kg.model.patterns import words_of
from kg.model.record import Entity
from kg.model.recorded import ThingRecord


class NameTaken(ContentError):
    """The name already means another thing."""

    code = "names.taken"


class Confusable(ContentError):
    """The name has a word by which another entity is distinguished from this one."""

    code = "names.confusable"


class AcceptedName(NamedTuple):
    """What was written, and where; `path` is None when nothing had to be."""

    name: str
    id: str
    kind: str
    path: str | None
    segments: tuple[str, ...] = ()
    """Taken back: the segments of rows that were read again for it."""


def accept_name(
    name: str,
    identifier: str | None,
    *,
    content: str | None,
    kind: str | None = None,
    new: str | None = None,
    label: str | None = None,
    maker: str | None = None,
    member_of: str | None = None,
    of: str | None = None,
    level: str | None = None,
    virtualised: bool = False,
) -> AcceptedName:
    """Add a name as an alias of a known entity, or, with `new`, an entity that has the name. All or nothing is written.

    Without `kind` a new entity is of the kind of those whose ids begin as its does, where they have one kind. `of` is what a
    configuration or variant is of, `level` what one of it is. What is accepted can be taken back.
    """
    root = find_content(Path(content) if content else None)
    _check_asked(name, identifier, new)
    folder = ensure_writable(root)
    with alone_in_own(root):
        files = _NameFiles(root, folder, read_registry(root), read_accepted(folder))
        if Resolver(files.registry).resolve("any", name).how == "empty":
            raise UsageError(given=name[:60], expected="a name: this is what a cell says that names nothing")
        if identifier is not None:
            return _written(files, _alias(files, name, identifier, kind))
        value = {
            "id": new,
            "kind": kind,
            "label": label or name,
            "maker": maker,
            "member_of": member_of,
            "of": of,
            "level": level,
            "virtualised": virtualised or None,
            "aliases": [name] if label and name_key(label) != name_key(name) else None,
        }
        return _written(files, _new_entity(files, name, {key: one for key, one in value.items() if one is not None}))


def _check_asked(name: str, identifier: str | None, new: str | None) -> None:
    """Raise UsageError for a text that no row could print as a name, and for one that is to name two things or none."""
    if (identifier is None) == (new is None):
        raise UsageError(given=identifier or "no id", expected="the id of a known thing, or --new ID")
    if not name_key(name) or len(name) > 200 or not name.isprintable():
        raise UsageError(given=name[:60], expected="a name: 1 to 200 characters on one line")


def _kind_of_its_like(registry: Registry, identifier: str) -> str:
    """The kind of the entities whose ids begin alike; raises UsageError where they have several or there are none."""
    first = f"{identifier.split('/', 1)[0]}/"
    kinds = {one["kind"] for name, one in registry.records.items() if name.startswith(first)}
    if len(kinds) != 1:
        raise UsageError(
            field="--kind", given="nothing", expected="what the new thing is, such as accelerator or model"
        )
    return kinds.pop()


class _NameFiles(NamedTuple):
    """The content, the folder in it that names are written to, and the entities and accepted names as they are."""

    root: Content
    folder: Path
    registry: Registry
    accepted: list[JsonMapping]


class _Planned(NamedTuple):
    """A name that can be accepted, with the file that takes it and its new text; no file where the name is known."""

    accepted: AcceptedName
    path: Path | None = None
    text: str = ""
    is_new: bool = False


def _new_entity(files: _NameFiles, name: str, value: Mapping[str, object]) -> _Planned:
    """An entity more; refused where its id or its name is in use."""
    if "kind" not in value:
        value = {"id": value["id"], "kind": _kind_of_its_like(files.registry, str(value["id"])), **value}
    try:
        made = Entity.model_validate(value, strict=True)
    except ValidationError as cause:
        Mistakes.raise_any(from_pydantic(cause, prefix=f"{value['id']}."))
        raise
    if made.id in files.registry.records:
        last = last_of(files.accepted, name)
        if last is not None and files.accepted[last]["made"] and files.accepted[last]["id"] == made.id:
            # the same command again: its rows may be left
            return _Planned(AcceptedName(name, made.id, made.kind, None))
        raise NameTaken(field="id", given=made.id, expected="an id not yet used", next_step=f"kg show {made.id}")
    _refuse_taken(files.registry, name, made.id)
    path, text = with_entity(files.folder, value)
    return _Planned(AcceptedName(name, made.id, made.kind, files.root.shown(path)), path, text, is_new=True)


def _known_already(record: ThingRecord, name: str) -> bool:
    """Whether a thing has a name, in any spelling."""
    return name_key(name) in {name_key(text) for text in (record["label"], *record.get("aliases", ()))}


def _written(files: _NameFiles, planned: _Planned) -> AcceptedName:
    """Write what was planned, and before it the line that lets it be taken back."""
    accepted, path, text, is_new = planned
    if path is None:  # known before: to take it back would remove what somebody else wrote
        return accepted
    lines = files.accepted
    line: dict[str, object] = {"name": accepted.name, "id": accepted.id, "kind": accepted.kind, "made": is_new}
    last = last_of(lines, accepted.name)
    if last is not None:
        # nothing has the name, so that what this line is of was cut off; rows that it gave are taken back with the new one
        line["segments"] = list(segments_of(lines[last]))
    write_accepted(files.folder, [*without(lines, last), line])
    try:
        _write(files.root, path, text)
    except (KgError, OSError):
        write_accepted(files.folder, lines)
        raise
    return accepted


def take_back_name(name: str, *, content: str | None) -> AcceptedName:
    """Undo the acceptance of a name: the alias goes, or the thing that was made with it. All or nothing is written.

    Where rows were read again for it, the name stays noted until `forget_name`, which is called when they are out.
    """
    root = find_content(Path(content) if content else None)
    folder = ensure_writable(root)
    with alone_in_own(root):
        return _taken_back(_NameFiles(root, folder, read_registry(root), read_accepted(folder)), name)


def _taken_back(files: _NameFiles, name: str) -> AcceptedName:
    lines, folder = files.accepted, files.folder
    at = last_of(lines, name)
    if at is None:
        known = ", ".join(sorted({one["name"] for one in lines})[:6])
        raise UsageError(
            given=name, expected=f"a name that was accepted: {known}" if known else "a name that was accepted; none was"
        )
    last, path = lines[at], None
    thing = files.registry.records.get(last["id"])
    if thing is not None and (last["made"] or _known_already(thing, last["name"])):  # else it was cut off behind this
        undo = without_entity(folder, last["id"]) if last["made"] else without_alias(folder, last["id"], last["name"])
        path, text = undo
        _write(files.root, path, text)
    segments = segments_of(last)
    if not segments:
        write_accepted(folder, without(lines, at))
    return AcceptedName(
        last["name"], last["id"], last["kind"], None if path is None else files.root.shown(path), segments
    )


def rows_waiting(ledger: Path, *, content: str | None, name: str) -> tuple[Waiting, ...]:
    """The files of the store with rows that stand refused for a name that is known by now."""
    resolver = Resolver(read_registry(find_content(Path(content) if content else None)))
    return waiting_rows(Ledger(ledger).rejected(), resolver, name=name)


def _alias(files: _NameFiles, name: str, identifier: str, kind: str | None) -> _Planned:
    refuse_unknown_kind(kind)
    registry = files.registry
    record = registry.records.get(identifier)
    if record is None or record["record"] != "entity":
        near = registry.nearest(identifier)
        raise UnknownEntity(
            given=identifier,
            expected="the id of a known entity, or --new ID to make one",
            next_step=f'Did you mean "{near}"?' if near else "kg find looks for things",
        )
    if kind is not None and record["kind"] not in KIND_OF_NAME[kind] and record.get("level") != kind:
        raise UsageError(
            given=identifier, expected=f"a thing that a {kind} column names; this one is a {record['kind']}"
        )
    if _known_already(record, name):
        return _Planned(AcceptedName(name, identifier, record["kind"], None))
    _refuse_taken(registry, name, identifier)
    _refuse_confusable(registry, name, identifier)
    path, text = with_alias(files.folder, identifier, name, is_own=files.root.own is not None)
    return _Planned(AcceptedName(name, identifier, record["kind"], files.root.shown(path)), path, text)


def _refuse_taken(registry: Registry, name: str, identifier: str) -> None:
    key, resolver = name_key(name), Resolver(registry)
    holders = [
        one
        for one, record in registry.records.items()
        if one != identifier and key in {name_key(text) for text in (record["label"], *record.get("aliases", ()))}
    ]
    if holders:
        raise NameTaken(
            given=name,
            expected=f"a name that no other thing has; it is one of {', '.join(sorted(holders))}",
            next_step="a name that means several things needs a rule in seeds/entities/patterns.yaml",
        )
    by_rule = {
        found.id: found.rule
        for kind in KIND_OF_NAME
        if (found := resolver.resolve(kind, name)).id not in (None, identifier) and found.rule is not None
    }
    for other, rule in by_rule.items():
        raise NameTaken(
            given=name,
            expected=f"a name that means no other thing; {rule} leads it to {other}",
            next_step="correct that rule if it is wrong",
        )
    if len(split_names(name)) > 1:
        raise NameTaken(given=name, expected="the name of one thing; this cell holds several")


def _refuse_confusable(registry: Registry, name: str, identifier: str) -> None:
    """A word that this entity lacks and one like it has is what distinguishes the two.

    An alias is for ever: taken for H100, "H100 NVL" would put every row of that card to the wrong one, and no later check
    could see it. So the doubtful name is refused, and the person adds an entity or another alias.
    """
    entity = registry.records[identifier]
    words = {one: _words(record) for one, record in registry.records.items() if record["record"] == "entity"}
    kinds = next((kinds for kinds in KIND_OF_NAME.values() if entity["kind"] in kinds), frozenset())
    own, of_name = words[identifier], set(words_of(name))
    strange = of_name - own - _fillers(registry)
    for other in sorted(words):
        record = registry.records[other]
        if other == identifier or record["kind"] not in kinds:
            continue
        foreign = {word for word in strange if _tells(word, words[other], own)}
        alike = bool(of_name & words[other] & own) or _are_kept_apart(entity, record)
        # a word with a digit is a model number, which no two entities share by chance
        if foreign and (alike or any(_has_digit(word) for word in foreign)):
            raise Confusable(
                given=name,
                expected=f'a name of {entity["label"]}; "{", ".join(sorted(foreign))}" belongs to the names of {other} and not to its own',
                next_step=f"compare kg show {identifier} with kg show {other}",
            )


def _are_kept_apart(one: ThingRecord, other: ThingRecord) -> bool:
    """Whether either entity lists the other as easily mistaken for it."""
    return other["id"] in one.get("not_to_be_confused_with", ()) or one["id"] in other.get(
        "not_to_be_confused_with", ()
    )


def _tells(word: str, others: set[str], own: set[str]) -> bool:
    """Whether a word points to another thing: it is a word of it, or it goes on from its number ("h100x" from "h100")."""
    if word in others:
        return True
    begins = {one for one in others - own if _has_digit(one) and not one[0].isdigit() and word.startswith(one)}
    return bool(begins) and not any(_has_digit(one) and word.startswith(one) for one in own)


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)


def _fillers(registry: Registry) -> set[str]:
    """The words that rules treat as saying nothing: names of makers, "gpu", "card"."""
    lists = [
        rule.value.get("list") or ()
        for rule in registry.rules
        if isinstance(rule.value, dict) and "words" in rule.value
    ]
    return {str(word) for one in lists for word in one}


def _words(record: ThingRecord) -> set[str]:
    return {word for text in (record["label"], *record.get("aliases", ())) for word in words_of(text)}


def _write(root: Content, path: Path, text: str) -> None:
    """Write the file (an empty one is none), read the whole registry again, and put the old text back if it does not hold."""
    before = path.read_text(encoding="utf-8") if path.is_file() else None
    if text:
        durable.write_whole(path, [text.encode()])
    else:
        path.unlink()
    try:
        Resolver(read_registry(root))
    except KgError:
        if before is None:
            path.unlink()
        else:
            durable.write_whole(path, [before.encode()])
        raise
