"""Reads `seeds/claims/*.yaml`: groups of claims that state once what they share, expanded into claim records.

`docs/curating.md` describes the form. What is looked at here is what no file shows alone: ids that are used twice, and
references between claims.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kg.content.claim_expander import Expander
from kg.content.claims_file import ClaimsFile, read_claims_file
from kg.content.documents import Document
from kg.content.entities import ContentConflict, DuplicateId, Registry, followed
from kg.content.folders import Content
from kg.content.soundness import cycle_mistakes
from kg.content.vocabulary import Vocabulary
from kg.errors import ContentError, KgError, Mistakes
from kg.model.recorded import ClaimRecord


def read_claims(
    content: Content, registry: Registry, vocabulary: Vocabulary, documents: Mapping[str, Document] | None = None
) -> list[ClaimRecord]:
    """All curated claims, sorted by id; all mistakes of all files are collected before raising."""
    return read_layered_claims(content, registry, vocabulary, documents)[0]


def read_layered_claims(
    content: Content, registry: Registry, vocabulary: Vocabulary, documents: Mapping[str, Document] | None = None
) -> tuple[list[ClaimRecord], tuple[ContentConflict, ...]]:
    """All curated claims, and the ids that one's own folder and the shipped content both use: what is shipped stands."""
    reader = _ClaimsReader(Expander(registry, vocabulary, documents or {}))
    for path in content.seed_files("claims"):
        reader.read(path, content.shown(path), is_own=content.is_own(path))
    Mistakes.raise_any(reader.all_mistakes())
    return [reader.claims[name] for name in sorted(reader.claims)], tuple(reader.conflicts)


@dataclass(slots=True)
class _ClaimsReader:
    """Reads files of claims one after the other, shipped ones first, and keeps every mistake."""

    expander: Expander
    claims: dict[str, ClaimRecord] = dataclasses.field(default_factory=dict)
    conflicts: list[ContentConflict] = dataclasses.field(default_factory=list)
    _places: dict[str, tuple[str, int]] = dataclasses.field(default_factory=dict)
    _shipped: set[str] = dataclasses.field(default_factory=set)
    _refused: set[str] = dataclasses.field(default_factory=set)
    _mistakes: list[KgError] = dataclasses.field(default_factory=list)
    _unread: bool = False

    def read(self, path: Path, shown: str, *, is_own: bool) -> None:
        """Read one file."""
        if is_own and not path.read_bytes().strip():  # a review may have taken everything back
            return
        try:
            file = read_claims_file(path, shown=shown)
        except KgError as error:
            self._mistakes.extend(error.errors if isinstance(error, Mistakes) else [error])
            self._unread = True
            return
        redirects = self.expander.registry.redirects
        for g, c, entry in file.entries():
            try:
                record = self.expander.claim(file, followed(entry, redirects) if is_own else entry)
            except KgError as cause:
                self._refuse(cause, file, shown, (g, c), entry)
                continue
            self._keep(record, shown, file.line(g, c), is_own=is_own)

    def _refuse(
        self, cause: KgError, file: ClaimsFile, shown: str, place: tuple[int, int], entry: Mapping[str, object]
    ) -> None:
        name = str(entry.get("id", f"groups[{place[0]}].claims[{place[1]}]"))
        for one in cause.errors if isinstance(cause, Mistakes) else [cause]:
            one.at(path=shown, line=file.line(*place, one.field))
            one.field = f"{name}.{one.field}" if one.field else name
            self._mistakes.append(one)
        self._refused.add(f"{file.source.split('/', 1)[-1]}/{entry.get('id')}")

    def _keep(self, record: ClaimRecord, shown: str, line: int, *, is_own: bool) -> None:
        identifier = record["id"]
        if is_own and identifier in self._shipped:
            self.conflicts.append(ContentConflict("claim", identifier, None, shown, line, identifier))
            return
        if identifier in self.claims:
            where, at = self._places[identifier]
            expected = f"an id not yet used ({where}:{at})"
            self._mistakes.append(DuplicateId(path=shown, line=line, field="id", given=identifier, expected=expected))
        self.claims[identifier], self._places[identifier] = record, (shown, line)
        if not is_own:
            self._shipped.add(identifier)

    def all_mistakes(self) -> list[KgError]:
        """The mistakes of all files, and of the links between their claims."""
        if self._unread:  # what an unreadable file holds is unknown, and a reference to it is no mistake
            return self._mistakes
        broken = _broken_references(self.claims, self._places, self._refused)
        return [*self._mistakes, *broken, *cycle_mistakes(self.claims, self._places)]


def _broken_references(
    claims: Mapping[str, ClaimRecord], places: Mapping[str, tuple[str, int]], refused: set[str]
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
