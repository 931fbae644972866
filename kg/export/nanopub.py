"""Nanopublications: each claim as four small named graphs under an address that holds their digest.

*Head* names the others; *assertion* is what is claimed; *provenance* says who says it, where it is printed, what it
repeats and how it was computed; *pubinfo* names the claim, its revision and the licence. There is no time of making: the
same claim gives the same address whenever it is written, and a new revision gives another.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Final, cast

from kg.export.rdf import batch_text
from kg.export.trusty import CODE, Literal, Quad, Term, artifact_code, without_code
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import PREFIXES, claim_iri, expand, thing_id, thing_iri
from kg.projection.triples import TripleWriter

BASE: Final = "https://w3id.org/accelkg/np/"
CREATOR: Final = "https://w3id.org/accelkg"
LICENCE: Final = "https://www.apache.org/licenses/LICENSE-2.0"
NP_PREFIXES: Final = {
    "np": "http://www.nanopub.org/nschema#",
    "npx": "http://purl.org/nanopub/x/",
    "pub": BASE,
    **PREFIXES,
}
# A blank stands where the code will: that is the form in which Trusty URIs are hashed, and no IRI
# holds one.
_OWN: Final = BASE + " "
_BATCH: Final = 128
# Meets `"a \"b\""` and `"1.5"^^<…#decimal>`; no language, which the writer of claims never gives.
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\^\^<([^>]*)>)?')
# Meets `\u00e9`, `\U0001F600` and `\n`.
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_SIGNS: Final = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_OF_PROVENANCE: Final = frozenset(
    expand(term)
    for term in (
        "prov:wasAttributedTo",
        "k:attributedInText",
        "k:relayedThrough",
        "k:pathText",
        "schema:appearance",
        "schema:datePublished",
        "k:datePublishedBasis",
        "k:anchoredAt",
        "k:restatement",
        "prov:wasGeneratedBy",
        "prov:wasQuotedFrom",
        "prov:wasDerivedFrom",
        "k:cue",
        "k:sameStatementAs",
        "skos:note",
    )
)
_OF_PUBINFO: Final = frozenset((expand("k:revision"), expand("prov:wasRevisionOf")))
_PARTS: Final = ("#restatement-", "#derivation-")
_PASSAGES: Final = thing_iri("passage/")
_TYPE, _NP = expand("rdf:type"), NP_PREFIXES["np"]


@dataclass(frozen=True, slots=True)
class CheckedNanopubs:
    """One nanopublication of a file: its address, the digest it should have, and the line where it begins."""

    address: str
    code: str
    expected: str
    claim: str | None
    statements: int
    line: int

    @property
    def is_whole(self) -> bool:
        """Whether the content is what the address promises."""
        return self.code == self.expected


def nanopub_quads(record: ClaimRecord) -> list[Quad]:
    """The statements of a claim, a blank where the code will stand; graph by graph, in order."""
    claim = claim_iri(record["id"])
    head, assertion, provenance, pubinfo = (f"{_OWN}#{name}" for name in ("Head", "assertion", "provenance", "pubinfo"))
    said: dict[str, list[Quad]] = {assertion: [], provenance: [], pubinfo: []}
    for line in TripleWriter().claim(record).split("\n")[:-1]:  # not splitlines: a literal may hold U+2028
        subject, term, value = _read(line)
        graph = assertion
        if (
            subject.startswith(_PASSAGES)
            or any(part in subject for part in _PARTS)
            or subject == claim
            and term in _OF_PROVENANCE
        ):
            graph = provenance
        elif subject == claim and term in _OF_PUBINFO:
            graph = pubinfo
        said[graph].append((graph, subject, term, value))
    quads: list[Quad] = [
        (head, _OWN, _TYPE, _NP + "Nanopublication"),
        (head, _OWN, _NP + "hasAssertion", assertion),
        (head, _OWN, _NP + "hasProvenance", provenance),
        (head, _OWN, _NP + "hasPublicationInfo", pubinfo),
        *said[assertion],
        (provenance, assertion, expand("prov:wasAttributedTo"), thing_iri(record["asserted_by"])),
        (provenance, assertion, expand("prov:hadPrimarySource"), thing_iri(record["source"])),
        *said[provenance],
        (pubinfo, _OWN, NP_PREFIXES["npx"] + "introduces", claim),
        (pubinfo, _OWN, expand("rdfs:label"), Literal(f"claim {record['id']}")),
        (pubinfo, _OWN, expand("dcterms:creator"), CREATOR),
        (pubinfo, _OWN, expand("dcterms:license"), LICENCE),
        *said[pubinfo],
    ]
    return list(dict.fromkeys(quads))


def nanopubs(records: Iterable[ClaimRecord]) -> Iterator[bytes]:
    """All claims of recorded forms as nanopublications, one after the other, in TriG."""
    yield "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in NP_PREFIXES.items()).encode()
    lines: list[str] = []
    for number, record in enumerate(records, 1):
        quads = nanopub_quads(record)
        own = BASE + artifact_code(quads)
        lines.extend(_written(quad, own) for quad in quads)
        if number % _BATCH == 0:
            yield batch_text("".join(lines), NP_PREFIXES)
            lines.clear()
    yield batch_text("".join(lines), NP_PREFIXES)


def _read(line: str) -> tuple[str, str, Term]:
    """The terms of a line of N-Triples text of ours."""
    subject, term, rest = line.split(" ", 2)
    return subject[1:-1], term[1:-1], _term(rest[:-2])


def _term(text: str) -> Term:
    if text.startswith("<"):
        return text[1:-1]
    found = _LITERAL.fullmatch(text)
    assert found is not None, text
    value, datatype = found.groups()
    if "\\" in value:
        value = _ESCAPE.sub(_unescaped, value)
    return Literal(value, datatype) if datatype else Literal(value)


def _unescaped(found: re.Match[str]) -> str:
    short, long, sign = found.groups()
    return chr(int(short or long, 16)) if short or long else _SIGNS[sign]


def _written(quad: Quad, own: str) -> str:
    from kg.projection.literals import quoted

    graph, subject, term, value = quad
    if isinstance(value, Literal):
        shown = quoted(value.text) + (f"^^<{value.datatype}>" if value.datatype != Literal("").datatype else "")
    else:
        shown = f"<{value.replace(_OWN, own)}>"
    return f"<{subject.replace(_OWN, own)}> <{term}> {shown} <{graph.replace(_OWN, own)}> .\n"


class Damaged(ValueError):
    """A file that cannot be read on from a line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def check_nanopubs(source: IO[bytes]) -> Iterator[CheckedNanopubs]:
    """Read a TriG file and compute every address again; one nanopublication is held at a time.

    A file that is no TriG raises `Damaged` with the line.
    """
    import pyoxigraph

    counted = _Lines(source)
    quads: list[Quad] = []
    own = ""
    try:
        for one in pyoxigraph.parse(cast(IO[bytes], counted), format=pyoxigraph.RdfFormat.TRIG):
            graph = str(getattr(one.graph_name, "value", ""))
            found = graph.partition("#")[0]
            if found != own and quads:
                yield _checked(own, quads, counted)
                quads = []
            own = found
            quads.append((graph, str(one.subject.value), one.predicate.value, _value(one.object)))
    except SyntaxError as cause:
        raise Damaged(cause.lineno or 1, str(cause)) from cause
    if quads:
        yield _checked(own, quads, counted)


