"""Reads `seeds/entities/*.yaml` into entity and source records."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ValidationError

from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes
from kg.model.names import KIND_OF_NAME, name_key
from kg.model.record import Entity, Source, recorded_form
from kg.model.recorded import ThingRecord
from kg.model.similar_names import similar_names

REDIRECTS: Final = "redirects.yaml"
ALIASES: Final = "aliases.yaml"
"""In a folder of one's own: further names of things that are described elsewhere, by id."""
_FORMS: Final[dict[str, tuple[type, str]]] = {
    REDIRECTS: (dict, "a mapping from old to new ids"),
    ALIASES: (dict, "a mapping from ids to lists of names"),
}


# All names are looked through for each id that is unknown, of which a folder may have thousands.
_key = lru_cache(maxsize=1 << 16)(name_key)


class UnknownEntity(ContentError):
    """A name that the registry does not hold."""

    code = "content.unknown-entity"


class DuplicateId(ContentError):
    """Two records have one id."""

    code = "content.duplicate-id"


@dataclass(frozen=True, slots=True)
class ContextRule:
    """One entry of `patterns.yaml`, not read yet, and where it stands."""

    value: Any
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class ContentConflict:
    """What a folder of one's own and the shipped content both claim; what is shipped stands until it is resolved.

    Of an id, of a claim (its id), or of a name: then `name` is the name and `shipped` the thing that has it.
    """

    kind: Literal["id", "claim", "name"]
    id: str
    name: str | None
    path: str
    line: int
    shipped: str


@dataclass(frozen=True, slots=True)
class Registry:
    """All entities and sources by id, in recorded form, and the redirects from ids that are no longer used."""

    records: Mapping[str, ThingRecord]
    redirects: Mapping[str, str]
    rules: tuple["ContextRule", ...] = ()
    """The rules of `patterns.yaml` as written; `kg.content.patterns` reads them when names are resolved."""
    conflicts: tuple[ContentConflict, ...] = ()
    """Ids and names that one's own folder and the shipped content both claim."""

    @property
    def digest(self) -> str:
        """A digest of everything that decides how names resolve."""
        decides = [sorted(self.records.items()), sorted(self.redirects.items()), [one.value for one in self.rules]]
        text = dumps(decides, sort_keys=True, ensure_ascii=False, default=str)
        return sha256(text.encode()).hexdigest()[:32]

    def label(self, identifier: str | None) -> str | None:
        """The preferred name of a thing."""
        known = self.records.get(identifier) if identifier else None
        return known["label"] if known else None

    def nearest(self, identifier: str) -> str | None:
        """The known id most like an unknown one."""
        wanted = _key(identifier.partition("/")[2] or identifier)
        named = sorted(
            name for name, one in self.records.items() if wanted in map(_key, (one["label"], *one.get("aliases", ())))
        )
        close = named or similar_names(identifier, self.records, most=1, likeness=0.8)
        return close[0] if close else None

    def texts(self) -> dict[str, str]:
        """The file names of the texts of sources, by SHA-256."""
        return {one["sha256"]: one["document"] for one in self.sources() if "sha256" in one and "document" in one}

    def sources(self) -> list[ThingRecord]:
        """The source records, sorted by id."""
        return [self.records[name] for name in sorted(self.records) if self.records[name]["record"] == "source"]


def _record(value: dict[str, object]) -> ThingRecord:
    cls: type[Entity | Source] = Source if value.get("kind") in ("source", "unresolved-source") else Entity
    return recorded_form(cls.model_validate(value, strict=True))


def read_registry(content: Content) -> Registry:
    """Read every entity file; all mistakes of all files are collected.

    Where one's own folder and the shipped content claim the same id or the same name for different things, what is
    shipped stands and `conflicts` says so: an update of the package breaks no folder.
    """
    reader = _RegistryReader(content)
    for path in content.seed_files("entities"):
        if path.read_bytes().strip():  # a file from which everything was taken back holds nothing
            reader.file(path)
    return reader.registry()


