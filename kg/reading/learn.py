"""Learns the weights of the ranker from figures whose fields are known: curated claims, and the decisions of reviews.

scikit-learn is needed here only (extra `learn`); what was learnt is a file that plain Python applies.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from kg.errors import UsageError
from kg.reading.candidates_conditions import condition_features, seen_conditions
from kg.reading.candidates_metric import metric_candidates
from kg.reading.candidates_subject import NO_BASELINE, baseline_candidates, named_things, subject_candidates
from kg.reading.candidates_wording import CLOSED, NOT_STATED, closed_candidates
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.passage import Passage
from kg.reading.ranker import Features, Ranker

_COMPARING: Final = frozenset(
    {"ratio", "increase", "decrease", "times-less", "share-of", "points", "difference", "order"}
)
_DEFAULTS: Final = {"statistic": NOT_STATED, "normaliser": "unstated", "modality": "stated"}
_PENALTY: Final = {"subject": 0.3, "baseline": 0.3, "metric": 0.3, "condition": 0.3}
_LEAST_COUNT: Final = 2
"""How often a feature must occur to get a weight."""
_LEAST_WEIGHT: Final = 0.04
"""Weights nearer to nothing are left out: the file stays small and the order hardly changes."""
_RULES: Final[dict[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]] = {
    "subject": (
        (("row", "row #1", "row | table"), ("lead", "lead #1", "lead | table")),
        (("row", "row #1", "row | table"), ("heading", "heading #1", "heading | table")),
        (("row", "row #1", "row | table"), ("title",)),
        (("row", "row #1", "row | table"), ("outer",)),
        (("row", "row #1", "row | table"), ("rowcell", "rowcell | table")),
        (("row", "row #1", "row | table"), ("row", "row #2", "row | table")),
        (("column", "column | table"), ("lead", "lead | table")),
        (("column", "column | table"), ("heading", "heading | table")),
        (("column", "column | table"), ("title",)),
        (("rowcell", "rowcell | table"), ("heading", "heading | table")),
        (("rowcell", "rowcell | table"), ("lead", "lead | table")),
        (("rowcell", "rowcell | table", "rowcell accelerator"), ("rowcell", "rowcell | table", "rowcell software")),
        (("row", "row variant", "row new"), ("row", "row #1", "row part", "row | table")),
        (("row", "row unknown", "row new"), ("lead", "lead #1", "lead | table")),
        (("row", "row unknown", "row new"), ("heading", "heading #1", "heading | table")),
        (("column", "column variant", "column new"), ("column", "column #1", "column part", "column | table")),
        (("inside", "inside | parameters"), ("before",)),
        (("counted",), ("part of counted",)),
        (("phrase", "phrase share of"), ("speaker", "pick #1", "before", "before #1")),
        (("phrase", "phrase clause subject"), ("speaker", "pick #1", "before", "before #1")),
        (("before", "among others"), ("speaker", "before #1", "among others", "class organisation")),
        (("after", "among others"), ("speaker", "before #1", "among others", "class organisation")),
        (("pick #1",), ("pick #2",)),
        (("pick #1",), ("before", "before #1")),
        (("pick #1",), ("previous", "previous #1")),
        (("pick #2",), ("pick #3",)),
    ),
    "metric": (
        (("column", "column #1"), ("lead", "lead #1")),
        (("column", "column #1"), ("heading", "heading #1")),
        (("column", "column #1"), ("rowcell", "rowcell #1")),
        (("column", "column #1"), ("unnamed",)),
        (("row", "row #1"), ("heading", "heading #1")),
        (("row", "row #1"), ("unnamed",)),
        (("lead", "lead #1"), ("outer", "outer #1")),
        (("lead", "lead #1"), ("title", "title #1")),
        (("heading", "heading #1"), ("title", "title #1")),
    ),
    **dict.fromkeys(
        ("statistic", "normaliser", "modality"),
        (
            (("cue column",), ("no cue",)),
            (("cue after near",), ("no cue",)),
            (("cue before near",), ("no cue",)),
            (("cue row",), ("no cue",)),
            (("cue column",), ("cue above",)),
            (("cue after near",), ("cue before",)),
            (("cue after near",), ("cue after",)),
            (("cue column",), ("cue sibling",)),
            (("cue sibling",), ("no cue",)),
            (("cue sibling", "mean < table True"), ("no cue", " no cue", " < always", " < table True")),
            (("cue column",), ("implied",)),
            (("implied",), ("no cue",)),
        ),
    ),
}
"""What is regular in tables, as choices next to those of the claims: the first is right, the second is not."""
_OWN_LEVEL: Final = ("own level", "own level rating", "own level rating whole")
"""What a thing is rated at, or made of, it has by itself: a chip its memory, a node its chips."""
_RULES["normaliser"] += tuple((_OWN_LEVEL, (f"{value} no cue",)) for value in ("unstated", "total"))
_SUBJECT_HINTS: Final = (
    (("inside", "inside | model"), ("pick #1", "before")),
    (("among others",), ("elsewhere while named",)),
    (("alone in sentence",), ("elsewhere while named",)),
    (("alone in sentence", "class organisation"), ("elsewhere while named", "class family")),
    (("alone in sentence", "phrase", "class unnamed"), ("elsewhere while named", "class family")),
    (("among others", "phrase", "class unnamed"), ("elsewhere while named", "class family")),
    (("row", "row #1", "row | table"), ("section", "section #1")),
    (("rowcell", "rowcell | table"), ("section", "section #1")),
    (("phrase", "phrase sized model around", "around"), ("pick #1", "before")),
    (("phrase", "phrase described model around", "around"), ("pick #1", "before")),
    (("phrase", "phrase counted whole around", "around"), ("before", "before #1")),
    (("phrase", "phrase counted whole around", "around"), ("part of counted",)),
    (("phrase", "phrase share of"), ("previous", "previous #1")),
    (("phrase", "phrase of metric before"), ("previous", "previous #1", "pick #1")),
    (("phrase", "phrase clause subject"), ("previous", "previous #1", "pick #1")),
    (("phrase", "phrase clause subject"), ("block", "block #1")),
    (("phrase", "phrase of metric before"), ("block", "block #1")),
    (("phrase", "phrase share of"), ("block", "block #1", "pick #1")),
    (("before", "owner"), ("phrase", "phrase clause subject")),
    (("pick #1", "rule owner"), ("phrase", "phrase clause subject")),
    (("pick #1", "rule label"), ("phrase", "phrase clause subject")),
    (("pick #1", "rule clause begins"), ("phrase", "phrase of metric after")),
    (("phrase", "phrase counted whole"), ("part of description",)),
    (("agent", "agent nearest"), ("previous", "previous #1")),
    (("agent", "agent nearest"), ("section", "section #1")),
    (("phrase", "phrase bracket"), ("before", "before #1")),
    (("phrase", "phrase indirect object"), ("before", "before #1")),
    (("phrase", "phrase attribute of"), ("before", "before #1")),
    (("phrase", "phrase share before"), ("previous", "previous #1")),
    (("phrase", "phrase described model"), ("part of description",)),
    (("pick #1", "rule pronoun"), ("phrase", "phrase described model")),
)
"""What a sentence itself says goes before what stands elsewhere: weaker than the rules, and than what was curated."""
_CONDITION_RULES: Final = tuple(
    (
        *(f"name {name}", zone, f"{name} {zone}", f"{name} {zone} #1", f"{name} | table", f"{name} {zone} table"),
        *("thing", "nearest", f"{name} nearest run", f"nearest run {zone}", f"{name} nearest {zone}"),
    )
    for name in ("model", "benchmark", "task", "scenario", "division", "precision", "round", "framework")
    for zone in ("row", "column", "rowcell", "lead", "heading", "setup", "everywhere", "note")
) + tuple(
    (f"name {name}", "rowcell", kind, f"{name} {kind}", f"{name} rowcell", f"{name} | table", "nearest")
    for name in (
        "sequence_length",
        "context_length",
        "batch",
        "accelerators",
        "precision",
        "model",
        "scenario",
        "concurrency",
    )
    for kind in ("cell of the row", "text of the row")
)
"""What holds in a table, by its place there."""
_SAID_ABOVE: Final = tuple(
    (
        *(f"name {name}", zone, how, f"{name} {zone}", f"{name} {how}", f"{name} {zone} any"),
        *("nearest", f"{name} nearest run", f"nearest run {zone}", f"{name} nearest {zone}"),
    )
    for name, how in (
        ("sequence_length", "printed"),
        ("batch", "printed"),
        ("accelerators", "printed"),
        ("concurrency", "printed"),
        ("phase", "word"),
        ("framework", "word"),
        ("parallelism", "word"),
    )
    for zone in ("heading", "setup", "everywhere", "note")
)
"""What a heading, a note or a sentence about all runs states by its wording."""
_SPARSITY_RULES: Final = tuple(
    (
        "name sparsity",
        zone,
        "word",
        f"sparsity {zone}",
        "sparsity word",
        "sparsity | peak-compute",
        "sparsity nearest rating",
    )
    for zone in ("column", "row", "heading", "before", "after")
)
"""Sparsity is said once above a table of peak rates, and holds for all of it."""
_OF_RUN: Final = (
    ("model", "thing"),
    ("precision", "thing"),
    ("phase", "word"),
    ("accelerators", "printed"),
    ("batch", "printed"),
    ("sequence_length", "printed"),
    ("concurrency", "printed"),
)
"""What a run is done with, and how a sentence states it."""
_PROSE_RULES: Final = (
    ("name date", "after", "printed", "date after", "date after code points 5", "date | prose"),
    ("name date", "before", "printed", "date before", "date before code points 5", "date | prose"),
    ("name precision", "after", "precision nearest", "precision after within 2", "precision | prose", "thing"),
    ("name precision", "before", "precision nearest", "precision before within 2", "precision | prose", "thing"),
    ("name accelerators", "after", "printed", "accelerators nearest run", "accelerators | prose"),
    ("name accelerators", "before", "printed", "accelerators nearest run", "accelerators | prose"),
    ("name model", "before", "model nearest", "model nearest run", "model | prose", "thing"),
    ("name model", "after", "model nearest", "model nearest run", "model | prose", "thing"),
    *(
        (
            *(
                "name date",
                zone,
                "printed",
                f"date {zone}",
                "date printed",
                "nearest",
                "date | prose",
                f"date {zone} prose",
            ),
            *("date nearest market", f"nearest market {zone}", f"date nearest {zone}"),
        )
        for zone in ("before", "after")
    ),
    *(
        (
            *(f"name {name}", f"{name} {zone}", f"{name} {how}", f"{name} {zone} prose", f"{name} | prose"),
            *(f"{name} nearest run", f"{name} nearest {zone}"),
        )
        for name, how in _OF_RUN
        for zone in ("before", "after")
    ),
)
"""What holds of the nearest thing of its kind in the sentence."""
_RULE_WEIGHT: Final = 6.0
_HINT_WEIGHT: Final = 1.0
_HEADER_WEIGHT: Final = 120.0
"""Most figures have no statistic, so the habit of saying none would outweigh the word of a header."""


@dataclass(frozen=True, slots=True)
class TaughtFigure:
    """A figure in its passage, and what its fields are known to be. `weight` is how much it counts."""

    passage: Passage
    fields: Mapping[str, str | None]
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weight: float = 1.0


@dataclass(slots=True)
class Choices:
    """Choices among candidates: for each the features of what was right and of what was not."""

    rows: list[tuple[Features, Features, float]] = field(default_factory=list)

    def add(self, candidates: Sequence[tuple[str, Features]], right: str, weight: float) -> None:
        """One choice; nothing where what is right is no candidate, or the only one."""
        taken = next((features for value, features in candidates if value == right), None)
        others = [features for value, features in candidates if value != right]
        if taken is None or not others:
            return
        self.rows.extend((taken, features, weight / len(others)) for features in others)


def learn_ranker(taught: Iterable[TaughtFigure], knowledge: ReadingKnowledge) -> Ranker:
    """Weights that put what is right above what is not, the same for the same figures in the same order."""
    choices: dict[str, Choices] = defaultdict(Choices)
    conditions: list[tuple[Features, bool, float]] = []
    for one in taught:
        field_choices(one, knowledge, choices)
        conditions.extend(condition_samples(one, knowledge))
    for name, rules in _RULES.items():
        # twice, so that features which only a rule has reach the least count
        choices[name].rows.extend((right, wrong, _rule_weight(name, right)) for right, wrong in rules for _ in range(2))
    choices["subject"].rows.extend((right, wrong, _HINT_WEIGHT) for right, wrong in _SUBJECT_HINTS for _ in range(2))
    weights = {name: _fit_choices(name, choices[name].rows) for name in sorted(choices)}
    conditions.extend(
        (("always", *features), True, _RULE_WEIGHT)
        for features in (*_CONDITION_RULES, *_SAID_ABOVE, *_SPARSITY_RULES, *_PROSE_RULES)
    )
    weights["condition"] = _fit_yes_or_no(conditions)
    return Ranker(weights)


def _rule_weight(name: str, right: tuple[str, ...]) -> float:
    of_header = name == "statistic" and right[0] in ("cue column", "cue row", "cue sibling")
    return _HEADER_WEIGHT if of_header else _RULE_WEIGHT


def field_choices(taught: TaughtFigure, knowledge: ReadingKnowledge, choices: dict[str, Choices]) -> None:
    """Add the choice that a figure teaches for each of its fields."""
    passage, fields = taught.passage, taught.fields
    things = named_things(passage, knowledge)
    relation = fields.get("relation") or passage.figure.relation
    subject, metric = fields.get("subject"), fields.get("metric")
    kind = knowledge.names.class_of(subject) if subject else "none"
    if subject:
        ranked = subject_candidates(passage, knowledge, things, relation)
        choices["subject"].add([(thing.id, features) for thing, features in ranked], subject, taught.weight)
    if metric:
        choices["metric"].add(metric_candidates(passage, knowledge, relation, kind), metric, taught.weight)
    if relation in _COMPARING and "baseline" in fields:
        compared = baseline_candidates(passage, knowledge, things, subject)
        choices["baseline"].add(
            [(thing.id, features) for thing, features in compared], fields["baseline"] or NO_BASELINE, taught.weight
        )
    for name in CLOSED:
        if name in fields:
            value = fields[name] or _DEFAULTS.get(name, "")
            choices[name].add(closed_candidates(name, passage, knowledge, subject, metric), value, taught.weight)


def condition_samples(taught: TaughtFigure, knowledge: ReadingKnowledge) -> Iterable[tuple[Features, bool, float]]:
    """The conditions that the passage may state, and whether each holds."""
    if "conditions" not in taught.fields and not taught.conditions and "metric" not in taught.fields:
        return
    subject, metric = taught.fields.get("subject"), taught.fields.get("metric")
    kind = knowledge.names.class_of(subject) if subject else "none"
    for condition in seen_conditions(taught.passage, knowledge, subject, metric):
        right = condition.value in taught.conditions.get(condition.name, ())
        yield condition_features(condition, taught.passage, kind, metric), right, taught.weight


def _fit_choices(name: str, rows: list[tuple[Features, Features, float]]) -> dict[str, float]:
    """A linear ranking: the difference of two candidates is positive one way and negative the other."""
    if not rows:
        return {}
    samples: list[tuple[dict[str, int], int, float]] = []
    for index, (right, wrong, weight) in enumerate(rows):
        # every second pair the other way round: logistic regression needs both classes, and a
        # difference says the same either way
        sign = 1 if index % 2 == 0 else -1
        difference = Counter(dict.fromkeys(set(right) - set(wrong), sign))
        difference.update(dict.fromkeys(set(wrong) - set(right), -sign))
        samples.append((dict(difference), int(sign > 0), weight))
    return _fit(samples, _PENALTY.get(name, 0.3))


def _fit_yes_or_no(rows: list[tuple[Features, bool, float]]) -> dict[str, float]:
    if len({right for _, right, _ in rows}) < 2:
        return {}
    return _fit(
        [(dict.fromkeys(features, 1), int(right), weight) for features, right, weight in rows], _PENALTY["condition"]
    )


def _fit(samples: list[tuple[dict[str, int], int, float]], strength: float) -> dict[str, float]:
    """Logistic regression without an intercept; weights that round to nothing are left out."""
    linear, vectors = _scikit_learn()
    seen = Counter(feature for features, _, _ in samples for feature in features)
    kept = {feature for feature, count in seen.items() if count >= _LEAST_COUNT}
    vectorizer = vectors.DictVectorizer(sort=True)
    matrix = vectorizer.fit_transform(
        [{key: value for key, value in row.items() if key in kept} for row, _, _ in samples]
    )
    model = linear.LogisticRegression(C=strength, fit_intercept=False, max_iter=2000, tol=1e-6)
    model.fit(matrix, [right for _, right, _ in samples], sample_weight=[weight for _, _, weight in samples])
    weights = zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True)
    return {str(feature): round(float(weight), 2) for feature, weight in weights if abs(weight) >= _LEAST_WEIGHT}


def _scikit_learn() -> tuple[Any, Any]:
    try:
        return import_module("sklearn.linear_model"), import_module("sklearn.feature_extraction")
    except ImportError as cause:
        raise UsageError(
            given="scikit-learn is not installed",
            expected="scikit-learn, to learn the weights of the ranker",
            next_step="pip install 'accelkg[learn]'",
        ) from cause


def write_ranker(ranker: Ranker, path: Path) -> None:
    """Write the weights, sorted, so that the same weights are the same file."""
    path.write_text(json.dumps(ranker.weights, indent=0, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
