"""The provenance of a number or of a claim: who prints it, where, where it comes from, whether it recomputes, what else
is said of the same thing, what rests on it, and whether it can be used."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import islice
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from kg.answers.asking import Ask, Asker, plain
from kg.answers.claim import ClaimCard, read_cards, shown_figure
from kg.answers.joint_verdict import joint_verdict, usable_value
from kg.answers.number_search import NearClaim, read_and_matched
from kg.answers.traced_claim import TracedClaim, traced_claims
from kg.ask.bind import checked_words
from kg.ask.row_filters import condition_ids
from kg.errors import KgError, UsageError
from kg.model.counting import claims_state, is_or_are
from kg.model.identifiers import CLAIM_ID
from kg.model.result import Presented
from kg.model.verdict import NOT_TO_USE, VERDICTS, WORDS, Verdict, said_with_value
from kg.model.vocabulary import pasted_id

if TYPE_CHECKING:
    from kg.answers.number import AskedNumber, Match
    from kg.answers.published_ratios import OfficialRatio
    from kg.model.units import UnitTable

MOST_CLAIMS: Final = 100
"""Claims shown in full for one number; the rest is counted."""
MOST_BESIDE: Final = 200
"""Claims of the same statement that are written next to one of these as JSON, those about the same thing first."""
_CLAIM_ID: Final = re.compile(CLAIM_ID)
_NOT_OPENED: Final = "; not opened here"
"""What the audit says of a data sheet whose figure is cited (`ontology/references.yaml`)."""
_WHO_LOOKED: Final = "Nobody opened the cited document here: look it up before you print (kg explain confirmed)"
_ENTRY_ID: Final = re.compile(r"v?\d\.\d-0\d{3}")
"""The id of an entry of an MLPerf round, 5.1-0071: no range from 5.1 to 71."""


class UnknownClaim(UsageError):
    """No claim has this id."""

    code = "trace.unknown-claim"


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
    things: tuple[str, ...] = ()
    """The hardware among the names."""
    stated_of: str | None = None
    """Of whom it is stated, where no claim states it of just the things that were named."""
    known: str | None = None
    """What is known of the thing that was named, where the number is not stated of it."""
    official: OfficialRatio | None = None
    """What official results give of the two things that a ratio was asked about."""
    near_found: int = 0
    """How many of the claims that were found do not state the number, but one within half a percent of it."""


class Trace(Presented, _TraceFields):
    """The answer: first the verdict of the number, then every claim that states it."""

    __slots__ = ()

    @property
    def complete(self) -> bool:
        """Whether every claim found is shown."""
        return self.found == len(self.claims)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted; of the claims next to another one the first `MOST_BESIDE`, and how many there are."""
        claims = [_claim_json(one) for one in self.claims]
        return dict(sorted({**plain(self._replace(claims=())), "claims": claims, "complete": self.complete}.items()))

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return self.asked, self.verdict, self.judgement

    @property
    def judgement(self) -> str:
        """The reason of the verdict and the value to use, then what is known of the thing that was named, and official results."""
        # what the audit says of each citation is said once, and plainly
        reason, was_cited = self.reason.replace(_NOT_OPENED, ""), _NOT_OPENED in self.reason
        # official results are the better value of a ratio that is doubted: that none is known is not said
        said = said_with_value("confirmed" if self.official else self.verdict, reason, self.value)
        further = (self.known, self.official and self.official.worded, _WHO_LOOKED if was_cited else None)
        return " ".join((said, *(f"{one[:1].upper()}{one[1:]}." for one in further if one)))

    @property
    def judged(self) -> str:
        """What was asked with its verdict, and of whom it is stated where that is another product."""
        words = WORDS[self.verdict].sentence
        of_another = f"{self.asked} is stated of {self.stated_of}, and {words}"
        return of_another if self.stated_of else f"{self.asked_of} {words}"

    @property
    def is_only_near(self) -> bool:
        """Whether nothing prints the number itself."""
        return 0 < self.found == self.near_found

    @property
    def how_many(self) -> str:
        """How many claims state the number, and how many only one near it."""
        if self.is_only_near:
            return f"{claims_state(self.found)} a figure within half a percent"
        near = f", {self.near_found} {is_or_are(self.near_found)} within 0.5 %" if self.near_found else ""
        return f"{claims_state(self.found - self.near_found)} it{near}"

    @property
    def asked_of(self) -> str:
        """What was asked, with the names that it was narrowed to."""
        return f"{self.asked} about {' and '.join(self.about)}" if self.about else self.asked

    @property
    def sentence(self) -> str:
        """The verdict, its reason and the value to use; of a number that is only near, the verdict is that of the nearest."""
        said = self.judgement
        if self.is_only_near:
            return f"{self.asked}: {said[:1].lower()}{said[1:]}"
        # a reason that begins with the verdict goes on from it
        bare_words = WORDS[self.verdict].sentence.removeprefix("is ")
        again = f"{bare_words[:1].upper()}{bare_words[1:]} for "
        rest = f" for {said.removeprefix(again)}" if said.startswith(again) else f". {said}"
        return f"{self.judged}{rest}"


def _claim_json(one: TracedClaim) -> dict[str, Any]:
    """A claim as JSON values; where the claims of its statement are cut, `same_statement_found` says how many there are."""
    # a hundred claims of one statement that thousands share would name them all a hundred times
    written = plain(one._replace(same_statement=one.same_statement[:MOST_BESIDE]))
    found = len(one.same_statement)
    return written if found <= MOST_BESIDE else dict(sorted({**written, "same_statement_found": found}.items()))


