"""JSON-LD: the same triples as the Turtle form, one node object a line, below a context of our prefixes and terms.

The context comes from the declarations next to the fields: it says which terms lead to other nodes and which hold
numbers, so that most values are plain JSON texts. Numbers stay texts, as they were written.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from json import dumps
from typing import Any, Final

from kg.export.rdf import BATCH, Piece
from kg.model.chunks import in_pieces
from kg.model.kinds import KINDS
from kg.model.vocabulary import CONDITION_NAMES, PREFIXES, THINGS, expand
from kg.projection.declared_terms import terms_of
from kg.projection.triples import condition_term

_SHARED: Final = (
    "dcterms:hasPart",
    "oa:hasSelector",
    "oa:hasSource",
    "prov:specializationOf",
    "k:judgement",
)
"""Terms that lead from nodes which records share, or join a whole with a part."""
_UNDECLARED: Final = (
    *("rdfs:label", "skos:note", "skos:definition", "skos:example", "owl:imports", "prov:wasDerivedFrom"),
    *("prov:wasQuotedFrom", "spdx:algorithm", "spdx:checksum", "spdx:checksumValue", "k:alternativesText"),
    *("k:conditionsText", "k:inputName", "k:kindName", "k:pathText", "k:recordedForm", "k:revision"),
    *(condition_term(name) for name in sorted(CONDITION_NAMES)),
    *(f"{condition_term(name)}Status" for name in sorted(CONDITION_NAMES)),
)
"""Terms that no field declares."""
KEYWORDS: Final = {"@id": "id", "@type": "type"}
_THING: Final = "thing"
"""The prefix of our ids here: `id` is the keyword."""
# Meets `accelerator/nvidia-h200` and `source/002#x`; not `unit/%` and not `a:b`, which reads as a
# prefix.
_PLAIN: Final = re.compile(r"[A-Za-z0-9][\w.~#/-]*", re.ASCII)
_STRING: Final = expand("xsd:string")


@cache
def coercions() -> dict[str, str]:
    """From a prefixed term to what its values are: `@id` or a datatype. A term that is both is in neither."""
    found: dict[str, set[str]] = {term: {"@id"} for term in _SHARED}
    for kind in KINDS:
        for term, datatype in terms_of(kind.record):
            found.setdefault(term, set()).add(datatype)
    return {term: kinds.pop() for term, kinds in sorted(found.items()) if len(kinds) == 1 and "" not in kinds}


@cache
def plain_keys() -> dict[str, str]:
    """From a prefixed term to the short word of the context: its local name, where only one of our terms has that name."""
    known = {*_SHARED, *_UNDECLARED, *(term for kind in KINDS for term, _ in terms_of(kind.record))}
    words: dict[str, list[str]] = {}
    for term in sorted(known):
        words.setdefault(term.partition(":")[2], []).append(term)
    # A term must not be a word of the context already: a prefix, `id`, `type`.
    taken = {*PREFIXES, *KEYWORDS.values(), _THING}
    return {terms[0]: word for word, terms in words.items() if word and len(terms) == 1 and word not in taken}


def context() -> dict[str, Any]:
    """The context of the file: prefixes, and a plain word for each term, with its type where it has one."""
    kinds, words = coercions(), plain_keys()
    terms = {
        words.get(term, term): {"@id": term, "@type": kinds[term]} if term in kinds else {"@id": term}
        for term in sorted({*kinds, *words})
    }
    prefixes = {_THING if iri == THINGS else name: {"@id": iri, "@prefix": True} for name, iri in PREFIXES.items()}
    return {
        "@version": 1.1,
        "@base": THINGS,
        **{word: keyword for keyword, word in KEYWORDS.items()},
        **prefixes,
        **terms,
    }


def jsonld(pieces: Iterable[Piece]) -> Iterator[bytes]:
    r"""One document; nodes in the order in which they are first spoken of, in a piece of several records one by one.

    >>> text = "<https://w3id.org/accelkg/id/a> <http://www.w3.org/2004/02/skos/core#note> \"b\" .\n"
    >>> print(b"".join(jsonld([(None, text)])).decode().splitlines()[-2])
    {"id":"a","note":"b"}
    """
    yield b'{"@context":' + dumps(context(), ensure_ascii=False, separators=(",", ":")).encode() + b',\n"@graph":[\n'
    first = True
    for batch in in_pieces((text for _, text in pieces), BATCH):
        lines = ",\n".join(_nodes(batch))
        if lines:
            yield (lines if first else ",\n" + lines).encode()
            first = False
    yield b"\n]}\n"


def _nodes(batch: str) -> Iterator[str]:
    """The node objects of a batch of N-Triples text."""
    import orjson
    import pyoxigraph

    coerced, words = coercions(), plain_keys()
    short: dict[str, str] = {}

    def iri(value: str) -> str:
        known = short.get(value)
        if known is None:
            known = short[value] = shortened(value)
        return known

    nodes: dict[str, dict[str, Any]] = {}
    for quad in pyoxigraph.parse(batch.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True):
        subject, term, value = iri(quad.subject.value), iri(quad.predicate.value), quad.object
        node = nodes.get(subject)
        if node is None:
            node = nodes[subject] = {"id": subject}
        shown: str | dict[str, str]
        kind = coerced.get(term)
        if isinstance(value, pyoxigraph.Literal):
            shown = _literal(value.value, value.datatype.value, iri(value.datatype.value), kind)
        else:
            shown = iri(value.value)
            if term == "rdf:type":
                term = "type"
            elif kind != "@id":
                shown = {"id": shown}
        _put(node, words.get(term, term), shown)
    for node in nodes.values():
        yield orjson.dumps(node).decode()


def _literal(text: str, datatype: str, named: str, kind: str | None) -> str | dict[str, str]:
    """A literal as the context reads it: bare where the context gives its datatype, else with it."""
    if datatype == _STRING:
        return text if kind is None else {"@value": text}
    return text if kind == named else {"@value": text, "@type": named}


def _put(node: dict[str, Any], term: str, shown: str | dict[str, str]) -> None:
    """Add a value, each once; a list only where there are several."""
    held = node.get(term)
    if held is None:
        node[term] = shown
    elif not isinstance(held, list):
        if held != shown:
            node[term] = [held, shown]
    elif shown not in held:
        held.append(shown)


def shortened(iri: str) -> str:
    """An IRI with one of our prefixes where it has one; ids of ours stand bare, below the base of the file.

    >>> shortened("https://w3id.org/accelkg/ontology#Claim"), shortened("urn:x")
    ('k:Claim', 'urn:x')
    >>> shortened("https://w3id.org/accelkg/id/accelerator/nvidia-h200")
    'accelerator/nvidia-h200'
    """
    # JSON-LD does not take `k://x` for a prefixed name: what begins with `//` behind a colon is an
    # IRI of its own.
    for name, start in _BY_LENGTH:
        if iri.startswith(start) and not iri.startswith("//", len(start)):
            local = iri[len(start) :]
            if start != THINGS:
                return f"{name}:{local}"
            # Processors check a relative reference more strictly than a prefixed name: `unit/%` stands only as the latter.
            return local if _PLAIN.fullmatch(local) else f"{_THING}:{local}"
    return iri


# The longest first: one prefix may begin as another does.
_BY_LENGTH: Final = sorted(PREFIXES.items(), key=lambda one: -len(one[1]))
