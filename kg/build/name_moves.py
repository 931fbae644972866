"""The records whose names mean something else in the present registry: which these are, and how each is written anew."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, cast

from kg.build.waiting_files import Waiting, load_command, waiting_rows
from kg.content.entities import Registry
from kg.content.folders import Content
from kg.content.resolution import Resolver, made_id
from kg.errors import KgError
from kg.ingest.entities import LEVEL_OF_KIND
from kg.ingest.mapping import ClaimRule
from kg.ingest.mapping_entity import Made, Resolved
from kg.ingest.mapping_part import FILLED, reference
from kg.ingest.naming import slug_of
from kg.ingest.sources import Loader, get_loader
from kg.ledger.ledger import Ledger, Manifest, with_revision
from kg.ledger.segment import SegmentInfo, read_segment, write_segment
from kg.model.json_types import Json
from kg.model.ledger_records import CurrentRecord, LedgerRecord, RejectedRecord
from kg.model.names import name_key
from kg.model.recorded import ClaimRecord

NAMES_ORIGIN: Final = "names"
"""The origin of the segments written here."""
# A plus sign sorts before the point of a further load (`.001`), so that such a load still counts over what was
# moved.
LATER: Final = "+names"
"""What is added to an edition: above it, and below the next."""
_NO_NAMES: Final = frozenset(
    {"id", "record", "label", "note", "statement", "subject_printed", "baseline_printed", "anchor"}
)
"""Fields whose texts are no ids."""


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """Records that went from one thing to another, and the name that led them there."""

    source: str
    name: str
    before: str
    after: str
    records: int


class _Decision(NamedTuple):
    """What a name means now; None where the row would have to say, or nothing has the name."""

    id: str | None
    possible: frozenset[str]


@dataclass(slots=True)
class _RecordSource:
    """What the mapping of a loader says about names."""

    loader: Loader

    @property
    def making(self) -> list[Resolved]:
        """The rules that make an entity of an unknown name."""
        rules = self.loader.mapping.entities.values()
        return [one for one in rules if isinstance(one, Resolved) and one.unknown == "create"]

    def made_by(self, rule: Resolved, name: str) -> str | None:
        """The id that a rule gives a thing of this name; None where the id or label has more in it than the name."""
        made: Made | None = rule.create
        if made is None:
            return made_id(rule.kind, self.loader.name, name)
        if made.label != f"{{{rule.of}}}" or set(FILLED.findall(made.id)) != {rule.of}:
            return None
        return FILLED.sub(lambda _: slug_of(name), made.id)

    def subject_rule(self, claim: str) -> Resolved | None:
        """The rule by which the subject of a claim is found, where its printed name is the one that was resolved."""
        template: ClaimRule | None = self.loader.mapping.claims.get(claim.rpartition(".")[2])
        if template is None or (named := reference(template.subject)) is None:
            return None
        rule = self.loader.mapping.entities.get(named)
        if not isinstance(rule, Resolved) or template.subject_printed not in (None, f"${rule.of}"):
            return None
        return rule


class _Found(NamedTuple):
    """A record of an earlier registry whose names mean something else now."""

    edition: str
    source: str
    file: str
    open_name: str | None
    """The name that only the row could decide; None where the record moves."""


class NameMoves:
    """Finds what moves, and writes it."""

    def __init__(
        self, ledger: Ledger, content: Content, registry: Registry, base: Manifest, old: list[SegmentInfo]
    ) -> None:
        self._ledger, self._content, self._registry = ledger, content, registry
        self._base, self._old = base, old
        self._resolver = Resolver(registry)
        self._sources: dict[str, _RecordSource | None] = {}
        self._decisions: dict[tuple[int, str], _Decision] = {}
        self._moved: Counter[Move] = Counter()
        self._found: dict[str, dict[str, _Found]] = {}
        self._linked: dict[str, set[str]] = {}
        """By loader, the ids that the entities which it made of rows are linked to."""
        self._fresh: dict[str, tuple[str, str]] = {}
        """Edition and revision of what was loaded with the present registry, by id."""
        self._preferred: dict[str, str] = {}
        """From id to edition: records of the same edition that were loaded again and say something else now."""
        self._replaced: dict[str, tuple[str, str]] = {}
        """Entities that a load made of a name which another entity has now: from id to that entity and the name."""
        self._ids = {one: other for one, other in registry.redirects.items() if other in registry.records}

    def written(self) -> Iterator[SegmentInfo]:
        """The segments of what moves, one for each edition."""
        self._made_things()
        for info in self._today():
            for record in read_segment(self._ledger.segments_folder, info):
                known = self._fresh.get(record["id"])
                # The rank of the ledger, so that a record counts as loaded again only by the revision that
                # wins.
                if known is None or known < (info.edition, record["revision"]):
                    self._fresh[record["id"]] = (info.edition, record["revision"])
        for info in self._old:
            self._look(info)
        moved = {one.edition for some in self._found.values() for one in some.values() if one.open_name is None}
        for edition in sorted({*moved, *self._preferred.values()}):
            # The segment of moves says again only what its edition said: a later edition of a load goes on to
            # win over it.
            made = write_segment(
                self._ledger.segments_folder,
                self._of(edition),
                origin=NAMES_ORIGIN,
                edition=edition + LATER,
                scope="partial",
                registry=self._registry.digest,
            )
            if made.records:
                yield made

    def _today(self) -> list[SegmentInfo]:
        """What was loaded with the present registry by a loader that has older segments too."""
        sources = {one.origin.partition("/")[0] for one in self._old}
        return [
            one
            for one in self._base.segments
            if one.registry == self._registry.digest and one.origin.partition("/")[0] in sources
        ]

    def told(self) -> tuple[Move, ...]:
        """The moves, each with its number of records."""
        return tuple(sorted(replace(move, records=count) for move, count in self._moved.items()))

    def waiting(self, rejected: Iterable[RejectedRecord]) -> tuple[Waiting, ...]:
        """The files to load again: for refused rows, and for claims that only their row could decide."""
        rows: Counter[tuple[str, str, str]] = Counter()
        names: dict[tuple[str, str, str], dict[str, None]] = {}
        for some in self._found.values():
            for one in some.values():
                if one.open_name is not None:
                    key = (one.source, one.file, one.edition)
                    rows[key] += 1
                    names.setdefault(key, {})[one.open_name] = None
        unsure = [Waiting(key[0], key[1], tuple(names[key]), rows[key], load_command(*key)) for key in sorted(rows)]
        return (*waiting_rows(rejected, self._resolver), *unsure)

    def _source(self, name: str) -> _RecordSource | None:
        """The mapping of a loader, where it is one of `loaders/`."""
        if name not in self._sources:
            try:
                self._sources[name] = _RecordSource(get_loader(self._content, name))
            except KgError:
                self._sources[name] = None
        return self._sources[name]

    def _made_things(self) -> None:
        """Find the entities that a load made of unknown names, where the names are known by now."""
        for info in self._old:
            source = self._source(info.origin.partition("/")[0])
            # Made things lie in segments of their own (`write_things`).
            if source is None or not info.origin.endswith("/things"):
                continue
            for record in read_segment(self._ledger.segments_folder, info):
                if record["record"] != "entity":
                    continue
                name, label = record["id"], record["label"]
                # A thing that is made of a row is linked to what the claims of the row are about: moved alone,
                # these would be parted from it.
                self._linked.setdefault(source.loader.name, set()).update(one for one in _texts(record) if "/" in one)
                if name in self._registry.records:
                    continue
                for rule in source.making:
                    if source.made_by(rule, label) == name:
                        now = self._decide(rule, label).id
                        if now is not None and now != name:
                            self._ids[name] = now
                            self._replaced[name] = (now, label)

    def _decide(self, rule: Resolved, name: str) -> _Decision:
        """What a name means in a column, where nothing of the row could decide otherwise."""
        known = self._decisions.get((id(rule), name))
        if known is None:
            known = self._decisions[id(rule), name] = self._decided(rule, name)
        return known

    def _decided(self, rule: Resolved, name: str) -> _Decision:
        for given, thing in rule.names.items():
            if name_key(given) == name_key(name):
                return _Decision(thing, frozenset({thing}))
        kind = rule.kind
        possible, asks = self._resolver.possible(kind, name)
        given_by_rows = {key for key, value in rule.context.items() if reference(value) or FILLED.search(str(value))}
        # the row could decide otherwise than the name alone, and rows are not kept: its file is listed instead
        if asks & given_by_rows:
            return _Decision(None, possible)
        fixed = {key: value for key, value in rule.context.items() if key not in given_by_rows}
        found = self._resolver.resolve(kind, name, fixed).id
        return _Decision(found, frozenset() if found is None else frozenset({found}))

    def _look(self, info: SegmentInfo) -> None:
        """Remember which records of a segment move, or may have to."""
        source = info.origin.partition("/")[0]
        for record in read_segment(self._ledger.segments_folder, info):
            if record["record"] == "rejected" or self._is_read_since(record, info.edition):
                continue
            subject, open_name = self._subject(record, source)
            mentions = self._mentions(record)
            if subject is None and open_name is None and not mentions:
                continue
            document = record.get("anchor", {}).get("document") if record["record"] == "claim" else None
            file = document or record.get("source") or info.origin
            known = self._found.setdefault(record["id"], {})
            before = known.get(record["revision"])
            if before is None or before.edition < info.edition:
                known[record["revision"]] = _Found(info.edition, source, file, None if mentions else open_name)

    def _is_read_since(self, record: CurrentRecord, edition: str) -> bool:
        """Whether a load with the registry of today holds the record in this edition or a later one: its names are right."""
        fresh = self._fresh.get(record["id"])
        if fresh is None or fresh[0] < edition:
            return False
        if fresh == (edition, record["revision"]) or fresh[0] > edition:
            return True
        # two revisions of one edition: rank alone could choose the old one, so that the fresh one is written once more
        self._preferred[record["id"]] = edition
        return True

    def _subject(self, record: CurrentRecord, source: str) -> tuple[str | None, str | None]:
        """The thing a claim is about now, by its printed name; or that name, where only the row could tell."""
        printed, subject = record.get("subject_printed"), record.get("subject")
        mapping = self._source(source) if printed else None
        if mapping is None or subject in self._ids:
            return None, None
        rule = mapping.subject_rule(record["id"])
        if rule is None:
            return None, None
        found = self._decide(rule, str(printed))
        # The subject may be what its row decided, or nothing has the name any more: both leave the claim where
        # it is.
        if subject in found.possible or not found.possible:
            return None, None
        if found.id is None or not self._same_level(str(subject), found.id) or subject in self._linked.get(source, ()):
            return None, str(printed)
        return found.id, None

    def _same_level(self, before: str, after: str) -> bool:
        """Whether the level of a claim holds for the other thing too; else its row has to be read again."""
        if before not in self._registry.records:
            return True
        one, other = (self._registry.records[name] for name in (before, after))
        return (one.get("level") or LEVEL_OF_KIND.get(one["kind"])) == (
            other.get("level") or LEVEL_OF_KIND.get(other["kind"])
        )

    def _mentions(self, record: CurrentRecord) -> bool:
        return bool(self._ids) and (record["id"] in self._replaced or any(one in self._ids for one in _texts(record)))

    def _of(self, edition: str) -> Iterator[LedgerRecord]:
        """The moved records of one edition that are current, and those that a later load of the edition corrected."""
        for info in self._today():
            for record in read_segment(self._ledger.segments_folder, info):
                preferred = self._preferred.get(record["id"]) == edition
                if preferred and self._fresh[record["id"]] == (edition, record["revision"]):
                    yield record
        for record in self._ledger.current(self._base):
            found = self._found.get(record["id"], {}).get(record["revision"])
            # where only the row could say which entity is meant, nothing is moved: the file is listed to be loaded again
            if found is not None and found.open_name is None and found.edition == edition:
                yield with_revision(self._as_moved(record, found.source))

    def _as_moved(self, record: CurrentRecord, source: str) -> CurrentRecord:
        """A record with the ids that its names mean now; each change is counted."""
        made: Json = {key: value for key, value in record.items() if key not in ("revision", "supersedes")}
        subject, _ = self._subject(record, source)
        if subject is not None:
            self._moved[Move(source, cast(ClaimRecord, record)["subject_printed"], made["subject"], subject, 0)] += 1
            made["subject"] = subject
        for one in sorted(set(_texts(made)) & self._ids.keys()):
            name = self._replaced[one][1] if one in self._replaced else "id given up"
            self._moved[Move(source, name, one, self._ids[one], 0)] += 1
        made = {key: value if key in _NO_NAMES else _replaced(value, self._ids) for key, value in made.items()}
        if record["id"] in self._replaced:
            now, label = self._replaced[record["id"]]
            made |= {"label": f"{label} (now {now})", "note": f"made by a load; the name is resolved to {now} since"}
        return cast(CurrentRecord, made)


def _texts(record: Mapping[str, object]) -> Iterator[str]:
    """The texts of a record that can be ids."""
    todo: list[Any] = [value for key, value in record.items() if key not in _NO_NAMES]
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)


def _replaced(value: object, ids: Mapping[str, str]) -> Any:
    """The value with every id that is another by now put in its place."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, dict):
        return {key: _replaced(one, ids) for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, ids) for one in value]
    return value
