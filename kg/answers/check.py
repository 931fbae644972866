"""Every figure of a text next to what is known: the verdict of the claim that says the same, and the nearest where none does.

A claim says the same when its figure lies within the printed precision of the other and subject, metric and the conditions
that both state agree. Rows come from saved questions; who read the text, and how, is not known here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from kg.answers.asking import Asker, Row, text
from kg.answers.checked_figures import SEVERITY, CheckedFigure, KnownValue, TextFigure
from kg.answers.claim import ClaimCard, Thing, bare, read_cards
from kg.answers.figure_match import (
    LEAST,
    SURE,
    TELLING_WHATEVER_UNIT,
    conditions_told,
    devices_of,
    held_at,
    holds_then,
    is_among,
    is_metric_possible,
    is_named_for_certain,
    is_of_a_whole,
    is_of_one,
    is_of_several,
    is_other_part,
    is_rare,
    is_same_print,
    is_sure,
    metric_rank,
    same_value,
    significant_digits,
    values_meet,
    values_of_number,
)
from kg.answers.figure_slips import Slip, slips
from kg.answers.known_numbers import (
    CanonicalBounds,
    KnownNumber,
    PublishedNumbers,
    is_out_of_line,
    range_of,
    short_name,
)
from kg.answers.text_arithmetic import Recomputed
from kg.errors import KgError
from kg.model.buckets import bucket, near_buckets, print_key
from kg.model.condition_line import stated_conditions
from kg.model.hedges import STRICT_LOWER, STRICT_UPPER
from kg.model.printed import PrintedNumber
from kg.model.units import UnitTable
from kg.model.verdict import Verdict, founded_verdict
from kg.model.vocabulary import RATIO_RELATIONS

_AT_ONCE: Final = 400
_MIXED_UP: Final = frozenset({"result-rate", "token-rate", "sample-rate", "query-rate"})
"""Kinds of quantity that reports of benchmarks take for one another: a telling figure of one may be that of another."""
_OF_COMPARISONS: Final = frozenset({"ratio", "utilisation"})
_OF_A_RUN: Final = frozenset({"accelerators-used"})
"""Metrics of what somebody did with a thing: the same only where the text names a condition of that run too."""
_WITH_SPARSITY: Final = "with sparsity"
"""How citations of data sheets say that a peak is twice the dense one (`ontology/references.yaml`)."""


def _with_repetitions(cards: Sequence[ClaimCard]) -> Sequence[ClaimCard]:
    """The claims without those that repeat a wrong one: who says a wrong value again is no witness for it."""
    wrong = {_statement(card) for card in cards if card.verdict == "wrong"}
    return [card for card in cards if card.verdict == "wrong" or _statement(card) not in wrong]


def _statement(card: ClaimCard) -> tuple[object, ...]:
    """What a claim says, whoever says it."""
    stated = sorted(stated_conditions(card.conditions).items())
    subjects = tuple(sorted(one.id for one in card.subjects))
    return subjects, bare(card.metric), bare(card.figure.unit), card.figure.values, card.relation, tuple(stated)


@dataclass(slots=True)
class FigureCheck:
    """Checks figures against the graph. `covers` gives a thing with all below it: members, variants, configurations."""

    asker: Asker
    units: UnitTable
    covers: Callable[[str], Sequence[str]]
    _numbers: PublishedNumbers = field(init=False)

    def __post_init__(self) -> None:
        self._numbers = PublishedNumbers(self.asker, self.units)

    def check(
        self, figures: Sequence[TextFigure], arithmetic: Mapping[int, Recomputed], line_of: Callable[[int], int]
    ) -> tuple[CheckedFigure, ...]:
        """The verdicts of some figures; `arithmetic` is what was recomputed within the text, by start of the result."""
        near = self._near(figures)
        checked = [
            self._checked(figure, near.get(at, []), arithmetic.get(figure.start), line_of(figure.start))
            for at, figure in enumerate(figures)
        ]
        return self._with_slips(checked)

    def _with_slips(self, checked: Sequence[CheckedFigure]) -> tuple[CheckedFigure, ...]:
        """The figures, those that are a known value but for a slip of print judged as such."""
        open_ones = [at for at, one in enumerate(checked) if not one.same and one.arithmetic is None]
        tried = [(at, slip) for at in open_ones for slip in slips(checked[at].figure)]
        near = self._near([slip.figure for _, slip in tried])
        found = dict(enumerate(checked))
        for number, (at, slip) in enumerate(tried):
            meant = [card for card in near.get(number, ()) if self._is_meant(slip.figure, card)]
            if meant and found[at] is checked[at]:
                found[at] = _misprinted(checked[at], slip, meant)
        return tuple(found.values())

    def _is_meant(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a figure without its slip is a claim that nothing refutes, of the very thing and metric that are named."""
        kinds = card.figure.quantity_kind in _MIXED_UP and significant_digits(figure.printed) < TELLING_WHATEVER_UNIT
        if kinds or card.verdict in ("wrong", "disputed") or metric_rank(figure, card) != 0:
            return False
        return self._score(figure, card) is not None and not is_of_several(figure, card)

    # --- claims near a figure

    def _near(self, figures: Sequence[TextFigure]) -> dict[int, list[ClaimCard]]:
        """The claims whose value lies near that of a figure, by the place of the figure in the list."""
        wanted: dict[str, set[int]] = {}
        for at, figure in enumerate(figures):
            for name in self._buckets(figure):
                wanted.setdefault(name, set()).add(at)
        buckets = sorted(wanted)
        rows = [
            row
            for start in range(0, len(buckets), _AT_ONCE)
            for row in self.asker.rows("trace/number", bucket=tuple(buckets[start : start + _AT_ONCE]))
        ]
        possible: dict[str, set[int]] = {}
        for row in rows:
            for bucket_name in _buckets_of(row):
                possible.setdefault(text(row, "claim"), set()).update(wanted.get(bucket_name, ()))
        names = sorted(possible)
        cards: dict[str, ClaimCard] = {}
        for start in range(0, len(names), _AT_ONCE):
            cards.update(read_cards(self.asker, names[start : start + _AT_ONCE]))
        found: dict[int, list[ClaimCard]] = {}
        for name, card in cards.items():
            for at in sorted(possible[name]):
                if self._fits(figures[at], card):
                    found.setdefault(at, []).append(card)
        return found

    def _buckets(self, figure: TextFigure) -> list[str]:
        found = [f"print:{print_key(figure.printed)}"]
        for value in values_of_number(figure.number):
            found += [f"raw:{one}" for one in near_buckets(float(value))]
        kind, canonical = self._canonical(figure)
        if kind is not None and canonical is not None:
            kinds = sorted(_OF_COMPARISONS) if figure.relation in RATIO_RELATIONS else [kind]
            found += [f"{name}:{one}" for name in kinds for one in near_buckets(float(canonical[1]))]
        return found

    def _canonical(self, figure: TextFigure) -> tuple[str | None, CanonicalBounds | None]:
        """The kind of quantity, and lower bound, value and upper bound in its canonical unit."""
        number = figure.number
        if number is None or isinstance(number.value, tuple) or figure.unit is None:
            return None, None
        try:
            kind = self.units.kind(figure.unit)
            if figure.relation in RATIO_RELATIONS:
                read = number.canonical_ratio(figure.relation)  # type: ignore[arg-type]
            else:
                read = number.canonical(self.units)
        except KgError:
            return None, None
        if isinstance(read.value, tuple):
            return kind, None
        return kind, (read.lower or read.value, read.value, read.upper or read.value)

    def _fits(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim has the value of a figure within what either prints, in the same kind of quantity."""
        compares, known = figure.relation in RATIO_RELATIONS, card.figure
        if compares != (card.relation in RATIO_RELATIONS) or self._is_another_kind(figure, card):
            return False
        if not compares and significant_digits(figure.printed) >= TELLING_WHATEVER_UNIT and same_value(figure, card):
            return True  # a unit that was printed wrongly once is put right by the next who writes it down
        if (is_same := _how_held(figure.number)) is not None:
            return is_same(figure, card) and figure.unit == bare(known.unit)
        kind, canonical = self._canonical(figure)
        if canonical is None or known.canonical_value is None or known.quantity_kind is None:
            return None in (figure.unit, known.canonical_value) and same_value(figure, card)
        return (compares or kind == known.quantity_kind) and values_meet(canonical, known)

    def _is_another_kind(self, figure: TextFigure, card: ClaimCard) -> bool:
        """Whether a claim is of another kind of quantity than the unit of a figure; None where one has no unit."""
        mine, other = self.units.find(figure.unit or ""), self.units.find(bare(card.figure.unit) or "")
        if mine is None or other is None or mine.kind == other.kind:
            return False
        if figure.relation in RATIO_RELATIONS:
            return not {mine.kind, other.kind} <= _OF_COMPARISONS  # "+76%" and "1.76x" say the same
        return not {mine.kind, other.kind} <= _MIXED_UP

    # --- the verdict

    def _checked(
        self, figure: TextFigure, near: list[ClaimCard], arithmetic: Recomputed | None, line: int
    ) -> CheckedFigure:
        scored = [(score, card) for card in near if (score := self._score(figure, card)) is not None]
        best = max((score for score, _ in scored), default=None)
        same = [card for score, card in scored if score == best]
        if same:
            return self._as_known(figure, same, arithmetic, line)
        if arithmetic is not None and not arithmetic.fits:
            return CheckedFigure(
                figure, line, "wrong", arithmetic.reason, arithmetic.value_to_use, arithmetic=arithmetic
            )
        if arithmetic is not None:
            return CheckedFigure(figure, line, "unverified", arithmetic.reason, arithmetic=arithmetic)
        return self._unknown(figure, line, near)

    def _score(self, figure: TextFigure, card: ClaimCard) -> tuple[int, int, int, int] | None:
        """How surely a claim is about the same thing; None where it is not, or is about other conditions."""
        subject = self._subject_rank(figure, card)
        metric = metric_rank(figure, card)
        if subject is None:
            return None
        is_telling = is_rare(figure, card)
        if not is_telling and not is_sure(figure, card, subject=subject, metric=metric):
            return None
        if is_telling and not is_metric_possible(figure, card, metric):
            return None
        agreed = self._agreed(figure, card)
        if agreed is None or not self._baseline_fits(figure, card):
            return None
        if (
            is_of_one(figure, card)
            or is_of_a_whole(figure, card)
            or not holds_then(figure, card)
            or is_other_part(figure, card)
        ):
            return None
        return (-min(subject, 2), -(metric if metric is not None else 5), agreed, conditions_told(figure, card))

    def _subject_rank(self, figure: TextFigure, card: ClaimCard) -> int | None:
        """0 for the first candidate, 1 for another one, 2 for a thing above or below one; None for something else."""
        ids = {one.id for one in card.subjects}
        offered = [one.value for one in figure.subjects if one.confidence >= LEAST]
        if offered[:1] and offered[0] in ids:
            return 0
        if ids & set(offered):
            return 1
        for one in offered[:2]:
            below = set(self.covers(one))
            if ids & below or any(one in self.covers(name) for name in ids):
                return 2
        return None

    @staticmethod
    def _agreed(figure: TextFigure, card: ClaimCard) -> int | None:
        """How many conditions both state alike; None where they state one otherwise."""
        known = stated_conditions(card.conditions)
        agreed = 0
        for name, value in figure.conditions.items():
            if name not in known:
                continue
            if not is_among(value, known[name]):
                return None
            agreed += 1
        is_of_a_run = bare(card.metric) in _OF_A_RUN
        return None if is_of_a_run and not agreed else agreed

    def _baseline_fits(self, figure: TextFigure, card: ClaimCard) -> bool:
        if not figure.baselines:
            return True
        if card.baseline is None:  # a ratio to nothing that is named is no witness for one to a thing that is
            return figure.baselines[0].confidence < SURE
        first = figure.baselines[0].value
        return card.baseline.id in self.covers(first) or first in self.covers(card.baseline.id)

    def _as_known(
        self, figure: TextFigure, same: list[ClaimCard], arithmetic: Recomputed | None, line: int
    ) -> CheckedFigure:
        same = _speaking_of(figure, same)
        verdict = founded_verdict(card.verdict for card in _with_repetitions(same))
        named = [card for card in same if card.verdict == verdict] or same
        worst = min(named, key=lambda card: (SEVERITY[card.verdict], card.value_to_use is None, card.id))
        if verdict == "caution" and any(card.verdict == "wrong" for card in same):
            worst = next(card for card in same if card.verdict == "wrong")
        verdict, reason, value = _as_the_text_has_it(figure, worst, verdict)
        if arithmetic is not None and not arithmetic.fits and SEVERITY[verdict] > SEVERITY["wrong"]:
            verdict, reason, value = "wrong", arithmetic.reason, arithmetic.value_to_use
        if verdict in ("confirmed", "unverified"):
            value = None
        others = self._other_side(worst) if verdict == "disputed" else ()
        return CheckedFigure(figure, line, verdict, reason, value, tuple(map(_known, same)), others, arithmetic)

    def _other_side(self, card: ClaimCard) -> tuple[KnownValue, ...]:
        """What others say of the same thing and metric."""
        found: dict[str, KnownValue] = {}
        for subject in card.subjects:
            for one in self._numbers.of(subject.id):
                mine = card.figure.canonical_value
                if one.metric == bare(card.metric) and mine is not None and abs(one.value - mine) > 0.005 * abs(mine):
                    found.setdefault(f"{one.known.printed}|{one.known.source}", one.known)
        return tuple(sorted(found.values(), key=lambda one: one.claim))[:4]

    def _unknown(self, figure: TextFigure, line: int, near: Sequence[ClaimCard]) -> CheckedFigure:
        """Nobody states it: out of line with what is published of the thing, or unknown, with who states the figure otherwise."""
        nearest = self._nearest(figure)
        if (usable := self._out_of_line(figure, nearest)) is not None:
            count = len({one.known.claim for one in usable})
            reason = (
                f"out of line: no source gives this for {usable[0].label}; {range_of(usable)} is known"
                f" ({count} {'claim' if count == 1 else 'claims'})"
            )
            return CheckedFigure(figure, line, "caution", reason, None, (), tuple(o.known for o in usable[:3]))
        if elsewhere := self._stated_otherwise(figure, near):
            why = f"not matched with a claim: {self._difference(figure, elsewhere[0])} [{elsewhere[0].id}]"
            is_of_it = self._subject_rank(figure, elsewhere[0]) is not None
            others = tuple(map(_known, elsewhere[:2]))
            return CheckedFigure(figure, line, "unknown", why, None, (), others, is_stated_otherwise=is_of_it)
        why = "nobody states it of this thing" if figure.subjects else "what it is said of is not named"
        kind, _ = self._canonical(figure)
        alike = tuple(one.known for one in nearest if one.kind == kind)
        return CheckedFigure(figure, line, "unknown", why, None, (), alike[:2])

    def _out_of_line(self, figure: TextFigure, nearest: Sequence[KnownNumber]) -> list[KnownNumber] | None:
        """The values that are published of the thing, where a figure of a metric that is named for certain is far from all."""
        kind, canonical = self._canonical(figure)
        if not nearest or nearest[0].kind != kind or canonical is None or not is_named_for_certain(figure):
            return None
        if figure.other_end is not None and (other := self._canonical(replace(figure, number=figure.other_end))[1]):
            canonical = min(canonical[0], other[0]), canonical[1], max(canonical[2], other[2])
        usable = [one for one in nearest if one.kind == kind and one.known.verdict != "wrong"]
        return usable if is_out_of_line(figure, canonical, usable) else None

    def _stated_otherwise(self, figure: TextFigure, near: Sequence[ClaimCard]) -> list[ClaimCard]:
        """The claims with the very figure that are about another thing, metric or baseline, or hold under other conditions."""
        told: list[tuple[tuple[int, int, bool, int, str], ClaimCard]] = []
        for card in near:
            subject, metric = self._subject_rank(figure, card), metric_rank(figure, card)
            is_of_it = figure.relation in RATIO_RELATIONS or is_other_part(figure, card)
            is_named = (metric == 0 and figure.metrics[0].confidence >= SURE) or (subject is not None and is_of_it)
            if (is_rare(figure, card) or is_named) and (is_same_print(figure, card) or same_value(figure, card)):
                apart = self._respects_apart(figure, card)
                rank = 9 if subject is None else subject
                told.append(((apart, rank, card.baseline is None, metric or 0, card.id), card))
        return [card for _, card in sorted(told, key=lambda one: one[0])]

    def _respects_apart(self, figure: TextFigure, card: ClaimCard) -> int:
        """In how many respects a claim says something else: thing, metric, baseline, conditions."""
        fits = self._baseline_fits(figure, card) and (card.baseline is not None or not figure.baselines)
        ranks = (self._subject_rank(figure, card), metric_rank(figure, card), self._agreed(figure, card))
        return (not fits) + ranks.count(None)

    def _difference(self, figure: TextFigure, card: ClaimCard) -> str:
        """In which way a claim with the very figure says something else."""
        subject, metric = card.subjects[0], (bare(card.metric) or "").replace("-", " ")
        if is_of_one(figure, card):
            return f"{card.figure.shown} is stated of one {subject.label or subject.id}"
        if self._subject_rank(figure, card) is None or is_of_a_whole(figure, card):
            return f"{card.figure.shown} is stated of {subject.label or subject.id}, {metric}"
        if not self._baseline_fits(figure, card):
            baseline = card.baseline and (card.baseline.label or card.baseline.id)
            return f"{card.figure.shown} is stated against {baseline or 'what is not named'}"
        if not holds_then(figure, card):
            return f"{card.figure.shown} is stated for {held_at(card)}"
        if self._agreed(figure, card) is None:
            return f"{card.figure.shown} is stated {_other_conditions(figure, card)}"
        return f"{card.figure.shown} is stated of it as {metric}"

    def _nearest(self, figure: TextFigure) -> list[KnownNumber]:
        """The values that are published of the first subject and metric, nearest first."""
        if not figure.subjects or not figure.metrics:
            return []
        _, canonical = self._canonical(figure)
        found = [
            one
            for one in self._numbers.of(figure.subjects[0].value)
            if one.metric == figure.metrics[0].value and _agrees(figure, one)
        ]
        at = float(canonical[1]) if canonical is not None else 0.0
        return sorted(found, key=lambda one: (abs(one.value - at), one.known.claim))


def _how_held(number: PrintedNumber | None) -> Callable[[TextFigure, ClaimCard], bool] | None:
    """How a number without one exact value ("dozens", a span) is held against a claim; None for any other."""
    if number is not None and number.shape == "magnitude":
        return is_same_print
    return same_value if number is not None and isinstance(number.value, tuple) else None


def _other_conditions(figure: TextFigure, card: ClaimCard) -> str:
    """The conditions of a claim that are others than those of the text, in words."""
    known = stated_conditions(card.conditions)
    stated = ((name, value) for name, value in figure.conditions.items() if name in known)
    other = [f"{name} {known[name].replace('-', ' ')}" for name, value in stated if not is_among(value, known[name])]
    return f"for {', '.join(other)}" if other else "of a run that is not named here"


def _misprinted(one: CheckedFigure, slip: Slip, meant: Sequence[ClaimCard]) -> CheckedFigure:
    """A figure that is a known value but for a slip: wrong where that is confirmed."""
    # the print of a cell may leave its unit to the header
    unitless = {card.id: (bare(card.figure.unit) or "") not in (card.worded or "") for card in meant}
    card = min(meant, key=lambda card: (-SEVERITY[card.verdict], unitless[card.id], card.id))
    joined = "; " if slip.figure.relation in RATIO_RELATIONS else " "
    reason = f"{slip.words}{joined}{card.worded}, which is stated of it [{card.id}]"
    is_sure = card.verdict == "confirmed"
    return replace(
        one,
        verdict="wrong" if is_sure else "caution",
        reason=reason,
        value_to_use=card.worded if is_sure else None,
        others=tuple(map(_known, meant[:3])),
        is_stated_otherwise=True,
    )


def _as_the_text_has_it(figure: TextFigure, card: ClaimCard, verdict: Verdict) -> tuple[Verdict, str, str | None]:
    """Verdict, reason and value to use of the claim that a figure is matched with, where the text has it otherwise than the claim."""
    verdict, reason, value = _as_printed(figure, card, verdict)
    if not figure.is_denied or card.polarity == "negated":
        return verdict, reason, value
    if verdict == "wrong":  # who denies what is refuted is right
        return "unverified", f"the sentence denies it, as does what is known: {reason}", None
    return "caution", f"the sentence denies what is stated: {reason}", None


def _as_printed(figure: TextFigure, card: ClaimCard, verdict: Verdict) -> tuple[Verdict, str, str | None]:
    """The same by the print alone: the value to use itself, a figure with sparsity that is called dense."""
    reason, value = card.verdict_reason, card.value_to_use
    if is_of_several(figure, card):
        return _divided(figure, card)
    if _is_put_right(figure, card):
        return "unverified", f"the value to use in place of {card.worded}, which {card.id} prints", value
    is_bare = card.figure.hedge is None and same_value(figure, card) and verdict in ("confirmed", "unverified")
    if is_bare and figure.hedge in STRICT_LOWER | STRICT_UPPER and not figure.is_denied:
        return "caution", f"{card.worded} itself is stated, not {figure.hedge.replace('-', ' ')} it: {reason}", value
    if figure.conditions.get("sparsity") == "dense" and _is_sparse(card):
        reason = f"a figure with sparsity, twice the dense one, and the text says without: {reason}"
        values = values_of_number(figure.number)
        return "wrong", reason, f"{float(values[0]) / 2:g} {figure.unit}" if len(values) == 1 else None
    return verdict, reason, value


def _speaking_of(figure: TextFigure, same: list[ClaimCard]) -> list[ClaimCard]:
    """Without claims of several devices, or that are put right to this very figure, where another says just what the text says."""
    plain = [card for card in same if not is_of_several(figure, card) and not _is_put_right(figure, card)]
    return plain or same


def _is_put_right(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether the value to use in place of a claim is the figure itself."""
    number, _, unit = (card.value_to_use or "").partition(" ")
    plain = number.replace(",", "")
    is_number = plain.replace(".", "", 1).isdecimal()
    return unit == figure.unit and is_number and (Fraction(plain),) == values_of_number(figure.number)


def _divided(figure: TextFigure, card: ClaimCard) -> tuple[Verdict, str, str | None]:
    """The same of a figure that the text says of each device, and the claim of several together."""
    count = devices_of(card)
    if count is None:
        of = card.level if card.normaliser == "unstated" else card.normaliser.replace("-", " ").removeprefix("per ")
        return "caution", f"{card.figure.shown} is stated of one {of}, not per {figure.per} [{card.id}]", None
    value = f"{card.figure.values[0] / count:,.6g} {figure.unit}" if len(card.figure.values) == 1 else None
    reason = f"{card.figure.shown} is the sum of {count:g} accelerators, not the figure per {figure.per} [{card.id}]"
    return "wrong", reason, value


def _is_sparse(card: ClaimCard) -> bool:
    """Whether a peak is confirmed by a data sheet that gives it with sparsity."""
    stated = stated_conditions(card.conditions).get("sparsity", "")
    return short_name(stated) == "sparse" or (not stated and _WITH_SPARSITY in card.verdict_reason)


def _agrees(figure: TextFigure, known: KnownNumber) -> bool:
    return all(
        name not in known.conditions or is_among(value, known.conditions[name])
        for name, value in figure.conditions.items()
    )


def _buckets_of(row: Row) -> Iterator[str]:
    """The buckets that a claim lies in, as `trace/number` gives it."""
    if row["printed"] is not None:
        yield f"print:{print_key(str(row['printed']))}"
    if row["value"] is not None:
        yield f"raw:{bucket(float(row['value']))}"
    if row["canonical_value"] is not None and row["quantity_kind"] is not None:
        yield f"{row['quantity_kind']}:{bucket(float(row['canonical_value']))}"


def _known(card: ClaimCard) -> KnownValue:
    subject: Thing = card.subjects[0]
    return KnownValue(
        card.id,
        subject.label or subject.id,
        bare(card.metric) or card.metric,
        card.figure.shown or "",
        card.verdict,
        card.verdict_reason,
        card.source.label or card.source.id,
        card.value_to_use,
    )
