"""Turtle, TriG and N-Quads from pieces of N-Triples text, each with the named graph it belongs to.

Pieces are parsed and written in batches by the RDF library, so that memory does not grow; a batch ends between pieces,
and in TriG a graph that goes on in the next batch is opened again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kg.model.identifiers import ENTITY_KINDS, RECORD_KINDS
from kg.model.vocabulary import PREFIXES, claim_iri, thing_iri

if TYPE_CHECKING:
    from kg.ask.opened import Opened

Piece = tuple[str | None, str]
"""The name of a graph (None: the default graph) and the N-Triples text that belongs to it."""
BATCH: Final = 1 << 20
"""Characters of N-Triples text that are written at once."""
_PREFIX: Final = re.compile(r"[a-z][a-z0-9-]*")


def graph_iri(name: str) -> str:
    """The IRI of a named graph of ours.

    >>> graph_iri("claims/002")
    'https://w3id.org/accelkg/id/graph/claims/002'
    """
    return thing_iri(f"graph/{name}")


def readable_prefixes(graph: "Opened") -> dict[str, str]:
    r"""Prefixes under which ids need no escapes: one for each kind of id, and one for the claims of each source.

    A slash in a local name is escaped in Turtle: `id:accelerator\/nvidia-h200` is `accelerator:nvidia-h200` here.
    """
    made = kind_prefixes()
    for row in graph.ask("coverage/claims-per-source").dicts():
        made.update(claim_prefix(str(row["source"]).partition("/")[2]))
    return made


def kind_prefixes() -> dict[str, str]:
    """The prefixes of all vocabularies, and one for each kind of id."""
    made = dict(PREFIXES)
    for kind in (*ENTITY_KINDS, *RECORD_KINDS):
        made[f"id-{kind}" if kind in PREFIXES else kind] = thing_iri(f"{kind}/")
    return made


def claim_prefix(source: str) -> dict[str, str]:
    """The prefix for the claims of a source, if its name can be part of one.

    >>> claim_prefix("002"), claim_prefix("a b")
    ({'claim-002': 'https://w3id.org/accelkg/id/claim/002/'}, {})
    """
    return {f"claim-{source}": claim_iri(f"{source}/")} if _PREFIX.fullmatch(f"claim-{source}") else {}


def turtle(pieces: Iterable[Piece], prefixes: Mapping[str, str] = PREFIXES) -> Iterator[bytes]:
    r"""One graph in Turtle; what the pieces are named does not count.

    >>> text = "<https://w3id.org/accelkg/id/a> <http://www.w3.org/2004/02/skos/core#note> \"b\" .\n"
    >>> print(b"".join(turtle([(None, text)])).decode().splitlines()[-1])
    id:a skos:note "b" .
    """
    yield _header(prefixes)
    for batch in _batches((None, text) for _, text in pieces):
        yield batch_text(batch, prefixes)


def trig(pieces: Iterable[Piece], prefixes: Mapping[str, str] = PREFIXES) -> Iterator[bytes]:
    """Named graphs in TriG."""
    yield _header(prefixes)
    for batch in _batches(pieces):
        yield batch_text(batch, prefixes)


def nquads(pieces: Iterable[Piece]) -> Iterator[bytes]:
    """One quad a line; line breaks inside a literal are escaped in the text that comes in."""
    for name, text in pieces:
        yield _quads(name, text).encode()


def _quads(name: str | None, text: str) -> str:
    # No literal holds ` .` before a line end: line ends inside of literals are escaped.
    return text if name is None else text.replace(" .\n", f" <{graph_iri(name)}> .\n")


def _batches(pieces: Iterable[Piece]) -> Iterator[str]:
    buffer: list[str] = []
    size = 0
    for name, text in pieces:
        buffer.append(_quads(name, text))
        size += len(text)
        if size >= BATCH:
            yield "".join(buffer)
            buffer.clear()
            size = 0
    if buffer:
        yield "".join(buffer)


def _header(prefixes: Mapping[str, str]) -> bytes:
    return "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items()).encode()


def batch_text(batch: str, prefixes: Mapping[str, str]) -> bytes:
    """N-Quads text as TriG, without the prefixes at its top; Turtle is TriG with the default graph alone."""
    import pyoxigraph

    if not batch:
        return b""
    quads = pyoxigraph.parse(batch.encode(), format=pyoxigraph.RdfFormat.N_QUADS, lenient=True)
    text = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.TRIG, prefixes=dict(prefixes))
    assert text is not None
    return text[_header_length(text) :]


def _header_length(text: bytes) -> int:
    """Where the prefixes end: the library writes them one a line, in an order of its own."""
    at = 0
    while text.startswith(b"@prefix ", at):
        at = text.index(b"\n", at) + 1
    return at
