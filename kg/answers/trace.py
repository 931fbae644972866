"""The provenance of a number or of a claim: who prints it, where, where it comes from, whether it recomputes, what else
is said of the same thing, what rests on it, and whether it can be used."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from kg.answers.asking import Ask, Asker, number, plain, said, text
from kg.answers.claim import (
    ClaimCard,
    bare,
    read_cards,
    shown_figure,
    worded_figure,
)
from kg.answers.traced_claim import TracedClaim, traced_claims
from kg.ask.row_filters import condition_ids
from kg.errors import KgError, UsageError
from kg.model.counting import counted
from kg.model.identifiers import CLAIM_ID
from kg.model.result import Presented
from kg.model.verdict import NOT_TO_USE, VERDICTS, WORDS, Verdict, founded_verdict, said_with_value
from kg.model.vocabulary import RATIO_RELATIONS

if TYPE_CHECKING:
    from kg.answers.number import AskedNumber, Match
    from kg.model.units import UnitTable

MOST_CLAIMS: Final = 100
"""Claims shown in full for one number; the rest is counted."""
_CLAIM_ID: Final = re.compile(CLAIM_ID)


_ENTRY_ID: Final = re.compile(r"v?\d\.\d-0\d{3}")
"""The id of an entry of an MLPerf round, 5.1-0071: no range from 5.1 to 71."""


class UnknownClaim(UsageError):
    """No claim has this id."""

    code = "trace.unknown-claim"


class NearClaim(NamedTuple):
    """A claim that prints the same digits in another unit, or nearly the same where none has the same."""

    claim: str
    printed: str
    unit: str | None
    is_same: bool = True


class _TraceFields(NamedTuple):
    asked: str
    kind: Literal["number", "claim"]
    verdict: Verdict
    reason: str
    value: str | None
    reading: AskedNumber | None
    claims: tuple[TracedClaim, ...]
    found: int
    near: tuple[NearClaim, ...]
    questions: tuple[str, ...]
    about: tuple[str, ...] = ()
    """The names to which the claims are narrowed."""
    others: int = 0
    """How many claims state the number and are about something else."""


class Trace(Presented, _TraceFields):
    """The answer: first the verdict of the number, then every claim that states it."""

    __slots__ = ()

    @property
    def complete(self) -> bool:
        """Whether every claim found is shown."""
        return self.found == len(self.claims)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        return dict(sorted({**plain(self), "complete": self.complete}.items()))

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return self.asked, self.verdict, said_with_value(self.verdict, self.reason, self.value)

    @property
    def is_only_near(self) -> bool:
        """Whether nothing prints the number itself."""
        return bool(self.claims) and all(one.match is not None and one.match.kind == "near" for one in self.claims)

    @property
    def asked_of(self) -> str:
        """What was asked, with the names that it was narrowed to."""
        return f"{self.asked} about {' and '.join(self.about)}" if self.about else self.asked

    @property
    def sentence(self) -> str:
        """The verdict, its reason and the value to use; of a number that is only near, the verdict is that of the nearest."""
        said = said_with_value(self.verdict, self.reason, self.value)
        if self.is_only_near:
            return f"{self.asked}: {said[:1].lower()}{said[1:]}"
        words = WORDS[self.verdict].sentence
        # a reason that begins with the verdict goes on from it
        bare_words = words.removeprefix("is ")
        again = f"{bare_words[:1].upper()}{bare_words[1:]} for "
        rest = f" for {said.removeprefix(again)}" if said.startswith(again) else f". {said}"
        return f"{self.asked_of} {words}{rest}"


def trace(ask: Ask, asked: str | float, units: UnitTable, about: Sequence[str] = ()) -> Trace:
    """A claim where the text is the id of one, else a number, of which `about` leaves the claims about all these names."""
    given = (asked if isinstance(asked, str) else in_digits(asked)).strip()
    if _ENTRY_ID.fullmatch(given):
        raise UsageError(
            "is the id of an entry of an MLPerf round.",
            given=given,
            expected="a number, or the id of a claim",
            next_step=f"kg ask benchmarks/measured --only {given}",
        )
    if _CLAIM_ID.fullmatch(given):
        asker = Asker(ask)
        cards = read_cards(asker, [given])
        if cards:
            return _of_claim(asker, given, cards)
        try:
            return trace_number(ask, given, units, about)
        except KgError:
            if re.match(r"\d{1,6}/|[a-z]", given):
                raise _unknown(given) from None
            raise
    return trace_number(ask, given, units, about)


def in_digits(number: float) -> str:
    """A number of a program as one would type it.

    >>> in_digits(72428), in_digits(2.5), in_digits(72428.0), in_digits(1e22)
    ('72428', '2.5', '72428', '10000000000000000000000')
    """
    if not isfinite(number) or isinstance(number, bool):
        raise UsageError(given=str(number), expected='a number such as 72428 or "4.8 TB/s", or the id of a claim')
    digits = format(Decimal(str(number)), "f")
    return digits.removesuffix(".0")


def trace_claim(ask: Ask, claim: str) -> Trace:
    """The provenance of one claim; an unknown id is refused."""
    if not _CLAIM_ID.fullmatch(claim):
        raise _unknown(claim)
    asker = Asker(ask)
    cards = read_cards(asker, [claim])
    if not cards:
        raise _unknown(claim)
    return _of_claim(asker, claim, cards)


def _unknown(claim: str) -> UnknownClaim:
    return UnknownClaim(
        "is not the id of a claim.",
        given=claim,
        expected="an id such as 002/r1.gb200.offline.per-accelerator, or a number",
        next_step="kg find TEXT lists claims that match",
    )


def _of_claim(asker: Asker, claim: str, cards: Mapping[str, ClaimCard]) -> Trace:
    traced = traced_claims(asker, cards, {})
    one = traced[0].claim
    return Trace(
        claim, "claim", one.verdict, one.verdict_reason, usable_value(one), None, traced, len(traced), (), asker.used
    )


def trace_number(ask: Ask, asked: str, units: UnitTable, about: Sequence[str] = ()) -> Trace:
    """Every claim that prints this number or a value within half a percent of it, exact prints and figures first.

    With `about` those that are about each of these names, or by it: its subject, metric, baseline, speaker or source.
    What reads as no number ("$1.42/hr/GPU", "two years") is found where it is printed just so, else by the number it begins
    with where a name or "per chip" follows ("43% MFU"); else the error says why it cannot be read.
    """
    try:
        return _traced(ask, asked, units, about)
    except KgError:
        if (split := _before_words(ask, asked, units)) is None:
            raise
        figure, names = split
        return _traced(ask, figure, units, (*about, *names))


def _traced(ask: Ask, asked: str, units: UnitTable, about: Sequence[str]) -> Trace:
    """The trace of a number; raises where it cannot be read."""
    asker = Asker(ask)
    reading, matches, others = _read_and_matched(asker, asked, units)
    best = sorted(matches, key=lambda one: (*matches[one].rank, one))
    cards = read_cards(asker, best if about else best[:MOST_CLAIMS])
    if about:
        cards = _about_all(ask, cards, about)
    found = len(cards) if about else len(best)
    traced = traced_claims(asker, dict(islice(cards.items(), MOST_CLAIMS)), matches)
    near = () if about or traced else tuple(others[one] for one in sorted(others) if one not in matches)
    near = tuple(one for one in near if one.is_same) or near
    verdict, reason, usable = _joint_verdict(traced, _shown(reading))
    if about and not traced:
        reason = f"no claim about {' and '.join(about)} states it"
    if near:
        alike = read_cards(asker, [one.claim for one in near[:MOST_CLAIMS]]).values()
        reason = f"{reason}; {_in_other_units(list(alike), near)}"
    return Trace(
        reading.text,
        "number",
        verdict,
        reason,
        usable,
        reading,
        traced,
        found,
        near,
        asker.used,
        tuple(about),
        len(best) - found,
    )


def _before_words(ask: Ask, asked: str, units: UnitTable) -> tuple[str, tuple[str, ...]] | None:
    """The number that words begin with, and the words behind it where they name something; None where they are neither a name
    nor "per chip".
    """
    from kg.answers.number import is_number

    words = asked.split()
    place = next((one for one in range(len(words) - 1, 0, -1) if is_number(" ".join(words[:one]), units)), None)
    if place is None:
        return None
    figure, behind = " ".join(words[:place]), " ".join(words[place:])
    if words[place] in ("per", "each", "a"):
        return figure, ()
    return (figure, (behind,)) if _metric_or_things(ask, behind) else None


def _about_all(ask: Ask, cards: Mapping[str, ClaimCard], about: Sequence[str]) -> dict[str, ClaimCard]:
    """The claims that are about all these names, or by them."""
    covered = [_covered(ask, one) for one in about]
    return {name: card for name, card in cards.items() if all(_touches(card, ids) for ids in covered)}


def _covered(ask: Ask, name: str) -> set[str]:
    """What a name covers, of an organisation not what it makes, or the metric; one that nothing has is refused with names like it."""
    from kg.ask.id_names import ids_named

    return _metric_or_things(ask, name) or set(ids_named(ask, name, kind="", field="--about"))


def _metric_or_things(ask: Ask, name: str) -> set[str]:
    """The ids of what has a name, else of the metric that it is called."""
    from kg.ask.id_names import metric_called

    if things := {str(row["entity"]) for row in ask("names/resolve", thing=[name]).dicts()}:
        return things
    metric = metric_called(ask, name)
    return set() if metric is None else {f"metric/{metric}"}


def _touches(card: ClaimCard, ids: set[str]) -> bool:
    """Whether a claim is about one of these things, compares with it, states it as a condition, is said by it, reported from it
    or printed in it.
    """
    things = (*card.subjects, card.baseline, card.asserted_by, card.attributed_to, *card.path, card.source)
    named = {one.id for one in things if one is not None} | {f"metric/{card.metric}", *condition_ids(card.conditions)}
    return not ids.isdisjoint(named)


def _read_and_matched(
    asker: Asker, asked: str, units: UnitTable
) -> tuple[AskedNumber, dict[str, Match], dict[str, NearClaim]]:
    """How a number is read, the claims that fit, and those of its digits in another unit; raises where it cannot be read."""
    from kg.answers.number import as_printed, read_asked

    unreadable: KgError | None = None
    try:
        reading = read_asked(asked, units)
    except KgError as error:
        reading, unreadable = as_printed(asked), error
    matches, others = _matched(asker, reading)
    if unreadable is not None and not matches:
        reading, matches, others = _of_words_behind(asker, asked, units)
        if not matches and not others:
            raise unreadable
    if not matches and (whole := _completed(reading, others, units)) is not None:
        reading = whole
        matches, others = _matched(asker, reading)
    return reading, matches, others


def _of_words_behind(
    asker: Asker, asked: str, units: UnitTable
) -> tuple[AskedNumber, dict[str, Match], dict[str, NearClaim]]:
    """The claims that give this count of the things named; else those with the very digits in a unit that begins as asked."""
    from kg.answers.number import as_count, as_printed, with_cut_unit

    if (counted := as_count(asked, units)) is not None:
        matches, others = _matched(asker, counted)
        if matches:
            return counted, matches, others
    cut = with_cut_unit(asked, units)
    if cut is None:
        return as_printed(asked), {}, {}
    reading, whole = cut
    _, others = _matched(asker, reading)
    return reading, {}, {name: one for name, one in others.items() if one.unit in whole and one.is_same}


def _completed(reading: AskedNumber, others: Mapping[str, NearClaim], units: UnitTable) -> AskedNumber | None:
    """The number in the unit that its own begins, where the claims of its very digits have one such unit ("8.8 J" a token)."""
    from kg.answers.number import read_asked, units_begun_by

    begun = units_begun_by(reading.unit or "", units)
    whole = sorted({one.unit for one in others.values() if one.is_same and one.unit in begun})
    return (
        read_asked(f"{reading.values[0]} {whole[0]}", units) if len(whole) == 1 and len(reading.values) == 1 else None
    )


def _matched(asker: Asker, reading: AskedNumber) -> tuple[dict[str, Match], dict[str, NearClaim]]:
    """The claims that fit, each with how well, and those that print the same digits in another unit."""
    from kg.answers.number import Match, digits_differ, match_figure

    matches: dict[str, Match] = {}
    others: dict[str, NearClaim] = {}
    for row in asker.rows("trace/number", bucket=reading.buckets()):
        claim, value, printed = text(row, "claim"), number(row, "value"), said(row, "printed")
        unit = bare(said(row, "unit"))
        match: Match | None = None
        if reading.is_print(printed):
            match = Match("exact", 0.0 if value is None else value, 0.0, is_print=printed == reading.text)
        elif value is not None:
            match = match_figure(
                reading,
                value=value,
                unit=unit,
                canonical_value=number(row, "canonical_value"),
                quantity_kind=said(row, "quantity_kind"),
            )
        if match is None:
            if value is not None and (apart := digits_differ(reading, value)) is not None:
                others[claim] = NearClaim(claim, printed or "", unit, apart == 0)
        elif claim not in matches or match.rank < matches[claim].rank:
            matches[claim] = match
    return matches, others


def _in_other_units(cards: Sequence[ClaimCard], near: Sequence[NearClaim]) -> str:
    """How many claims print the digits in another unit; the most refuted of them, with its verdict where it is refuted."""
    worst = max(cards, key=lambda card: VERDICTS.index(card.verdict))
    judged = f", {worst.verdict}: {worst.verdict_reason}" if worst.verdict in NOT_TO_USE else ""
    states = "1 claim states" if len(near) == 1 else f"{len(near)} claims state"
    digits = "the same digits" if near[0].is_same else "nearly the same digits"
    return f"{states} {digits} in another unit, {worst.worded} [{worst.id}]{judged}"


def _shown(reading: AskedNumber) -> str:
    return shown_figure(reading.text, reading.unit) or reading.text


def usable_value(card: ClaimCard) -> str | None:
    """The better value where there is one; the printed one unless it must not be used."""
    return card.value_to_use or (card.worded if _is_usable(card) else None)


def _is_usable(card: ClaimCard) -> bool:
    """Whether what is printed may be offered: words alone are no value, and a multiple of what is not said is none either."""
    figure = card.figure
    only_words = card.statement is not None and figure.unit is None and not (figure.term or figure.date)
    of_nothing = card.relation in RATIO_RELATIONS and card.baseline is None and card.baseline_status == "unstated"
    return card.verdict not in NOT_TO_USE and not only_words and not of_nothing


def _as_meant(asked: str, cards: Sequence[ClaimCard]) -> str | None:
    """The number as those who may be used mean it; where they mean it differently, each way once."""
    usable = filter(_is_usable, cards)
    ways = dict.fromkeys(worded_figure(asked, card.figure.hedge, card.modality) for card in usable)
    shown = "; ".join(one for one in ways if one is not None)
    return shown if len(ways) == 1 else f"{shown} (see which claim says which)" if ways else None


def _joint_verdict(traced: Sequence[TracedClaim], asked: str) -> tuple[Verdict, str, str | None]:
    """One verdict for a number, with its reason and the value to use: that of the claims that state it or are nearest."""
    exact = [one.claim for one in traced if one.match is not None and one.match.kind != "near"]
    if exact:
        return _verdict_of_all(exact, asked)
    if not traced:
        return "unknown", "no claim states it", None
    nearest = _nearest(traced)
    verdict, reason, _ = _verdict_of_all(nearest, asked)
    better = dict.fromkeys(card.value_to_use for card in nearest if card.verdict == "wrong" and card.value_to_use)
    shown = f"{nearest[0].worded} [{nearest[0].id}]"
    return (
        verdict,
        f"no claim states it; the nearest, {shown}, {WORDS[verdict].sentence}: {reason}",
        next(iter(better)) if len(better) == 1 else None,
    )


def _nearest(traced: Sequence[TracedClaim]) -> list[ClaimCard]:
    """The claims whose value is nearest to the one asked for."""
    distances = [abs(one.match.difference) if one.match is not None else 0.0 for one in traced]
    least = min(distances)
    return [one.claim for one, distance in zip(traced, distances, strict=True) if distance <= least * (1 + 1e-9)]


def _verdict_of_all(cards: Sequence[ClaimCard], asked: str) -> tuple[Verdict, str, str | None]:
    """One verdict for claims that state the same number: the worst that was found, caution where only some are wrong."""
    verdict = founded_verdict(card.verdict for card in cards)
    better = tuple(dict.fromkeys(card.value_to_use for card in cards if card.value_to_use))
    value = None
    if verdict not in NOT_TO_USE and not better:
        value = _as_meant(asked, cards)
    elif len(better) == 1:
        value = f"{better[0]}{_where_put_right(cards, verdict)}"
    if len({card.verdict for card in cards}) == 1:
        reasons = tuple(dict.fromkeys(card.verdict_reason for card in cards))
        more = f" (and {len(reasons) - 1} more, see each claim)" if len(reasons) > 1 else ""
        return verdict, reasons[0] + more, value
    return verdict, _said_by_verdict(cards, verdict), value


def _where_put_right(cards: Sequence[ClaimCard], verdict: Verdict) -> str:
    """Of which of several claims that state one number another value is to be used: the others mean it as it is printed."""
    right = [card for card in cards if card.value_to_use]
    if len(right) == len(cards):
        return ""
    things = {card.subjects[0].label or card.subjects[0].id for card in right}
    others = {one.label or one.id for card in cards if not card.value_to_use for one in card.subjects}
    if len(things) == 1 and things.isdisjoint(others):
        return f" for {next(iter(things))}"
    if verdict in NOT_TO_USE and things == others:
        return ""
    return f" where it is {_put_right(right)}" if len(right) > 1 else f" for {right[0].id}"


def _put_right(cards: Sequence[ClaimCard]) -> str:
    """How what is wrong with the claims that have another value to use is called: the worst of their verdicts."""
    worst = max((card.verdict for card in cards), key=VERDICTS.index)
    return "doubtful" if worst == "caution" else worst


def _said_by_verdict(cards: Sequence[ClaimCard], first: Verdict) -> str:
    """What is found of which things, the joint verdict first, then the worst."""
    order = sorted({card.verdict for card in cards}, key=lambda word: (word != first, -VERDICTS.index(word)))
    sentences: list[str] = []
    for word in order:
        mine = [card for card in cards if card.verdict == word]
        things = list(dict.fromkeys(card.subject.label for card in mine))
        more = f" and {len(things) - 1} more" if len(things) > 1 else ""
        judged = "needs caution" if word == "caution" else word
        of = f"{judged} for {things[0]}{more} ({counted(len(mine), 'claim')})"
        sentences.append(f"{of}: {mine[0].verdict_reason.rstrip('.')}")
    return ". ".join(one[:1].upper() + one[1:] for one in sentences)
