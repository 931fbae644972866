"""Figures to proposals: each field of a claim with its candidates, ranked, and the reason why each is offered."""

from collections.abc import Callable, Collection, Iterable
from typing import Final, TypeVar

from kg.model.vocabulary import RATIO_RELATIONS
from kg.reading.candidates_conditions import (
    ORGANISATIONS,
    condition_features,
    is_run_with,
    seen_conditions,
)
from kg.reading.candidates_metric import compared_kind, first_term, implied_metrics, metric_candidates, named_multiple
from kg.reading.candidates_subject import (
    NO_BASELINE,
    ZONE_REASON,
    baseline_candidates,
    header_baseline,
    named_things,
    subject_candidates,
)
from kg.reading.candidates_unit import with_table_unit
from kg.reading.candidates_wording import CLOSED, NOT_STATED, closed_candidates, own_level, speakers
from kg.reading.clause import acting, apposed, held_for, of_title, sized, trained
from kg.reading.deadline import ReadingDeadline
from kg.reading.figure import ReportFigure
from kg.reading.in_turn import in_turn_before
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import HARDWARE
from kg.reading.metric_groups import metric_group
from kg.reading.named_thing import NamedThing
from kg.reading.passage import Near, Passage, PassageReader
from kg.reading.proposal import Candidate, ClaimProposal
from kg.reading.stated_divisors import divided_metrics, stated_normaliser, usual_normaliser
from kg.reading.stated_wording import stated_level, stated_modality, stated_statistic
from kg.reading.text import ReportText

Candidates = tuple[Candidate, ...]
_T = TypeVar("_T")
_MOST: Final = 5
"""Candidates of one field that are offered."""
_LEAST_CONDITION: Final = 0.35
_SHOWN_CONDITION: Final = 0.15
_RUN_WITH: Final = 0.6
"""How likely the software is a condition that the sentence of a result says it was run with."""
"""From which probability a condition is proposed, and from which it is offered next to another value."""
_APPOSED: Final = 0.9
"""How likely a thing is the subject of an amount that follows it at once."""
_RULES_OF_SUBJECT: Final = (apposed, held_for, in_turn_before, sized, trained, of_title)
"""Each points at what grammar leaves no other choice for; the first that points at something decides."""
_ANY_GAIN: Final = "performance"
"""What a gain is of where no more is said: "a 2.2x gain" of a throughput is one of the throughput."""
_COMPARES: Final = frozenset({*RATIO_RELATIONS, "points", "difference", "order"})


def propose(
    report: ReportText,
    figures: Iterable[ReportFigure],
    knowledge: ReadingKnowledge,
    deadline: ReadingDeadline | None = None,
) -> list[ClaimProposal]:
    """One proposal a figure, claims and others, in the order given; what is no claim has no fields.

    Raises ReportTooLarge where they take longer than the deadline (that of `limits.SECONDS` if none is given).
    """
    deadline = deadline or ReadingDeadline()
    knowledge = knowledge.of_report(report.text)
    reader = PassageReader(report, knowledge.names.scan_all, knowledge.terms.scan)
    proposals = []
    for figure in figures:
        deadline.check(figure.start)
        proposals.append(propose_claim(reader.read(figure), knowledge) if figure.is_claim else ClaimProposal(figure))
    return proposals


def propose_claim(passage: Passage, knowledge: ReadingKnowledge) -> ClaimProposal:
    """The proposal for one figure: subject, metric and baseline first, the other fields in their light."""
    passage, unit_from = with_table_unit(passage, knowledge)
    things = named_things(passage, knowledge)
    relation = passage.figure.relation
    subject = _subject(passage, knowledge, things)
    first = subject[0].value if subject else None
    kind = knowledge.names.class_of(first) if first else "none"
    metric = _metric(passage, knowledge, kind)
    measured = metric[0].value if metric else None
    fields: dict[str, Candidates] = {"subject": subject, "metric": metric}
    if relation in _COMPARES:
        fields["baseline"] = _baseline(passage, knowledge, things, first)
    for name in CLOSED:
        fields[name] = _closed(name, passage, knowledge, first, measured)
    fields["relation"] = (Candidate(relation, relation, 1.0, "wording of the figure"),)
    if passage.figure.unit is not None:
        unit = passage.figure.unit
        fields["unit"] = (Candidate(unit, unit, 0.7 if unit_from else 1.0, unit_from or "printed with the figure"),)
    said = speakers(passage, knowledge, things)
    fields["asserted_by"] = tuple(Candidate(name, printed, 0.8, reason) for name, printed, reason in said[:_MOST])
    conditions, offered = _by_likelihood(_conditions(passage, knowledge, first, kind, measured))
    sure = [fields[name][0].confidence if fields[name] else 0.0 for name in ("subject", "metric")]
    return ClaimProposal(
        passage.figure,
        {name: candidates for name, candidates in fields.items() if candidates},
        conditions,
        round(min(sure), 3),
        offered,
    )


