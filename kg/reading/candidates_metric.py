"""Candidates for the metric: the words of metrics around a figure, and what its unit can measure."""

from collections import defaultdict
from typing import Final

from kg.model.vocabulary import RATIO_RELATIONS
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.passage import Passage
from kg.reading.ranker import Features

_RELATIVE: Final = frozenset({*RATIO_RELATIONS, "points", "order", "difference"})


def metric_candidates(
    passage: Passage, knowledge: ReadingKnowledge, relation: str, subject_class: str
) -> list[tuple[str, Features]]:
    """Every metric that the unit allows, with the features by which it is ranked."""
    kind = knowledge.unit_kind(passage.figure.unit)
    compares = relation in _RELATIVE
    seen = _terms(passage)
    found = []
    for metric in knowledge.vocabulary.metrics.values():
        fits = kind in metric.kinds or (kind == "none" and metric.id in seen)
        if not fits and not (compares and metric.kinds):
            continue
        features = seen.get(metric.id, set())
        prior = f"{metric.id} | {kind}" if not compares else f"{metric.id} | compares"
        known = [*sorted(features), f"is {metric.id}", prior, f"{metric.id} | {subject_class}"]
        known += [f"{one} | {'compares' if compares else 'absolute'}" for one in sorted(features) if "#" in one]
        if passage.figure.unit and passage.figure.unit.startswith("count:"):
            known.append(f"{metric.id} | {passage.figure.unit}")
        if not features:
            known.append("unnamed")
            known.append(f"unnamed {'compares' if compares else kind}")
        found.append((metric.id, tuple(known)))
    return found


def _terms(passage: Passage) -> dict[str, set[str]]:
    """What is seen of each metric around the figure."""
    seen: dict[str, set[str]] = defaultdict(set)
    count: dict[str, int] = defaultdict(int)
    for near in passage.terms:
        mention = near.mention
        count[near.zone] += 1
        order = f"#{min(count[near.zone], 4)}"
        size = min(1 + sum(mention.printed.count(mark) for mark in " -/"), 3)
        for metric in mention.ids:
            known = seen[metric]
            known.update((near.zone, f"{near.zone} {order}", f"{near.zone} words {size}"))
            if near.zone in ("before", "after"):
                known.add(f"{near.zone} within {next((most for most in (1, 2, 4, 8, 16) if near.words <= most), 99)}")
                between = (
                    passage.before[mention.end - passage.start :]
                    if near.zone == "before"
                    else passage.after[: mention.start - passage.figure.end]
                )
                known.add(f"{near.zone} commas {min(sum(between.count(mark) for mark in ',;:('), 2)}")
            if len(mention.ids) == 1:
                known.add("only meaning")
                known.add(f"{near.zone} only meaning")
    return seen


def first_term(passage: Passage, metric: str) -> tuple[str, str] | None:
    """The words that named a metric and their zone, the nearest first; None where nothing did."""
    for near in passage.terms:
        if metric in near.mention.ids:
            return near.mention.printed, near.zone
    return None