def _value(term: Any) -> Term:
    if hasattr(term, "datatype"):
        return Literal(term.value, term.datatype.value, term.language)
    return str(getattr(term, "value", term))  # a triple in a triple has none: RDF 1.2, which no address is made of


def _checked(own: str, quads: list[Quad], lines: "_Lines") -> CheckedNanopubs:
    blank = [
        (without_code(g, own), without_code(s, own), p, o if isinstance(o, Literal) else without_code(o, own))
        for g, s, p, o in quads
    ]
    # 45 characters: `RA` with the 43 of a digest of 256 bits in Base64.
    code = own[-45:] if CODE.fullmatch(own[-45:]) else ""
    introduces = NP_PREFIXES["npx"] + "introduces"
    claims = [thing_id(o) for _, _, p, o in quads if p == introduces and not isinstance(o, Literal)]
    return CheckedNanopubs(own, code, artifact_code(blank), claims[0] if claims else None, len(quads), lines.first(own))


class _Lines:
    """A stream that remembers the first line of each address in what was read lately."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._line = 1
        self._rest = b""
        self._seen: dict[str, int] = {}

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        text = self._rest + data
        *lines, self._rest = text.split(b"\n")
        # The line is known from the code alone: the parser reads ahead, so that the line of a
        # statement is not known from it.
        for line in lines:
            for found in CODE.finditer(line.decode("utf-8", "replace")):
                self._seen.setdefault(found.group(), self._line)
            self._line += 1
        return data

    def first(self, address: str) -> int:
        """The first line that has the code of an address; it is forgotten then."""
        return self._seen.pop(address[-45:], self._line)
