"""Reads `seeds/entities/*.yaml` into entity and source records."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from json import dumps
from typing import Any

from pydantic import ValidationError

from kg.content.folders import Content
from kg.content.located import read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes
from kg.model.names import name_key
from kg.model.record import Entity, Source, recorded_form

Json = dict[str, Any]


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
class Registry:
    """All entities and sources by id, in recorded form, and the redirects from ids that are no longer used."""

    records: Mapping[str, Json]
    redirects: Mapping[str, str]
    rules: tuple["ContextRule", ...] = ()
    """The rules of `patterns.yaml` as written; `kg.content.patterns` reads them when names are resolved."""

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
        wanted = name_key(identifier.partition("/")[2] or identifier)
        named = sorted(
            name
            for name, one in self.records.items()
            if wanted in {name_key(text) for text in (one["label"], *one.get("aliases", ()))}
        )
        close = named or get_close_matches(identifier, self.records, n=1, cutoff=0.8)
        return close[0] if close else None

    def sources(self) -> list[Json]:
        """The source records, sorted by id."""
        return [self.records[name] for name in sorted(self.records) if self.records[name]["record"] == "source"]


def _record(value: Json) -> Json:
    cls = Source if value.get("kind") in ("source", "unresolved-source") else Entity
    return recorded_form(cls.model_validate(value, strict=True))


def read_registry(content: Content) -> Registry:
    """Read every entity file; all mistakes of all files are collected."""
    records: dict[str, Json] = {}
    mistakes: list[KgError] = []
    places: dict[str, tuple[str, int]] = {}
    folder = content.seeds / "entities"
    redirects: dict[str, str] = {}
    rules: list[ContextRule] = []
    refused: set[str] = set()
    unread = False
    for path in sorted(folder.glob("*.yaml")):
        shown = path.relative_to(content.root).as_posix()
        if not path.read_bytes().strip():  # a file from which everything was taken back holds nothing
            continue
        try:
            located = read_located(path, shown=shown)
        except KgError as error:
            mistakes.extend(error.errors if isinstance(error, Mistakes) else [error])
            unread = True
            continue
        if path.name == "redirects.yaml":
            if isinstance(located.value, dict):
                redirects = {str(k): str(v) for k, v in located.value.items()}
            else:
                mistakes.append(
                    ContentError(
                        path=shown, line=1, given=type(located.value).__name__, expected="a mapping from old to new ids"
                    )
                )
            continue
        if not isinstance(located.value, list):
            mistakes.append(
                ContentError(path=shown, line=1, given=type(located.value).__name__, expected="a list of entities")
            )
            continue
        if path.name == "patterns.yaml":
            rules.extend(
                ContextRule(value, shown, located.line(position)) for position, value in enumerate(located.value)
            )
            continue
        for position, value in enumerate(located.value):
            line = located.line(position)
            if not isinstance(value, dict):
                mistakes.append(
                    ContentError(
                        path=shown, line=line, given=str(value)[:60], expected="a mapping with id, kind, label"
                    )
                )
                continue
            try:
                record = _record(value)
            except ValidationError as cause:
                name = str(value.get("id", f"[{position}]"))
                mistakes.extend(from_pydantic(cause, path=shown, located=located, key=(position,), prefix=f"{name}."))
                refused.add(name)
                continue
            if record["id"] in records:
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
            records[record["id"]], places[record["id"]] = record, (shown, line)
    if not unread:  # what an unreadable file holds is unknown, and a link to it is no mistake
        mistakes.extend(_dangling(records, places, refused))
        mistakes.extend(
            _bad_redirects(redirects, records, (folder / "redirects.yaml").relative_to(content.root).as_posix())
        )
    Mistakes.raise_any(mistakes)
    for old, new in sorted(redirects.items()):
        records[new]["formerly"] = [*records[new].get("formerly", ()), old]
    return Registry(records, redirects, tuple(rules))


def _bad_redirects(redirects: Mapping[str, str], records: Mapping[str, Json], shown: str) -> list[KgError]:
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


def _dangling(records: Mapping[str, Json], places: Mapping[str, tuple[str, int]], refused: set[str]) -> list[KgError]:
    registry = Registry(records, {})
    found: list[KgError] = []
    for name, record in records.items():
        path, line = places[name]
        given = [(key, record[key]) for key in _LINKS if record.get(key)]
        given += [("parts", part["part"]) for part in record.get("parts", ())]
        for key, value in given:
            for one in value if isinstance(value, list) else [value]:
                if one not in records and one not in refused:
                    near = registry.nearest(one)
                    found.append(
                        UnknownEntity(
                            path=path,
                            line=line,
                            field=f"{name}.{key}",
                            given=one,
                            expected="the id of a known entity",
                            next_step=f'Did you mean "{near}"?' if near else None,
                        )
                    )
    return found