def _by_likelihood(seen: dict[str, Candidates]) -> tuple[dict[str, Candidates], dict[str, Candidates]]:
    """The conditions that are likely enough to be proposed, and those that are only offered."""
    likely = {name: known for name, known in seen.items() if known[0].confidence >= _LEAST_CONDITION}
    return likely, {name: known for name, known in seen.items() if name not in likely}


def _subject(passage: Passage, knowledge: ReadingKnowledge, things: list[NamedThing]) -> Candidates:
    ranked = knowledge.ranker.rank("subject", subject_candidates(passage, knowledge, things, passage.figure.relation))
    # who says it is not what it is said of, even where the sentence begins with it
    ranked.sort(key=lambda one: {"phrase", "speaker"} <= one[0].features)
    near = next(filter(None, (rule(passage, _class_of(knowledge)) for rule in _RULES_OF_SUBJECT)), None)
    if near is not None:
        ranked = _put_first(near.mention.ids, ranked, lambda thing: thing.id)
    elif (doer := acting(passage, _hardware(things, knowledge))) is not None:
        ranked = _put_first([one.id for one in things if one.printed == doer], ranked, lambda thing: thing.id)
    elif passage.figure.unit == "parameter":  # sizes of one model in brackets; other amounts there may be asides
        behind = [one.id for one in things if "phrase bracket" in one.features and one.printed[0].isupper()]
        ranked = _put_first(behind, ranked, lambda thing: thing.id)
    return tuple(
        Candidate(thing.id, knowledge.names.label(thing.id), round(share, 3), ZONE_REASON[thing.zone])
        for thing, share in ranked[:_MOST]
    )


def _class_of(knowledge: ReadingKnowledge) -> Callable[[Near], str]:
    return lambda near: knowledge.names.class_of(near.mention.ids[0])


def _hardware(things: Iterable[NamedThing], knowledge: ReadingKnowledge) -> list[str]:
    """The names of what is built of silicon; of a model that runs on it the figure is no more than a condition."""
    return [one.printed for one in things if knowledge.names.class_of(one.id) in HARDWARE]


def _put_first(
    ids: Collection[str], ranked: list[tuple[_T, float]], id_of: Callable[[_T], str]
) -> list[tuple[_T, float]]:
    """The candidates with some of them first, which share at least `_APPOSED` of the odds: grammar decides, not habit."""
    first = [one for one in ranked if id_of(one[0]) in ids]
    total = sum(share for _, share in first)
    if not total or total >= _APPOSED:
        return ranked
    up, down = _APPOSED / total, (1 - _APPOSED) / (1 - total)
    rest = [(one, share * down) for one, share in ranked if id_of(one) not in ids]
    return [*((one, share * up) for one, share in first), *rest]


def _baseline(
    passage: Passage, knowledge: ReadingKnowledge, things: list[NamedThing], subject: str | None
) -> Candidates:
    """The things compared with, best first; none where it is likelier that none is named."""
    ranked = knowledge.ranker.rank("baseline", baseline_candidates(passage, knowledge, things, subject))
    if passage.figure.block.cell is not None and (against := header_baseline(passage)):
        ranked = _put_first(against, ranked, lambda thing: thing.id)
    if ranked[0][0].id == NO_BASELINE:
        return ()
    return tuple(
        Candidate(thing.id, knowledge.names.label(thing.id), round(share, 3), ZONE_REASON[thing.zone])
        for thing, share in ranked[:_MOST]
        if thing.id != NO_BASELINE
    )