class _RegistryReader:
    """Collects the entities of all files, the shipped ones first, and the mistakes of all."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._records: dict[str, ThingRecord] = {}
        self._redirects: dict[str, str] = {}
        self._rules: list[ContextRule] = []
        self._places: dict[str, tuple[str, int]] = {}
        self._own: dict[str, tuple[str, int]] = {}
        self._own_aliases: list[tuple[str, list[str], str, int]] = []
        self._redirected_in = "seeds/entities/redirects.yaml"
        self._refused: set[str] = set()
        self._unread = False
        self._mistakes: list[KgError] = []
        self._conflicts: list[ContentConflict] = []

    def file(self, path: Path) -> None:
        """Take in one file."""
        shown = self._content.shown(path)
        try:
            located = read_located(path, shown=shown)
        except KgError as error:
            self._mistakes.extend(error.errors if isinstance(error, Mistakes) else [error])
            self._unread = True
            return
        wanted, expected = _FORMS.get(path.name, (list, "a list of entities"))
        is_sound: bool = isinstance(located.value, wanted)
        if not is_sound:
            given = type(located.value).__name__
            self._mistakes.append(ContentError(path=shown, line=1, given=given, expected=expected))
        elif path.name == REDIRECTS:
            self._redirects |= {str(k): str(v) for k, v in located.value.items()}
            self._redirected_in = shown
        elif path.name == ALIASES and self._content.is_own(path):
            self._aliases(located, shown)
        elif path.name == "patterns.yaml":
            self._rules.extend(ContextRule(value, shown, located.line(n)) for n, value in enumerate(located.value))
        else:
            is_own = self._content.is_own(path)
            for position, value in enumerate(located.value):
                self._entry(located, shown, position, value, is_own=is_own)

    def _aliases(self, located: Located, shown: str) -> None:
        for key, given in located.value.items():
            names = given if isinstance(given, list) else [given]
            if not all(isinstance(name, str) and name.strip() for name in names):
                self._mistakes.append(
                    ContentError(
                        path=shown,
                        line=located.line(key),
                        field=str(key),
                        given=str(given)[:60],
                        expected="a list of names",
                    )
                )
                continue
            self._own_aliases.append((str(key), names, shown, located.line(key)))

    def _entry(self, located: Located, shown: str, position: int, value: object, *, is_own: bool) -> None:
        line = located.line(position)
        if not isinstance(value, dict):
            self._mistakes.append(
                ContentError(path=shown, line=line, given=str(value)[:60], expected="a mapping with id, kind, label")
            )
            return
        try:
            record = _record(value)
        except ValidationError as cause:
            name = str(value.get("id", f"[{position}]"))
            self._mistakes.extend(from_pydantic(cause, path=shown, located=located, key=(position,), prefix=f"{name}."))
            self._refused.add(name)
            return
        name = record["id"]
        if is_own and name in self._records and name not in self._own:
            self._conflicts.append(ContentConflict("id", name, None, shown, line, name))
            return
        if name in self._records:
            where, at = self._places[name]
            self._mistakes.append(
                DuplicateId(
                    path=shown, line=line, field="id", given=name, expected=f"an id not yet used ({where}:{at})"
                )
            )
        self._records[name], self._places[name] = record, (shown, line)
        if is_own:
            self._own[name] = shown, line

    def registry(self) -> Registry:
        """What was read, if it holds together."""
        if self._own or self._own_aliases:
            self._lay_over()
        if not self._unread:  # what an unreadable file holds is unknown, and a link to it is no mistake
            self._mistakes.extend(_dangling(self._records, self._places, self._refused))
            self._mistakes.extend(_bad_redirects(self._redirects, self._records, self._redirected_in))
        Mistakes.raise_any(self._mistakes)
        # Only now: a record that another one redirects to may be in a file that is read later.
        for old, new in sorted(self._redirects.items()):
            self._records[new]["formerly"] = [*self._records[new].get("formerly", ()), old]
        return Registry(self._records, self._redirects, tuple(self._rules), tuple(self._conflicts))

    def _lay_over(self) -> None:
        """Names of one's own next to the shipped ones; a name that a shipped thing has is left to it."""
        holders: dict[str, set[str]] = defaultdict(set)
        for name, record in self._records.items():
            if record["record"] == "entity" and name not in self._own:
                for text in (record["label"], *record.get("aliases", ())):
                    holders[name_key(text)].add(name)
        for name, (shown, line) in self._own.items():
            self._records[name] = followed(self._records[name], self._redirects)
            self._own_names(name, shown, line, holders)
        for name, aliases, shown, line in self._own_aliases:
            self._more_names(name, aliases, (shown, line), holders)

    def _own_names(self, name: str, shown: str, line: int, holders: Mapping[str, set[str]]) -> None:
        record = self._records[name]
        if record["record"] != "entity":
            return
        taken = {text: self._taken(text, name, holders) for text in (record["label"], *record.get("aliases", ()))}
        for text, holder in taken.items():
            if holder is not None:
                self._conflicts.append(ContentConflict("name", name, text, shown, line, holder))
        if any(taken.values()):
            left = [text for text in record.get("aliases", ()) if taken[text] is None]
            # A thing must have a label: this one says where it is from.
            label = record["label"] if taken[record["label"]] is None else f"{record['label']} (own folder)"
            renamed = self._records[name] = record.copy()
            renamed["label"] = label
            renamed["aliases"] = left
            if not left:
                del renamed["aliases"]

    def _more_names(
        self, name: str, aliases: list[str], place: tuple[str, int], holders: Mapping[str, set[str]]
    ) -> None:
        name = self._redirects.get(name, name)
        record = self._records.get(name)
        if record is None or record["record"] != "entity":
            self._mistakes.append(
                UnknownEntity(path=place[0], line=place[1], field=name, given=name, expected="the id of a known entity")
            )
            return
        known = {name_key(text) for text in (record["label"], *record.get("aliases", ()))}
        new = []
        for text in aliases:
            holder = self._taken(text, name, holders)
            if holder is not None:
                self._conflicts.append(ContentConflict("name", name, text, *place, holder))
            elif name_key(text) not in known:
                new.append(text)
        if new:
            self._records[name] = {**record, "aliases": [*record.get("aliases", ()), *new]}

    def _taken(self, text: str, name: str, holders: Mapping[str, set[str]]) -> str | None:
        """The shipped thing of a like kind that has a name, if another one has it."""
        kind = self._records[name]["kind"]
        return next(
            (
                one
                for one in sorted(holders.get(name_key(text), ()))
                if one != name and _are_alike(kind, self._records[one]["kind"])
            ),
            None,
        )


