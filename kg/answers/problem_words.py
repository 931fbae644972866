"""A problem in words: what is wrong, what is right, what falls with it, and where to read on."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from kg.answers.asking import plain
from kg.answers.claim import shown_figure
from kg.answers.findings import FindingCard, Involved
from kg.audit.advice import in_its_unit
from kg.audit.problems import Accusation, Problem
from kg.audit.wording import printed_form
from kg.model.recorded import ClaimRecord

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_SHOWN: Final = 3
_NAMED: Final = 2
_WITHIN: Final = {False: " and ", True: " or "}
"""What is between two values of one text, by whether another text has further ones."""
_TOWARDS: Final = {"increase": " higher", "decrease": " lower"}
"""What a percentage says of the other figure, by the relation."""
_EXPLAINED: Final = re.compile(r" \([^()]*\)")
"""What a label explains in parentheses."""


@dataclass(frozen=True, slots=True)
class ToldProblem:
    """A problem in words, with what it is made of."""

    rank: int
    severity: str
    damage: float
    wrong: str
    right: str
    instead: tuple[str, ...]
    """Each value to use, and instead of which figure."""
    falls: str
    command: str
    claims: tuple[str, ...]
    findings: tuple[str, ...]
    lost: tuple[str, ...]
    """The claims that fall, reverse or weaken with it."""
    source: str

    @property
    def lost_in_short(self) -> str:
        """What falls, without the claims.

        >>> ToldProblem(1, "", 1, "", "", (), "4 claims rest on it: 2 weaken ([a/b])", "", (), (), (), "").lost_in_short
        '2 weaken'
        """
        rest, _, lost = self.falls.partition(" (")[0].partition(": ")
        if lost:
            return lost
        number = rest.partition(" ")[0]
        return f"{number} to reread" if number.isdigit() else "nothing rests on it"

    @property
    def right_in_short(self) -> str:
        """The value to use instead of the figure that the entry opens with."""
        return self.instead[0].partition(" instead of ")[0] if self.instead else "not known"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class ProblemWriter:
    """Puts problems into three lines each."""

    graph: "Opened"
    cards: Mapping[str, FindingCard]
    claims: Mapping[str, ClaimRecord]
    doubts: Mapping[str, Collection[str]]
    """The findings on the unit of a claim, by code."""
    to_use: Mapping[str, str]
    """The value to use of claims that are put right: every command says the same."""
    is_asked: Callable[[str], bool]
    """Whether a claim is about what was asked for: a problem of many figures opens with one of these."""

    def told(self, problem: Problem, rank: int) -> ToldProblem:
        """A problem in words."""
        leading = _leading(problem, self.is_asked)
        corrected = sorted(problem.corrected, key=lambda pair: pair[1].id != leading.id)
        instead = tuple(dict.fromkeys(self._instead(name, one) for name, one in corrected))
        return ToldProblem(
            rank,
            problem.severity,
            round(problem.damage, 2),
            self._wrong(problem, leading),
            _right(instead),
            instead,
            self._falls(problem),
            self._command(problem, leading),
            problem.claims,
            tuple(one.id for one in problem.accusations),
            tuple(one.claim for one in problem.lost),
            problem.first.source,
        )

    def _wrong(self, problem: Problem, first: Accusation) -> str:
        others = len(problem.claims) - 1
        more = f" (and {others} more of this cause)" if others else ""
        # a conflict has no culprit: both sides are named, with the texts that state them
        if first.code in ("conflict.conflict", "conflict.possible"):
            return f"{self._at_odds(first)}{more}"
        # what is found of a column or of a whole text has no figure to name: its message says it
        # all
        if first.claim not in self.claims or first.code.startswith("conflict."):
            return f"{first.message.rstrip('.')}{more}"
        if first.is_of_a_column:
            text = first.message.rstrip(".").replace(":", f" ({first.source.removeprefix('source/')}):", 1)
            return f"{text[0].upper()}{text[1:]}{more}"
        explained = first.code.startswith("arithmetic.") and first.reasons and not first.is_excused
        reason = first.reasons[0][1] if explained else first.message
        if first.code == "arithmetic.inconsistent":
            computed = self.cards[first.id].computed_value
            if not first.reasons and computed is not None:
                reason = (
                    f"the figures it is computed from give {self._shown(first.claim, Fraction(computed), first.unit)}"
                )
            return f"{self._named(first)} is wrong: {reason}{more}"
        own = self._own(first)
        shown = (own.shown if own is not None else None) or ""
        return f"{self._named(first)}: {_EXPLAINED.sub('', reason).removeprefix(f'{shown} is ')}{more}"

    def _at_odds(self, accusation: Accusation) -> str:
        """The values of a conflict, each with the texts that give it."""
        card = self.cards[accusation.id]
        shown: dict[float | str, str] = {}
        texts: dict[float | str, list[str]] = {}
        for one in card.claims:
            words = one.role.partition(": ")[2] or one.shown or ""
            value = words if one.canonical_value is None else one.canonical_value
            shown.setdefault(value, words)
            texts.setdefault(value, []).append((one.source or "").removeprefix("source/"))
        by_texts: dict[str, list[str]] = {}
        for value, names in texts.items():
            by_texts.setdefault(", ".join(dict.fromkeys(names)), []).append(shown[value])
        # values that the same texts state belong together; another text then says one or the other of them
        values = "; ".join(f"{_WITHIN[len(by_texts) > 1].join(some)} ({names})" for names, some in by_texts.items())
        sure = (
            "contradict each other"
            if accusation.code == "conflict.conflict"
            else "differ more than what they state explains"
        )
        return f"{_EXPLAINED.sub('', accusation.message.partition(':')[0])}: {values} {sure}"

    def _named(self, accusation: Accusation) -> str:
        """The figure or the words of a claim with what it is about."""
        own = self._own(accusation)
        if own is None:
            return accusation.claim
        shown = own.shown or f'"{own.statement}"'
        if shown.endswith("%"):
            shown += _TOWARDS.get(self.claims.get(accusation.claim, {}).get("relation", "absolute"), "")
        about = _short(own.subject_label) or own.subject
        other = own.baseline if own.baseline != own.subject else None
        against = f" against {_short(own.baseline_label) or other}" if other else ""
        metric = (own.metric or "no metric").replace("-", " ")
        return f"{shown} ({about}{against}, {metric}; {accusation.source.removeprefix('source/')})"

    def _own(self, accusation: Accusation) -> Involved | None:
        card = self.cards[accusation.id]
        return next((one for one in card.claims if one.claim == accusation.claim), None)

    def _instead(self, name: str, accusation: Accusation) -> str:
        assert accusation.corrected is not None
        shown = self.to_use.get(name) or self._shown(name, accusation.corrected, accusation.unit)
        quantity = self.claims.get(name, {}).get("quantity") or {}
        printed = shown_figure(quantity.get("printed"), quantity.get("unit"))
        return f"{shown} instead of {printed}" if printed else shown

    def _shown(self, name: str, value: Fraction, unit: str | None) -> str:
        """A value in the form that a claim prints."""
        shown = printed_form(value, unit, self.claims.get(name, {}), self.graph.lexicon.units)
        return in_its_unit(shown, self.doubts.get(name, ()))

    def _falls(self, problem: Problem) -> str:
        if not problem.affected:
            return "nothing recorded rests on it"
        counts = {
            word: sum(one.outcome == word for one in problem.affected) for word in ("reverses", "falls", "weakens")
        }
        lost = ", ".join(
            f"{number} {word if number == 1 else _PLURAL[word]}" for word, number in counts.items() if number
        )
        named = "; ".join(self._statement(one.claim) for one in problem.lost[:_NAMED])
        rest = f"{len(problem.affected)} claim{'' if len(problem.affected) == 1 else 's'} rest{'s' if len(problem.affected) == 1 else ''} on it"
        return f"{rest}: {lost} ({named})" if lost else f"{rest} and must be read again"

    def _statement(self, name: str) -> str:
        record = self.claims.get(name, {})
        printed = (record.get("quantity") or {}).get("printed")
        return f"{printed} [{name}]" if printed else f"[{name}]"

    def _command(self, problem: Problem, first: Accusation) -> str:
        if first.claim not in self.claims:
            return f"kg audit --findings --source {first.source.removeprefix('source/')} --rule {first.code}"
        if len(problem.claims) > 1 and first.cause is not None:
            return f"kg audit --findings --source {first.source.removeprefix('source/')} --rule {first.code}"
        # figures at odds open with all of them, and lead to the one in doubt
        return f"kg trace {problem.claims[0] if first.code.startswith('conflict.') else first.claim}"


def _leading(problem: Problem, is_asked: Callable[[str], bool]) -> Accusation:
    """What a problem opens with: a figure that was asked about, of the same kind where it can be.

    Where a conflict has a known culprit, it is that one, for its right value stands below.
    """
    if not is_asked(problem.first.claim):
        asked = [one for one in problem.accusations if is_asked(one.claim)]
        asked.sort(key=lambda one: one.code != problem.first.code)
        return asked[0] if asked else problem.first
    if not problem.first.code.startswith("conflict."):
        return problem.first
    known = (one for _, one in problem.corrected if not one.code.startswith("conflict."))
    return next(known, problem.first)


def _short(label: str | None) -> str:
    """A label without what it explains in parentheses, and without the word that tells a series from its variants.

    >>> _short("NVIDIA GB200 GPU (one Blackwell GPU of a GB200 superchip)"), _short("NVIDIA H200 series"), _short(None)
    ('NVIDIA GB200 GPU', 'NVIDIA H200', '')
    """
    return _EXPLAINED.sub("", label or "").replace(" series", "")


def _right(instead: Sequence[str]) -> str:
    if not instead:
        return "no better value is known"
    more = f"; and {len(instead) - _SHOWN} more" if len(instead) > _SHOWN else ""
    return "; ".join(instead[:_SHOWN]) + more


_PLURAL: Final = {"reverses": "reverse", "falls": "fall", "weakens": "weaken"}
