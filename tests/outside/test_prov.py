"""What PROV says of the shipped records keeps the constraints of PROV (https://www.w3.org/TR/prov-constraints/), says ProvToolbox."""

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest

from kg.export.formats import export
from kg.model.vocabulary import expand
from kg.session import Graph
from tests.outside.programs import HERE, run_java

RELATIONS = {
    "prov:wasDerivedFrom": "wasDerivedFrom({}, {})",
    "prov:wasQuotedFrom": "wasDerivedFrom({}, {}, [prov:type='prov:Quotation'])",
    "prov:wasRevisionOf": "wasDerivedFrom({}, {}, [prov:type='prov:Revision'])",
    "prov:hadPrimarySource": "wasDerivedFrom({}, {}, [prov:type='prov:PrimarySource'])",
    "prov:wasAttributedTo": "wasAttributedTo({}, {})",
    "prov:wasGeneratedBy": "wasGeneratedBy({}, {}, -)",
    "prov:specializationOf": "specializationOf({}, {})",
}
PASSED_OVER = {"prov:qualifiedUsage", "prov:entity"}
"""Said together: a usage is one statement with activity and entity."""


class Notation:
    """PROV-N of triples; things are numbered, since a local name may not hold every sign of an IRI."""

    def __init__(self, store: pyoxigraph.Store) -> None:
        self.store = store
        self.names: dict[str, str] = {}

    def name(self, term: pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal | pyoxigraph.Triple) -> str:
        return self.names.setdefault(str(term), f"ex:n{len(self.names)}")

    def lines(self) -> Iterator[str]:
        yield "document\nprefix ex <http://example.org/>"
        activities: set[str] = set()
        agents: set[str] = set()
        entities: set[str] = set()
        for term, form in RELATIONS.items():
            for quad in self.store.quads_for_pattern(None, pyoxigraph.NamedNode(expand(term)), None, None):
                subject, value = self.name(quad.subject), self.name(quad.object)
                entities.add(subject)
                {"wasGeneratedBy": activities, "wasAttributedTo": agents}.get(term[5:], entities).add(value)
                yield form.format(subject, value)
        usage, used = (pyoxigraph.NamedNode(expand(one)) for one in ("prov:qualifiedUsage", "prov:entity"))
        for quad in self.store.quads_for_pattern(None, usage, None, None):
            assert not isinstance(quad.object, pyoxigraph.Literal)
            for inner in self.store.quads_for_pattern(quad.object, used, None, None):
                activities.add(self.name(quad.subject))
                entities.add(self.name(inner.object))
                yield f"used({self.name(quad.subject)}, {self.name(inner.object)}, -)"
        yield from (f"entity({one})" for one in sorted(entities))
        yield from (f"agent({one})" for one in sorted(agents))
        yield from (f"activity({one})" for one in sorted(activities))
        yield "endDocument"


def judged(path: Path) -> dict[str, int]:
    """What ProvToolbox counts in a file."""
    told = run_java("prov", str(HERE / "ValidateProv.java"), str(path), memory="3g")
    return {name: int(count) for name, count in (line.rsplit(" ", 1) for line in told.splitlines() if " " in line)}


@pytest.fixture
def notation(shipped: Graph, out: Path) -> Notation:
    export(shipped, "turtle", out / "all.ttl")
    store = pyoxigraph.Store()
    store.bulk_load(path=str(out / "all.ttl"), format=pyoxigraph.RdfFormat.TURTLE)
    return Notation(store)


def test_every_term_of_prov_that_is_written_is_judged(notation: Notation) -> None:
    prov = expand("prov:entity").removesuffix("entity")
    terms = {quad.predicate.value for quad in notation.store if quad.predicate.value.startswith(prov)}
    written = {f"prov:{term.removeprefix(prov)}" for term in terms}
    assert written and written <= {*RELATIONS, *PASSED_OVER}


@pytest.mark.long
def test_the_shipped_records_keep_the_constraints(notation: Notation, out: Path) -> None:
    lines = list(notation.lines())
    (out / "all.provn").write_text("\n".join(lines), encoding="utf-8")
    found = judged(out / "all.provn")
    assert found.pop("statements") == len(lines) - 2
    # Figures that were computed in two ways come into being at one moment for both: told, and allowed (PROV-CONSTRAINTS, 6.2)
    found.pop("cycles-of-moments")
    assert set(found.values()) == {0}, found


def test_the_judge_finds_what_is_wrong(out: Path) -> None:
    faulty = (
        "document\nprefix ex <http://example.org/>\nentity(ex:a)\nentity(ex:b)\nactivity(ex:b)\nwasDerivedFrom(ex:a, ex:b)\n"
        "wasDerivedFrom(ex:b, ex:a)\nspecializationOf(ex:a, ex:a)\nendDocument"
    )
    (out / "faulty.provn").write_text(faulty, encoding="utf-8")
    found = judged(out / "faulty.provn")
    assert found["cycles"] and found["type-overlaps"] and found["specialized-to-itself"]
