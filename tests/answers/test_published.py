"""Texts first: published rows are summed up beside them, and what is shown can be narrowed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.answers.asking import Asker
from kg.answers.compare import compare
from kg.answers.conflicts import find_conflicts
from kg.answers.find import find
from kg.answers.published import (
    PublishedSummary,
    Restriction,
    read_restriction,
    summarise_published,
    summarise_rows,
    texts_first,
)
from kg.answers.published_ratios import published_ratios
from kg.errors import KgError
from kg.session import Graph, open_graph
from kg.stores.protocol import Answer
from tests.ask.harness import ask_small, questions


@pytest.fixture(scope="module")
def graph(shipped_store: Path) -> Iterator[Graph]:
    opened = open_graph(shipped_store)
    yield opened
    opened.close()


def test_a_restriction_takes_only_what_states_what_it_asks_for() -> None:
    within = Restriction(frozenset({"throughput"}), frozenset({"inference"}), frozenset({"model/a"}), since="2025-03")
    fits = {"metric": "metric/throughput", "conditions": "model=a (inferred); phase=inference", "source": None}
    assert within.fits(**fits, said_on="2025-03-09") and within.fits(**fits, said_on="2025")
    assert not within.fits(**fits, said_on="2025-02-28") and not within.fits(**fits, said_on=None)
    assert not within.fits(**{**fits, "conditions": "phase=inference"}, said_on="2025-04-01")
    assert not within.fits(**{**fits, "metric": "metric/power"}, said_on="2025-04-01")
    assert not Restriction() and within


def test_an_offer_of_nothing_is_counted_with_the_others() -> None:
    row: dict[str, str | float | None] = {
        "metric": "metric/rental-price",
        "normaliser": "per-chip",
        "canonical_unit": "USD/h",
        "verdict": "unverified",
    }
    rows = [row | {"claim": f"p/{price}", "canonical_value": price, "said_on": None} for price in (0.0, 2.5, None)]
    (found,) = summarise_rows(Asker(ask_small), rows)
    assert (found.rows, found.lowest, found.highest) == (2, 0.0, 2.5)


def test_names_of_a_restriction_are_read_as_everywhere_and_unknown_ones_are_refused(graph: Graph) -> None:
    within = graph.restriction(metrics=["memory bandwidth"], models=["Llama 2 70B"], sources=["002"])
    assert within is not None
    assert set(within.metrics) == {"memory-bandwidth"} and set(within.sources) == {"source/002"}
    assert "model/llama-2-70b" in within.models
    narrowed = graph.compare("GB200", "H200", within=graph.restriction(models=["Llama 2 70B"])).claims
    assert narrowed and all("model=llama-2-70b" in (one.conditions or "") for one in narrowed)
    with pytest.raises(KgError, match="llama-2-70b"):
        graph.restriction(models=["Llama 2 71B"])
    with pytest.raises(KgError, match="memory-bandwidth"):
        graph.restriction(metrics=["memory bandwith"])
    assert graph.restriction() is None
    with pytest.raises(KgError):
        graph.restriction(metrics=["speediness"])
    with pytest.raises(KgError):
        graph.restriction(models=["no such model"])
    with pytest.raises(KgError):
        graph.restriction(sources=["999"])


def test_comparisons_and_conflicts_are_narrowed(graph: Graph) -> None:
    whole = graph.compare("GB200", "H100")
    within = graph.restriction(sources=["000"], metrics=["training-speed"])
    narrow = graph.compare("GB200", "H100", within=within)
    assert 0 < len(narrow.claims) < len(whole.claims)
    assert {(one.source.id, one.metric) for one in narrow.claims} == {("source/000", "training-speed")}
    power = graph.conflicts("H200", within=graph.restriction(metrics=["memory-bandwidth"]))
    assert power.groups and all(
        any(
            one.claim.metric == "metric/memory-bandwidth" or one.claim.metric == "memory-bandwidth"
            for one in group.members
        )
        for group in power.groups
    )


def test_the_conflicts_of_a_thing_are_those_with_a_claim_about_it(graph: Graph) -> None:
    every, found = graph.conflicts(), graph.conflicts("H200")
    subjects = {group.finding: {one.claim.subject for one in group.members} for group in every.groups}
    shown = {group.finding for group in found.groups}
    assert {name for name, some in subjects.items() if some & set(found.subjects)} <= shown < set(subjects)
    assert any(some <= set(found.subjects) for some in subjects.values())


def test_what_is_said_of_the_architecture_is_left_out_of_a_comparison_and_named(graph: Graph) -> None:
    found = graph.compare("GB200", "H100")
    hopper = {one.thing.id: one.claims for one in found.wider}["family/nvidia-hopper"]
    assert hopper and not set(hopper) & {one.id for one in found.claims}
    asked = graph.ask("comparisons/compare", a="GB200", b="=family/nvidia-hopper").dicts()
    assert set(hopper) == {row["claim"] for row in asked} - {one.id for one in found.claims}
    assert graph.compare("GB200", "H100", exact=True).wider == ()


def test_a_narrowed_comparison_names_only_what_fits_among_what_it_leaves_out(graph: Graph) -> None:
    whole = {one for left in graph.compare("GB200", "H100").wider for one in left.claims}
    speeds = graph.restriction(metrics=["training-speed"])
    narrow = {one for left in graph.compare("GB200", "H100", within=speeds).wider for one in left.claims}
    metrics = {str(row["claim"]): row["metric"] for row in graph.ask("comparisons/of-thing", thing="Hopper").dicts()}
    assert narrow and narrow == {one for one in whole if metrics.get(one) == "metric/training-speed"}
    assert graph.compare("GB200", "H100", within=graph.restriction(since="2030")).wider == ()


def test_published_rows_are_summed_up_by_metric_and_listed_on_demand(graph: Graph) -> None:
    found, listed = graph.find("H200"), graph.find("H200", published=True)
    assert found.published and found.published == listed.published
    published = {one.id for one in listed.items} - {one.id for one in found.items}
    assert published and all(not one.partition("/")[0].isdigit() for one in published)
    first = found.published[0]
    assert first.rows == max(one.rows for one in found.published) and first.lowest <= first.highest
    assert f"{first.rows:,} row" in first.worded and first.newest_is in first.worded
    assert first.newest_is.startswith("NVIDIA") and first.newest not in first.worded


def test_the_best_row_is_the_one_that_the_metric_calls_better(graph: Graph) -> None:
    asker = Asker(graph.ask)
    things = [str(row["entity"]) for row in graph.ask("names/resolve", thing=["H200"]).dicts()]
    rates = [one for one in summarise_published(asker, things) if one.metric == "throughput"]
    assert rates
    for one in rates:
        values = {
            str(row["claim"]): row["canonical_value"]
            for row in asker.rows("claims/published-figures", subject=things)
            if row["form"] == "dataset"
        }
        assert one.best is not None and values[one.best] == one.highest
    assert summarise_published(asker, things, Restriction(since="2999")) == ()
    assert summarise_published(asker, ()) == ()


def test_a_group_of_texts_is_shown_whether_or_not_published_rows_are_asked_for() -> None:
    plain, more = find_conflicts(ask_small), find_conflicts(ask_small, published=True)
    assert {one.finding for one in plain.groups} <= {one.finding for one in more.groups}
    assert plain.published == len(more.groups) - len(plain.groups) and more.published == 0


def test_a_small_graph_answers_without_published_rows() -> None:
    assert find(ask_small, "NEW3", questions()).published == ()
    within = read_restriction(Asker(ask_small), metrics=["training-speed"])
    assert {one.metric for one in compare(ask_small, "NEW3", "MID2", within=within).claims} == {"training-speed"}


def test_a_search_that_finds_no_claim_of_a_text_says_that_published_rows_were_left_out(graph: Graph) -> None:
    assert graph.find("bandwidth of nothing known").left_out
    assert not graph.find("bandwidth of nothing known", published=True).left_out
    named = graph.find("H100", within=graph.restriction(sources=["mlcommons-inference-v5.1"]))
    assert not named.left_out and {one.id.partition("/")[0] for one in named.items if one.kind == "claim"} <= {
        "mlcommons-inference-v5.1"
    }
    assert not find(ask_small, "bandwidth").left_out


def test_an_audit_is_narrowed_to_the_findings_of_which_a_claim_fits(graph: Graph) -> None:
    whole = graph.audit(sources=["002"])
    within = graph.restriction(metrics=["power"])
    narrow = graph.audit(sources=["002"], within=within)
    assert 0 < len(narrow.judged.findings) < len(whole.judged.findings)
    assert {one.id for one in narrow.judged.findings} <= {one.id for one in whole.judged.findings}
    assert all(any(one.metric == "power" for one in card.claims) for card in narrow.judged.findings)
    assert narrow.judged.number("warning") <= whole.judged.number("warning")
    assert set(narrow.occurring) <= {one.id for one in narrow.judged.findings}
    problems = graph.problems(narrow.judged)
    assert problems.found and {name for one in problems.problems for name in one.findings} <= set(narrow.occurring)


def test_problems_are_the_same_asked_once_or_twice_of_an_opened_graph(graph: Graph) -> None:
    first, again = graph.problems(sources=["002"]), graph.problems(sources=["002"])
    assert first == again and first.found
    other = graph.problems(sources=["004"])
    assert other.found and other.found != first.found and graph.problems(sources=["002"]) == first
    of_thing = graph.problems(things=["H200"])
    assert of_thing.found and of_thing == graph.problems(things=["H200"])
    listed = graph.problems(things=["H200"], published=True)
    assert listed.found == of_thing.found + of_thing.published and not listed.published


def test_what_published_results_give_stands_beside_what_is_claimed_and_is_listed_on_demand(graph: Graph) -> None:
    found, listed = graph.compare("GB200", "H200"), graph.compare("GB200", "H200", published=True)
    assert found.published is not None and listed.published is not None and found.claims == listed.claims
    assert found.published.listed == () and len(listed.published.listed) == found.published.rows > 1
    ratios = [one.per_accelerator for one in listed.published.listed]
    assert (min(ratios), max(ratios)) == (found.published.lowest, found.published.highest)
    assert found.published.best.per_accelerator == max(ratios)
    assert found.published.newest.round == max(one.round or "" for one in listed.published.listed)
    # a name covers a series: which of it, and how many of them, belongs to the ratio
    best = found.published.best
    ends = ((best.accelerators, best.accelerator), (best.against_accelerators, best.against))
    ours, theirs = (f"{count} {name.removeprefix('accelerator/')}" for count, name in ends)
    assert f"({ours} against {theirs})" in best.worded
    inverse = graph.compare("H200", "GB200").published
    assert inverse is not None and inverse.highest == pytest.approx(1 / found.published.lowest, rel=1e-3)
    assert graph.compare("GB200", "H200", within=graph.restriction(sources=["000"])).published is None


_COLUMNS = ("claim", "subject", "subject_label", "metric", "normaliser", "canonical_value", "canonical_unit", "source")


def _priced(*rows: tuple[str, float, str]) -> Answer:
    """Prices of one thing: claim, dollars, source."""
    made = [
        (claim, "accelerator/h", "H", "metric/rental-price", "per-chip", value, "USD/h", source, "2026-05-20", None)
        for claim, value, source in rows
    ]
    return Answer((*_COLUMNS, "said_on", "verdict"), tuple(made))


def _ask_sources(name: str, /, **_: object) -> Answer:
    if name == "sources/all":
        return Answer(("source", "form"), (("source/text", "report"), ("source/list", "dataset")))
    if name == "claims/figure":
        return Answer(("claim", "subject_label"), (("l/1", "H"), ("l/2", "H")))
    if name == "claims/card":
        offers = ("provider=acme; term=spot", "provider=other; region=north")
        return Answer(("claim", "conditions"), (("l/1", offers[0]), ("l/2", offers[1])))
    return Answer(("metric", "label", "definition", "better"), (("metric/rental-price", "", "", "lower"),))


def test_prices_of_texts_are_listed_and_those_of_lists_summed_up_by_thing() -> None:
    whole = _priced(("t/1", 2.0, "source/text"), ("l/1", 3.0, "source/list"), ("l/2", 1.5, "source/list"))
    found = texts_first(_ask_sources, whole)
    assert [row[0] for row in found.answer.rows] == ["t/1"] and found.rows == 2
    (summary,) = found.published
    assert (summary.rows, summary.lowest, summary.highest, summary.best) == (2, 1.5, 3.0, "l/2")
    assert summary.worded.startswith(
        "H, rental price per chip: 2 rows, 1.5 USD/h to 3 USD/h; best and newest other, north ("
    )
    only = texts_first(_ask_sources, _priced(("l/1", 3.0, "source/list")))
    assert len(only.answer.rows) == only.rows == 1, "where no text says anything the rows of lists are shown"
    assert texts_first(_ask_sources, _priced(("t/1", 2.0, "source/text"))).published == ()


def test_training_times_are_summed_up_in_minutes_however_short_they_are() -> None:
    summary = PublishedSummary("training-time", "per-run", "s", 2, 16.68, 25574400.0, None, "l/2", None)
    assert "2 rows, 0.278 min to 296 days" in summary.worded
    assert "16.68 s to 20 s" in PublishedSummary("latency", "unstated", "s", 2, 16.68, 20.0, None, "l/2", None).worded


def test_groups_of_the_same_thing_are_told_from_related_ones(graph: Graph) -> None:
    groups = graph.conflicts().groups
    same, related = [one for one in groups if one.is_same_thing], [one for one in groups if not one.is_same_thing]
    assert same and related
    assert all(len({member.claim.subject for member in one.members}) == 1 for one in same)
    explained = [one for one in groups if one.verdict == "explained"]
    assert explained and not any(one.is_same_thing for one in explained if "conditions" in one.message)


def test_results_of_virtualised_cards_count_apart_from_those_of_the_card_itself() -> None:
    row = dict.fromkeys(("task", "scenario", "round", "model", "per_system", "accelerators"))
    row |= {"against_accelerators": None, "accelerator": "accelerator/a", "claim": "r/1", "against_claim": "r/2"}
    gains = [
        row | {"against": against, "per_accelerator": ratio}
        for against, ratio in (("accelerator/b", 3.0), ("config/b-virtual", 4.6), ("config/b-capped", 3.5))
    ]
    cards = [
        {"thing": one, "virtualised": one == "config/b-virtual" or None}
        for one in ("config/b-virtual", "config/b-capped")
    ]
    judged = [{"claim": "r/1", "conditions": "availability=preview"}]

    def ask(name: str, /, **values: Any) -> Answer:
        rows = {"benchmarks/gains": gains, "entities/card": cards}.get(name, judged)
        return Answer(tuple(rows[0]), tuple(tuple(one.values()) for one in rows))

    found = published_ratios(Asker(ask), "a", "b", listed=True)
    assert found is not None and (found.rows, found.highest, found.virtualised, len(found.listed)) == (2, 3.5, 1, 3)
    assert found.span == "3x (with a preview system) to 3.5x (with a preview system)"
    del gains[2], gains[0]
    only = published_ratios(Asker(ask), "a", "b")
    assert only is not None and (only.rows, only.highest, only.virtualised) == (1, 4.6, 0)
