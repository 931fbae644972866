"""The vocabulary itself, whose IRIs the data names: its classes and properties as one file, its words and units one by one."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyoxigraph
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat

from kg.model.vocabulary import ONTOLOGY, PREFIXES, expand, thing_iri

if TYPE_CHECKING:
    from kg.content.folders import Content

_FILES: Final = {
    "concept": "concepts.ttl",
    "scheme": "concepts.ttl",
    "unit": "measures.nt",
    "quantity-kind": "measures.nt",
}
"""Where the vocabulary describes what a store only names, by what ids begin with: words of closed lists, the lists, units."""


def vocabulary_text(content: Content, media_type: str, *, version: str | None = None) -> bytes | None:
    """The classes and properties in a media type; None where another version was asked for than the one that is here."""
    quads = _quads(*_file(content, "accelkg.ttl"))
    stated = Quad(NamedNode(ONTOLOGY.removesuffix("#")), NamedNode(expand("owl:versionInfo")), Literal(version or ""))
    return _written(quads, media_type) if version is None or stated in quads else None


def is_described(content: Content, name: str) -> bool:
    """Whether the vocabulary describes an id: a word of a closed list, a list, a unit or a kind of quantity."""
    return any(_about(content, name))


def vocabulary_description(content: Content, name: str, media_type: str) -> bytes:
    """What is said of a word or a unit, and of a list or a kind with what is in it."""
    return _written(_about(content, name), media_type)


def _about(content: Content, name: str) -> list[Quad]:
    file = _FILES.get(name.partition("/")[0])
    if file is None:
        return []
    iri = NamedNode(thing_iri(name))
    return [one for one in _quads(*_file(content, file)) if iri in (one.subject, one.object)]


def _file(content: Content, name: str) -> tuple[Path, int]:
    """A file with the time of its last change, by which what was read of it holds or not."""
    path = content.ontology / name
    return path, path.stat().st_mtime_ns


@lru_cache(maxsize=4)
def _quads(path: Path, _changed: int) -> tuple[Quad, ...]:
    return tuple(pyoxigraph.parse(path=str(path)))


def _written(quads: tuple[Quad, ...] | list[Quad], media_type: str) -> bytes:
    form = RdfFormat.from_media_type(media_type)
    triples = (one.triple for one in quads)
    made = pyoxigraph.serialize(triples, format=form, prefixes=dict(PREFIXES))
    assert made is not None
    return made
