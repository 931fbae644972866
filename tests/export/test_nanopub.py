"""Nanopublications: the nanopub package finds them sound; a changed byte is found and placed."""

import re
from pathlib import Path
from typing import Any

import nanopub as untyped_nanopub
import pytest
import rdflib
from nanopub.trustyuri.rdf import RdfHasher

from kg.errors import KgError, Mistakes
from kg.export.formats import NanopubDamaged, check_nanopub_file, export
from kg.export.nanopub import BASE, nanopub_quads, nanopubs
from kg.export.trusty import Literal, artifact_code, without_code
from kg.ledger.ledger import Ledger, with_revision
from kg.model.recorded import ClaimRecord
from kg.session import Graph
from tests.small_content import claim

Nanopub: Any = untyped_nanopub.Nanopub  # type: ignore[attr-defined]


def nanopub_address(record: ClaimRecord) -> str:
    return BASE + artifact_code(nanopub_quads(record))


def by_address(path: Path) -> dict[str, rdflib.ConjunctiveGraph]:
    """Each nanopublication of a file in a graph of its own, as the package takes it."""
    whole = rdflib.Dataset()
    whole.parse(path, format="trig")
    found: dict[str, rdflib.ConjunctiveGraph] = {}
    for s, p, o, name in whole.quads():
        own = found.setdefault(str(name).partition("#")[0], rdflib.ConjunctiveGraph())
        own.get_context(name).add((s, p, o))
    return found


