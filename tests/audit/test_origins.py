"""Origins against mentions: one case a file, the laws of copies, and what is known of the documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.chains import Texts
from kg.audit.disjoint_sets import DisjointSets
from kg.audit.echoes import CROWDED, Mention, mention
from kg.audit.origins import Echoes, echo_records
from kg.model.derived import Deriver
from kg.model.units import UnitTable
from kg.projection.derived import derived_lines
from tests.audit.seeds import CHECKOUT, claim, seeds
from tests.sampling import generated

CASES = sorted((CHECKOUT / "tests" / "cases" / "origins").glob("*.yaml"))
SOURCES: Any = {
    "source/human": {"kind": "source"},
    "source/machine": {"kind": "source", "machine_written": "yes"},
    "unresolved/u": {"kind": "unresolved-source"},
    "unresolved/h": {"kind": "unresolved-source", "resolved_to": "source/human"},
}
TEXTS = Texts(SOURCES, frozenset(("org/agent",)))


def echoes_of(claims: dict[str, Any], texts: Texts, deriver: Deriver) -> Echoes:
    keys = {name: deriver.keys(record) for name, record in claims.items()}
    return Echoes.of(
        mention(record, keys[name].statement, keys[name].canonical, texts) for name, record in claims.items()
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_counts(path: Path, table: UnitTable) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    claims = {name: claim(name, **fields) for name, fields in case["claims"].items()}
    echoes = echoes_of(claims, Texts(case["sources"], frozenset(case["agents"])), Deriver(table))
    for name, expect in case["expect"].items():
        found = echoes.origins_of(name)
        assert (found.mentions, found.origins, list(found.ends), list(found.first)) == tuple(expect.values()), name
    if "clusters" in case:
        assert [list(names) for names in echoes.sets().values()] == case["clusters"]


@st.composite
def ledgers(draw: st.DrawFn) -> list[Mention]:
    """Some mentions of few statements, in few texts, that relay earlier and later ones."""
    size = draw(st.integers(1, 7))
    found = []
    for n in range(size):
        relays = draw(st.lists(st.sampled_from([m for m in range(size) if m != n] or [size]), max_size=2, unique=True))
        record = claim(
            f"x/{n}",
            subject=draw(st.sampled_from(["accelerator/x", "accelerator/y"])),
            source=draw(st.sampled_from(["source/human", "source/machine"])),
            asserted_by=draw(st.sampled_from(["org/a", "org/b", "org/agent"])),
            conditions=draw(st.dictionaries(st.just("model"), st.sampled_from(["m", "n"]))),
            restates=[{"claim": f"x/{m}"} for m in relays]
            + draw(st.sampled_from([[], [{"source": "unresolved/u"}], [{"source": "unresolved/h"}]])),
        )
        found.append(copy_of(mention(record, record["subject"], None, TEXTS), value=("v", draw(st.integers(1, 2)))))
    return found


def copy_of(one: Mention, **changed: Any) -> Mention:
    return Mention(**{**{name: getattr(one, name) for name in Mention.__slots__}, **changed})


@generated(ledgers(), st.data(), few=20)
def test_adding_copies_never_raises_the_number_of_origins(ledger: list[Mention], data: st.DataObject) -> None:
    before = Echoes.of(ledger)
    copies: list[Mention] = []
    for n in range(data.draw(st.integers(1, 4))):
        one = data.draw(st.sampled_from([*ledger, *copies]))
        kind = data.draw(st.sampled_from(["twice in one text", "relayed", "relayed and altered"]))
        if kind == "twice in one text":
            copies.append(copy_of(one, claim=f"copy/{n}"))
        else:
            value = ("v", data.draw(st.integers(1, 3))) if kind == "relayed and altered" else one.value
            copies.append(
                copy_of(
                    one,
                    claim=f"copy/{n}",
                    relays=(one.claim,),
                    texts=("source/new",),
                    voice="org/new",
                    value=value,
                    end="primary",
                )
            )
    after = Echoes.of([*ledger, *copies])
    for one in ledger:
        was, now = before.origins_of(one.claim), after.origins_of(one.claim)
        assert now.origins <= was.origins
        assert now.mentions >= was.mentions


@generated(ledgers(), st.randoms(), few=20)
def test_the_counts_do_not_depend_on_the_order(ledger: list[Mention], random: Any) -> None:
    shuffled = list(ledger)
    random.shuffle(shuffled)
    one, other = Echoes.of(ledger), Echoes.of(shuffled)
    assert [one.origins_of(each.claim) for each in ledger] == [other.origins_of(each.claim) for each in ledger]


@generated(ledgers(), few=20)
def test_counts_are_within_their_bounds(ledger: list[Mention]) -> None:
    echoes = Echoes.of(ledger)
    for one in ledger:
        found = echoes.origins_of(one.claim)
        assert 0 <= found.origins <= len(found.first) <= found.mentions == len(found.members)
        assert one.claim in found.members and set(found.first) <= set(found.members)
        assert found.ends


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), max_size=12))
def test_joined_names_have_the_smallest_as_root(pairs: list[tuple[str, str]]) -> None:
    joined = DisjointSets[str]()
    groups = {name: {name} for name in "abcdefg"}
    for one, other in pairs:
        joined.join(one, other)
        both = groups[one] | groups[other]
        groups.update(dict.fromkeys(both, both))
    assert {name: joined.find(name) for name in groups} == {name: min(group) for name, group in groups.items()}
    assert joined.sets() == {min(group): tuple(sorted(group)) for group in groups.values() if len(group) > 1}


def test_a_crowd_of_conditions_is_compared_as_equal_only() -> None:
    plain = mention(claim("x/0", source="source/human"), "s", None, TEXTS)
    crowd = [
        copy_of(plain, claim=f"x/{n}", value=("v",), conditions={"batch": n}, texts=(f"source/{n}",), voice=None)
        for n in range(CROWDED + 1)
    ]
    bare = copy_of(crowd[0], claim="x/bare", conditions={}, texts=("source/bare",))
    assert Echoes.of([*crowd[:-1], bare]).origins_of("x/bare").mentions == 1
    assert Echoes.of([*crowd[:-2], bare]).origins_of("x/bare").mentions == CROWDED


def test_the_passage_of_semianalysis_is_one_origin() -> None:
    given_seeds = seeds()
    echoes = echoes_of(given_seeds.claims, given_seeds.texts, given_seeds.deriver)
    for name in (one for one in given_seeds.claims if one.startswith("000/frontier.")):
        found = echoes.origins_of(name)
        assert found.origins == 1 and found.mentions >= 2 and found.ends == ("primary",)
        assert all(one.startswith("001/") for one in found.first)
        (upstream,) = (link["claim"] for link in given_seeds.claims[name]["restates"] if "claim" in link)
        assert echoes.cluster(upstream) == found.cluster


def test_known_counts_of_the_documents() -> None:
    given_seeds = seeds()
    echoes = echoes_of(given_seeds.claims, given_seeds.texts, given_seeds.deriver)
    counts = {
        name: echoes.origins_of(name)
        for name in ("000/mistral.heading", "004/capacity.h200", "004/bandwidth.h200", "003/nvl72.gpus")
    }
    assert {name: (one.mentions >= 2, one.origins) for name, one in counts.items()} == {
        "000/mistral.heading": (True, 1),
        "004/capacity.h200": (True, 0),
        "004/bandwidth.h200": (True, 1),
        "003/nvl72.gpus": (True, 2),
    }


def test_clusters_and_counts_are_written(table: UnitTable) -> None:
    claims = {
        "x/a": claim("x/a"),
        "x/b": claim("x/b", restates=[{"claim": "x/a"}]),
        "x/c": claim("x/c", subject="accelerator/y"),
    }
    text = "".join(derived_lines(echo_records(echoes_of(claims, TEXTS, Deriver(table)))))
    lines = [
        line.replace("https://w3id.org/accelkg/", "").replace("http://www.w3.org/2001/XMLSchema#", "")
        for line in text.splitlines()
    ]
    cluster, first, second = "<id/echo/x/a>", "<id/claim/x/a>", "<id/claim/x/b>"
    assert lines == [
        f"{cluster} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <ontology#EchoCluster> .",
        f"{cluster} <ontology#echoOf> {first} .",
        f'{cluster} <ontology#mentions> "2"^^<integer> .',
        f'{cluster} <ontology#origins> "1"^^<integer> .',
        f"{first} <ontology#inCluster> {cluster} .",
        f"{second} <ontology#inCluster> {cluster} .",
        f'{first} <ontology#mentions> "2"^^<integer> .',
        f'{first} <ontology#origins> "1"^^<integer> .',
        f'{first} <ontology#endState> "primary" .',
        f'{second} <ontology#mentions> "2"^^<integer> .',
        f'{second} <ontology#origins> "1"^^<integer> .',
        f'{second} <ontology#endState> "primary" .',
    ]


def test_what_is_repeated_is_what_has_a_copy_or_is_said_elsewhere(table: UnitTable) -> None:
    figure = {"printed": "7", "value": 7, "unit": "W"}
    claims = {
        "x/copied": claim("x/copied", subject="accelerator/a"),
        "x/copy": claim("x/copy", restates=[{"claim": "x/copied"}]),
        "x/said": claim("x/said", metric="power", quantity=figure, source="source/human"),
        "x/again": claim("x/again", metric="power", quantity=figure, source="source/other", asserted_by="org/two"),
        "x/alone": claim("x/alone", metric="power", quantity={**figure, "printed": "8", "value": 8}),
    }
    echoes = echoes_of(claims, TEXTS, Deriver(table))
    assert [one.claim for one in echoes.repeated()] == ["x/copied", "x/copy", "x/said", "x/again"]
    assert list(echoes.sets().values()) == [("x/copied", "x/copy")]


def test_a_cluster_echoes_its_origin_not_its_first_name(table: UnitTable) -> None:
    claims = {"x/a": claim("x/a", restates=[{"claim": "x/b"}]), "x/b": claim("x/b"), "x/c": claim("x/c", same_as="x/b")}
    text = "".join(derived_lines(echo_records(echoes_of(claims, TEXTS, Deriver(table)))))
    assert "id/echo/x/a> <https://w3id.org/accelkg/ontology#echoOf> <https://w3id.org/accelkg/id/claim/x/b> ." in text


def test_a_cluster_echoes_what_is_first_in_time_and_then_in_the_text(table: UnitTable) -> None:
    figure = {"printed": "7", "value": 7, "unit": "W"}

    def said(name: str, source: str, start: int) -> Any:
        anchor = {"document": source, "start": start, "end": start + 1}
        return claim(name, metric="power", quantity=figure, source=source, asserted_by="org/one", anchor=anchor)

    dates = {"source/later": "2025-09-01", "source/earlier": "2025-08-01", "source/undated": None}
    sources: Any = {name: {"id": name, "kind": "source", "published": day} for name, day in dates.items()}
    texts = Texts(sources)
    places = [
        ("x/a", "source/undated", 1),
        ("x/b", "source/later", 2),
        ("x/c", "source/earlier", 30),
        ("x/d", "source/earlier", 4),
    ]
    while places:
        claims = {name: said(name, source, start) for name, source, start in places}
        clusters = [one for one in echo_records(echoes_of(claims, texts, Deriver(table))) if one["record"] == "echo"]
        if len(places) > 1:
            assert [one["echo_of"] for one in clusters] == [places[-1][0]]
        places.pop()
