"""Reads `seeds/citations/*.yaml`: the source links of a text, each with its place in the list and where it is cited.

Addresses are long and not ours to print: a link is kept as place, SHA-256 and where two addresses first differ (counted
from the start of the recorded part). With the document attached everything is computed again.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Annotated, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from kg.content.documents import Document
from kg.content.entities import Registry, UnknownEntity
from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes
from kg.model.source_links import CitationLinks, CitedLink

Text = Annotated[str, StringConstraints(min_length=1)]
Offset = Annotated[int, Field(ge=0)]


class LinkChanged(ContentError):
    """A document does not have a link as it is recorded."""

    code = "citation.link-changed"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Place(_Strict):
    at: Offset
    to: Offset
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]

    @model_validator(mode="after")
    def _ordered(self) -> "_Place":
        if self.at >= self.to:
            raise ValueError("at must lie before to")
        return self


class _Cited(_Place):
    first_difference: Offset | None = None
    equal_suffix: Offset | None = None


class _Link(_Strict):
    number: Annotated[int, Field(ge=1)]
    label: Text
    source: Text | None = None
    listed: _Place | None = None
    cited: list[_Cited] = []

    @model_validator(mode="after")
    def _differences(self) -> "_Link":
        if self.listed is None and not self.cited:
            raise ValueError("a link is listed or cited")
        for one in self.cited:
            differs = self.listed is not None and one.sha256 != self.listed.sha256
            if differs != (one.first_difference is not None) or differs != (one.equal_suffix is not None):
                raise ValueError(
                    "first_difference and equal_suffix stand where listed and cited differ, and only there"
                )
        return self


class _List(_Strict):
    source: Text
    document: Text
    links: list[_Link]


def read_citation_lists(
    content: Content, registry: Registry, documents: Mapping[str, Document] | None = None
) -> list[CitationLinks]:
    """The links of every text that has a file, sorted by source; mistakes of all files are collected before raising."""
    lists: list[CitationLinks] = []
    mistakes: list[KgError] = []
    for path in content.seed_files("citations"):
        shown = content.shown(path)
        located = read_located(path)
        try:
            read = _List.model_validate(located.value)
        except ValidationError as cause:
            mistakes.extend(from_pydantic(cause, path=shown, located=located))
            continue
        mistakes.extend(_check(read, registry, documents or {}, located, shown))
        lists.append({"source": read.source, "links": [_plain(link) for link in read.links]})
    Mistakes.raise_any(mistakes)
    return sorted(lists, key=lambda one: str(one["source"]))


def _plain(link: _Link) -> CitedLink:
    """The link as plain values, with start and end for the places."""
    value = link.model_dump(exclude_none=True)
    for place in (*([value["listed"]] if "listed" in value else []), *value["cited"]):
        place["start"], place["end"] = place.pop("at"), place.pop("to")
    return cast(CitedLink, value)


def _check(
    read: _List, registry: Registry, documents: Mapping[str, Document], located: Located, shown: str
) -> Iterator[KgError]:
    source = registry.records.get(read.source)
    if source is None:
        yield UnknownEntity(
            path=shown, line=located.line("source"), field="source", given=read.source, expected="the id of a source"
        )
        return
    document = documents.get(source.get("sha256", ""))
    for position, link in enumerate(read.links):
        line = located.line("links", position)
        if link.source is not None and link.source not in registry.records:
            yield UnknownEntity(path=shown, line=line, field="source", given=link.source, expected="the id of a source")
        if document is not None:
            for field, given, found in _differences(link, document.text):
                yield LinkChanged(path=shown, line=line, field=field, given=str(given), expected=str(found))


def _differences(link: _Link, text: str) -> Iterator[tuple[str, object, object]]:
    """What is recorded otherwise than the text has it: field, recorded, found."""
    for field, place in (("listed", link.listed), *(("cited", one) for one in link.cited)):
        if place is not None and (digest := sha256(text[place.at : place.to].encode()).hexdigest()) != place.sha256:
            yield f"{field}.sha256", place.sha256, digest
    for one in link.cited:
        if link.listed is not None and one.first_difference is not None:
            first, suffix = difference(text[link.listed.at : link.listed.to], text[one.at : one.to])
            if (first, suffix) != (one.first_difference, one.equal_suffix):
                yield "cited.first_difference", (one.first_difference, one.equal_suffix), (first, suffix)


def difference(one: str, other: str) -> tuple[int, int]:
    """Where two texts first differ, and how many characters at their ends are equal after that.

    >>> difference("abcXdef", "abcYYdef"), difference("ab=", "ab"), difference("aa", "aaa")
    ((3, 3), (2, 0), (2, 0))
    """
    shorter = min(len(one), len(other))
    first = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    # Not over what is equal at the beginning already: `aa` and `aaa` have two signs in common, not
    # four.
    suffix = next((n for n in range(shorter - first) if one[-1 - n] != other[-1 - n]), shorter - first)
    return first, suffix
