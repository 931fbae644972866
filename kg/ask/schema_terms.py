"""The classes and properties of `ontology/accelkg.ttl` with label, definition and example, and the terms that a query names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from kg.model.vocabulary import PREFIXES
from kg.projection.view_gaps import left_out

if TYPE_CHECKING:
    from kg.content.folders import Content

TermKind = Literal["class", "property"]
_CLASSES: Final = frozenset({"owl:Class", "rdfs:Class"})
_PROPERTIES: Final = frozenset({"owl:ObjectProperty", "owl:DatatypeProperty", "rdf:Property", "owl:AnnotationProperty"})
# meets "k:Claim" and "rdfs:label"; not "<k:x>", nor a name with "k" behind another colon
_NAMED: Final = re.compile(r"(?<![\w:<?$])([a-z]+:[A-Za-z_][\w-]*)")
# texts in quotes, IRIs and comments, whose words name no term
_QUIET: Final = re.compile(r"\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|<[^<>\\s]*>|#[^\n]*")


_SHARED: Final = (
    ("k:judgement", ("k:severity", "k:code"), "of a finding: ?finding k:judgement/{term} ?value"),
    (
        "k:quantity",
        ("k:canonicalValue", "k:canonicalLower", "k:canonicalUpper"),
        "of a claim: ?claim k:quantity/{term} ?value",
    ),
    (
        "k:inSetting",
        ("k:ofTask", "k:ofModel", "k:ofScenario", "k:ofRound", "k:ofCategory", "k:ofDivision", "k:ofAvailability"),
        "of a derived row: ?row k:inSetting/{term} ?value",
    ),
    (
        "k:ofResult",
        ("k:ofAccelerator", "k:ofSubmitter", "k:ofEntry", "k:systemSize", "k:resultClaim"),
        "of a derived row: ?row k:ofResult/{term} ?value",
    ),
    ("k:role", ("k:claimInvolved", "k:roleName"), "of a finding: ?finding k:role/{term} ?value"),
)
"""What leads to a node that several records share in a store, the properties that stand on it, and how one gets to them
(decision 34). An export says them of each record."""


@dataclass(frozen=True, slots=True)
class SchemaTerm:
    """A term of the vocabulary; `domain` is the class that a property is of, `range` what it leads to."""

    name: str
    kind: TermKind
    label: str
    definition: str
    example: str | None
    domain: str | None
    range: str | None


def read_terms(content: Content) -> dict[str, SchemaTerm]:
    """The terms of accelkg itself by prefixed name, sorted; terms of other vocabularies are defined where they come from."""
    from pyoxigraph import Literal as Text
    from pyoxigraph import NamedNode, RdfFormat, parse

    found: dict[str, dict[str, list[str]]] = {}
    with (content.ontology / "accelkg.ttl").open("rb") as file:
        for quad in parse(file, RdfFormat.TURTLE):
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode | Text):
                cells = found.setdefault(short(quad.subject.value), {})
                value = short(quad.object.value) if isinstance(quad.object, NamedNode) else quad.object.value
                cells.setdefault(short(quad.predicate.value), []).append(value)
    terms = {}
    for name in sorted(found):
        cells, types = found[name], set(found[name].get("rdf:type", ()))
        if not name.startswith("k:") or not types & (_CLASSES | _PROPERTIES):
            continue
        terms[name] = SchemaTerm(
            name=name,
            kind="class" if types & _CLASSES else "property",
            label=next(iter(cells.get("rdfs:label", ())), name),
            definition=next(iter(cells.get("skos:definition", ())), ""),
            example=next(iter(cells.get("skos:example", ())), None),
            domain=next(iter(cells.get("rdfs:domain", ())), None),
            range=next(iter(cells.get("rdfs:range", ())), None),
        )
    return terms


def short(iri: str) -> str:
    """An IRI with its prefix, where one is known.

    >>> short("https://w3id.org/accelkg/ontology#Claim"), short("http://example.org/x")
    ('k:Claim', 'http://example.org/x')
    """
    fitting = [(len(base), prefix, base) for prefix, base in PREFIXES.items() if iri.startswith(base)]
    if not fitting:
        return iri
    _, prefix, base = max(fitting)
    return f"{prefix}:{iri.removeprefix(base)}"


def terms_in(text: str) -> tuple[str, ...]:
    """The terms of accelkg that a SPARQL query names, each once; texts, addresses and comments name none.

    >>> terms_in('SELECT ?c { ?c a k:Claim ; k:printed "k:x" } # k:y')
    ('k:Claim', 'k:printed')
    """
    return tuple(one for one in named_terms(text) if one.startswith("k:"))


def named_terms(text: str) -> tuple[str, ...]:
    """The prefixed names in a SPARQL query, of any vocabulary, each once.

    >>> named_terms("SELECT ?c { ?c rdfs:label ?l ; k:printed 'k:x' }")
    ('rdfs:label', 'k:printed')
    """
    return tuple(dict.fromkeys(_NAMED.findall(_QUIET.sub(" ", text))))


def unsaid_terms(text: str) -> list[str]:
    """A line for each term of a query that a store does not say, or not of every record, where an export does.

    >>> unsaid_terms("SELECT ?f { ?f a k:Finding }")
    ['k:Finding is no class that a store says: the property that leads to such a node does']
    """
    gaps = left_out()
    return [f"{term} {gaps[term]}" for term in named_terms(text) if term in gaps]


def shared_terms(text: str) -> list[str]:
    """A line for each property that a query asks of a node which several records share in a store, without the way to it.

    >>> shared_terms("SELECT ?f { ?f k:about ?c ; k:severity 'violation' }")
    ['k:severity stands on a node that records share in a store; of a finding: ?finding k:judgement/k:severity ?value']
    >>> shared_terms("SELECT ?f { ?f k:judgement/k:severity 'violation' }")
    []
    """
    named = terms_in(text)
    return [
        f"{term} stands on a node that records share in a store; {way.format(term=term)}"
        for link, terms, way in _SHARED
        if link not in named and "k:explanation" not in named
        for term in terms
        if term in named
    ]