_LARGEST: Final = 1e300
"""Beyond every figure that is printed."""


def trace(ask: Ask, asked: str | float, units: UnitTable, about: Sequence[str] = ()) -> Trace:
    """A claim where the text is the id of one, else a number, of which `about` leaves the claims about all these names."""
    given = pasted_id(checked_words(asked if isinstance(asked, str) else in_digits(asked), "number").strip())
    for name in about:
        checked_words(name, "about")
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
            # what begins like an id is answered as one: that it reads as no number would help
            # nobody
            if re.match(r"\d{1,6}/|[a-z]", given):
                raise _unknown(given) from None
            raise
    return trace_number(ask, given, units, about)


def in_digits(number: object) -> str:
    """A number of a program as one would type it.

    >>> in_digits(72428), in_digits(2.5), in_digits(72428.0), in_digits(1e22), in_digits(Decimal("4.80"))
    ('72428', '2.5', '72428', '10000000000000000000000', '4.80')
    """
    plain = _plain(number)
    # not isfinite(), which refuses whole numbers that no float holds
    if plain is None or not -_LARGEST < plain < _LARGEST:
        # nor does Python print those of thousands of digits
        given = f"a number beyond {_LARGEST:g}" if type(number) is int else str(number)
        raise UsageError(given=given, expected='a number such as 72428 or "4.8 TB/s", or the id of a claim')
    digits = format(Decimal(str(plain)), "f")
    return digits.removesuffix(".0")


def _plain(number: object) -> int | float | Decimal | None:
    """A number as Python has it; those of numpy and pandas are no int and no float."""
    if isinstance(number, bool):
        return None
    if isinstance(number, Integral):
        return int(number)
    if isinstance(number, Decimal):
        return number if number.is_finite() else None
    if not isinstance(number, Real):
        return None
    # as it is printed: a float of half the size is 4.800000190734863 as one of Python
    return float(number) if isinstance(number, float | Rational) else float(str(number))


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
    reading, matches, others = read_and_matched(asker, asked, units)
    best = _ranked(matches)
    # names narrow all that was found; only what is left is cut
    cards = _about_all(ask, read_cards(asker, best), about) if about else read_cards(asker, best[:MOST_CLAIMS])
    found = list(cards) if about else best
    traced = traced_claims(asker, dict(islice(cards.items(), MOST_CLAIMS)), matches)
    near = () if about or traced else _nearest_digits(others, matches)
    shown = shown_figure(reading.text, reading.unit) or reading.text
    verdict, reason, usable = joint_verdict(with_equal_prints(traced, units), shown)
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
        len(found),
        near,
        asker.used,
        tuple(about),
        len(best) - len(found),
        near_found=sum(matches[one].kind == "near" for one in found),
    )


def _nearest_digits(others: Mapping[str, NearClaim], matches: Mapping[str, Match]) -> tuple[NearClaim, ...]:
    """The claims that print the digits in another unit: those with the same ones, else with nearly the same."""
    near = tuple(others[one] for one in sorted(others) if one not in matches)
    return tuple(one for one in near if one.is_same) or near


def claims_matched(ask: Ask, asked: str, units: UnitTable) -> dict[str, Match]:
    """All claims that `trace_number` finds, none of them cut, and how each prints the number; the best first."""
    try:
        names: tuple[str, ...] = ()
        _, matches, _ = read_and_matched(Asker(ask), asked, units)
    except KgError:
        if (split := _before_words(ask, asked, units)) is None:
            raise
        figure, names = split
        _, matches, _ = read_and_matched(Asker(ask), figure, units)
    best = _ranked(matches)
    about = _about_all(ask, read_cards(Asker(ask), best), names) if names else best
    return {one: matches[one] for one in about}


def _ranked(matches: Mapping[str, Match]) -> list[str]:
    return sorted(matches, key=lambda one: (*matches[one].rank, one))


def with_equal_prints(traced: Sequence[TracedClaim], units: UnitTable) -> list[TracedClaim]:
    """The claims for a joint verdict: one value to use that they print in two ways ("289712.00", "289,712.00") in one way."""
    printed: dict[object, str] = {}
    alike = []
    for one in traced:
        value = one.claim.value_to_use
        first = None if value is None else printed.setdefault(_amount(value, units), value)
        alike.append(one._replace(claim=one.claim._replace(value_to_use=first)))
    return alike


def _amount(value: str, units: UnitTable) -> object:
    """What tells a value to use from another: its number and unit, or its words where it is no number."""
    from kg.answers.number import read_asked

    try:
        read = read_asked(value, units)
    except KgError:
        return value
    return read.values, read.unit


def _before_words(ask: Ask, asked: str, units: UnitTable) -> tuple[str, tuple[str, ...]] | None:
    """The number that words begin with, and the words behind it where they name something; None where they are neither a name
    nor "per chip".
    """
    from kg.answers.number import is_number

    words = asked.split()
    # the longest beginning that is a number: of "3.1 million GPUs" it is "3.1 million"
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


def _in_other_units(cards: Sequence[ClaimCard], near: Sequence[NearClaim]) -> str:
    """How many claims print the digits in another unit; the most refuted of them, with its verdict where it is refuted."""
    worst = max(cards, key=lambda card: VERDICTS.index(card.verdict))
    judged = f", {worst.verdict}: {worst.verdict_reason}" if worst.verdict in NOT_TO_USE else ""
    digits = "the same digits" if near[0].is_same else "nearly the same digits"
    return f"{claims_state(len(near))} {digits} in another unit, {worst.worded} [{worst.id}]{judged}"