def followed(value: object, redirects: Mapping[str, str]) -> Any:
    """A value of one's own folder in which ids that the shipped content gave up are those that it uses now.

    >>> followed({"of": ["accelerator/old"], "at": 3}, {"accelerator/old": "accelerator/new"})
    {'of': ['accelerator/new'], 'at': 3}
    """
    if isinstance(value, str):
        return redirects.get(value, value)
    if isinstance(value, list):
        return [followed(one, redirects) for one in value]
    if isinstance(value, dict):
        return {key: followed(one, redirects) for key, one in value.items()}
    return value


def _are_alike(kind: str, other: str) -> bool:
    """Whether one printed name could mean things of both kinds.

    >>> _are_alike("accelerator", "superchip"), _are_alike("cpu", "accelerator")
    (True, False)
    """
    return kind == other or any(kind in kinds and other in kinds for kinds in KIND_OF_NAME.values())


def _bad_redirects(redirects: Mapping[str, str], records: Mapping[str, ThingRecord], shown: str) -> list[KgError]:
    """Redirects of an id that is in use, and redirects to nothing."""
    return [
        UnknownEntity(
            path=shown, field=old, given=new, expected="an id that is no longer used, and the id of a known entity"
        )
        for old, new in redirects.items()
        if old in records or new not in records
    ]


_LINKS = (
    "maker",
    "member_of",
    "variant_of",
    "accelerator_inside",
    "of",
    "operator",
    "suite",
    "model",
    "publisher",
    "written_by",
    "resolved_to",
    "not_to_be_confused_with",
    "cites",
    "source",
    "credited_to",
)


def _dangling(
    records: Mapping[str, ThingRecord], places: Mapping[str, tuple[str, int]], refused: set[str]
) -> list[KgError]:
    registry = Registry(records, {})
    found: list[KgError] = []
    for name, record in records.items():
        path, line = places[name]
        fields: Mapping[str, object] = record
        given = [(key, value) for key in _LINKS if (value := fields.get(key))]
        given += [("parts", part["part"]) for part in record.get("parts", ())]
        for key, value in given:
            for one in value if isinstance(value, list) else [value]:
                if one not in records and one not in refused:
                    near = registry.nearest(str(one))
                    found.append(
                        UnknownEntity(
                            path=path,
                            line=line,
                            field=f"{name}.{key}",
                            given=str(one),
                            expected="the id of a known entity",
                            next_step=f'Did you mean "{near}"?' if near else None,
                        )
                    )
    return found