def _metric(passage: Passage, knowledge: ReadingKnowledge, subject_class: str) -> Candidates:
    ranked = knowledge.ranker.rank(
        "metric", metric_candidates(passage, knowledge, passage.figure.relation, subject_class)
    )
    compared = compared_kind(passage, knowledge)
    alike = [one.id for one in knowledge.vocabulary.metrics.values() if compared in one.kinds] if compared else []
    named = named_multiple(passage)
    if named == (_ANY_GAIN,):  # "faster" is said of what a run gives, not of the rating of the chip
        alike = [one for one in alike if metric_group(one) != "rating"] or alike
    ranked = _put_first(alike if named == (_ANY_GAIN,) and alike else named or alike, ranked, str)
    ranked = _put_first(implied_metrics(passage, knowledge, subject_class), ranked, str)
    ranked = _put_first(divided_metrics(passage, knowledge.vocabulary.metrics), ranked, str)
    found = []
    for metric, share in ranked[:_MOST]:
        term = first_term(passage, metric)
        reason = f'"{term[0]}", {ZONE_REASON[term[1]]}' if term else f"unit {passage.figure.unit}"
        found.append(Candidate(metric, knowledge.vocabulary.metrics[metric].label, round(share, 3), reason))
    return tuple(found)


def _closed(
    name: str, passage: Passage, knowledge: ReadingKnowledge, subject: str | None, metric: str | None
) -> Candidates:
    ranked = knowledge.ranker.rank(name, closed_candidates(name, passage, knowledge, subject, metric))
    stated = _stated(name, passage, own_level(knowledge, subject), metric)
    if stated is not None:
        ranked = _put_first((stated,), ranked, str)
    if ranked[0][0] == NOT_STATED:
        return ()
    return tuple(
        Candidate(value, value, round(share, 3), "wording around the figure")
        for value, share in ranked[:3]
        if value != NOT_STATED
    )


def _stated(name: str, passage: Passage, own: str, metric: str | None) -> str | None:
    """What the text states of a field, or what the metric is per by its nature."""
    if name == "modality":
        return stated_modality(passage)
    if name == "statistic":
        return stated_statistic(passage)
    per = stated_normaliser(passage) if name in ("level", "normaliser") else None
    if name == "level":
        return stated_level(passage, own, per)
    if name == "normaliser":
        said, group = stated_level(passage, own, None), metric_group(metric)
        compares = passage.figure.relation != "absolute"
        group = "rating of a whole" if group == "rating" and said not in (None, own) else group
        return per or usual_normaliser(metric, group, said or own, compares=compares)
    return None


def _leave_one_role(found: dict[str, list[Candidate]]) -> None:
    """An organisation has the likeliest of its roles: who provides something is not its customer as well."""
    best: dict[str, float] = {}
    for name in ORGANISATIONS:
        for one in found.get(name, ()):
            best[one.value] = max(best.get(one.value, 0.0), one.confidence)
    for name in ORGANISATIONS:
        found[name] = [one for one in found.get(name, ()) if one.confidence >= best[one.value]]
        if not found[name]:
            del found[name]


def _conditions(
    passage: Passage, knowledge: ReadingKnowledge, subject: str | None, subject_class: str, metric: str | None
) -> dict[str, Candidates]:
    found: dict[str, list[Candidate]] = {}
    for condition in seen_conditions(passage, knowledge, subject, metric):
        features = condition_features(condition, passage, subject_class, metric)
        odds = knowledge.ranker.probability("condition", features)
        odds = max(odds, _RUN_WITH) if is_run_with(condition, passage, metric) else odds
        if odds >= _SHOWN_CONDITION:
            label = knowledge.names.label(condition.value) if "thing" in condition.features else condition.label
            found.setdefault(condition.name, []).append(
                Candidate(condition.value, label, round(odds, 3), ZONE_REASON[condition.zone])
            )

    _leave_one_role(found)

    def order(one: Candidate) -> tuple[bool, float]:
        record = knowledge.names.registry.records.get(one.value, {})
        unsure = one.confidence < _LEAST_CONDITION
        return unsure or record.get("kind") == "model-class", -one.confidence  # a model says more than its class

    return {name: tuple(sorted(known, key=order))[:_MOST] for name, known in sorted(found.items())}