@pytest.fixture(scope="session")
def written(hostile: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("np") / "all.trig"
    export(hostile, "nanopub", path)
    return path


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_nanopub_package_finds_every_one_sound(written: Path, hostile: Graph) -> None:
    found = by_address(written)
    claims = [one for one in Ledger(hostile.folder / "ledger").current() if one["record"] == "claim"]
    assert set(found) == {nanopub_address(one) for one in claims}
    for address, data in found.items():
        one = Nanopub(rdf=data)
        assert one.is_valid
        assert one.has_valid_trusty
        assert one.source_uri == address
        assert min(map(len, (one.head, one.assertion, one.provenance, one.pubinfo))) >= 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_shipped_claims_are_sound_too(shipped: Graph, out: Path) -> None:
    records = [one for one in Ledger(shipped.folder / "ledger").current() if one["record"] == "claim"]
    (out / "some.trig").write_bytes(b"".join(nanopubs(records[::80])))
    found = by_address(out / "some.trig")
    assert len(found) == len(records[::80])
    assert all(Nanopub(rdf=data).has_valid_trusty for data in found.values())


def test_our_digest_is_that_of_the_package_for_literals_of_every_kind() -> None:
    own = "http://example.org/RA" + "x" * 43
    values = [
        rdflib.Literal("a\nb\\n \\ \t\r"),
        rdflib.Literal("a", lang="EN-gb"),
        rdflib.Literal("a", lang="de"),
        rdflib.Literal("é🚀"),
        rdflib.Literal("3", datatype=rdflib.XSD.integer),
        rdflib.Literal("3", datatype=rdflib.XSD.double),
        rdflib.Literal(""),
        rdflib.URIRef(own),
        rdflib.URIRef(own + "#g"),
        rdflib.URIRef("http://example.org/RA"),
        rdflib.URIRef("http://example.org/é"),
    ]
    theirs = [(rdflib.URIRef(own + "#g"), rdflib.URIRef(own), rdflib.URIRef("http://x/p"), one) for one in values]
    ours = [
        (
            without_code(own + "#g", own),
            without_code(own, own),
            "http://x/p",
            Literal(str(one), str(one.datatype or rdflib.XSD.string), one.language)
            if isinstance(one, rdflib.Literal)
            else without_code(str(one), own),
        )
        for one in values
    ]
    assert artifact_code(ours) == RdfHasher.make_hash(theirs, baseuri=own + "#", hashstr=" ")
    assert artifact_code(reversed(ours)) == artifact_code([*ours, *ours])


def test_our_check_agrees(written: Path, hostile: Graph) -> None:
    found = check_nanopub_file(written)
    assert all(one.is_whole for one in found)
    lines = written.read_text(encoding="utf-8").split("\n")
    assert all(one.code in lines[one.line - 1] for one in found)
    assert {one.claim for one in found} == {
        one["id"] for one in Ledger(hostile.folder / "ledger").current() if one["record"] == "claim"
    }


def flipped(path: Path, position: int, target: Path) -> Path:
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    target.write_bytes(data)
    return target


def test_any_changed_digit_or_letter_of_a_statement_is_found_where_it_is(written: Path, out: Path) -> None:
    data = written.read_bytes()
    start = data.index(b"id:claim\\/900\\/float")
    end = data.index(b"#Head {", start)
    lines = data[:start].count(b"\n") + 1
    places = [one.start() for one in re.finditer(rb'(?<=")[A-Za-z0-9]', data[start:end])]
    assert len(places) > 10
    for place in places:
        path = flipped(written, start + place, out / "flipped.trig")
        with pytest.raises(KgError) as caught:
            check_nanopub_file(path)
        errors = caught.value.errors if isinstance(caught.value, Mistakes) else (caught.value,)
        assert all(isinstance(one, NanopubDamaged) and one.path == str(path) for one in errors)
        assert errors[0].line is not None and abs(errors[0].line - lines) < 12
        assert "claim 900/float" in errors[0].message


def test_a_byte_that_breaks_the_syntax_is_found_by_its_line(written: Path, out: Path) -> None:
    data = written.read_bytes()
    position = data.index(b" {\n", len(data) // 2)
    path = flipped(written, position + 1, out / "broken.trig")
    with pytest.raises(KgError) as caught:
        check_nanopub_file(path)
    last = caught.value.errors[-1] if isinstance(caught.value, Mistakes) else caught.value
    assert last.line in (data[:position].count(b"\n") + 1, data[:position].count(b"\n") + 2)
    assert last.code == "export.nanopub"


def test_a_file_without_nanopublications_is_refused(out: Path) -> None:
    (out / "none.trig").write_text("<http://x/s> <http://x/p> <http://x/o> .\n", encoding="utf-8")
    (out / "empty.trig").write_bytes(b"")
    (out / "triple.trig").write_text(
        "<http://x/g> { <http://x/s> <http://x/p> <<( <http://x/a> <http://x/b> <http://x/c> )>> . }", encoding="utf-8"
    )
    for name in ("none.trig", "empty.trig", "triple.trig", "absent.trig"):
        with pytest.raises(NanopubDamaged):
            check_nanopub_file(out / name)


def test_another_revision_has_another_address_and_the_same_one_the_same() -> None:
    one: Any = with_revision(claim())
    other: Any = with_revision(claim(note="other"))
    reordered: Any = dict(reversed(one.items()))
    assert nanopub_address(one) == nanopub_address(reordered)
    assert nanopub_address(other) != nanopub_address(one)


def test_the_parts_hold_what_their_names_say() -> None:
    record: Any = with_revision(
        claim(conditions={"accelerators": 8}, restates=[{"source": "unresolved/other-report"}], path=["source/900"])
    )
    of: dict[str, set[str]] = {}
    for graph, _, term, _ in nanopub_quads(record):
        of.setdefault(graph.removeprefix(BASE + " #"), set()).add(term.rpartition("#")[2].rpartition("/")[2])
    assert {"subject", "quantity", "underConditions", "conditionAccelerators"} <= of["assertion"]
    assert {"wasAttributedTo", "appearance", "anchoredAt", "restatement", "start", "hadPrimarySource"} <= of[
        "provenance"
    ]
    assert {"introduces", "revision", "license"} <= of["pubinfo"]
    assert {"wasQuotedFrom", "wasDerivedFrom"} <= of["provenance"]
    moved = {
        "wasAttributedTo",
        "appearance",
        "anchoredAt",
        "restatement",
        "revision",
        "wasQuotedFrom",
        "wasDerivedFrom",
    }
    assert not of["assertion"] & moved
