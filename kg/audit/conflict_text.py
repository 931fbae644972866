"""Findings of groups of values that were judged (`kg.audit.conflicts`): the values in order, who says them, what differs or
is left open, and what would settle it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from kg.audit.claim_links import Lookup
from kg.audit.comparable import ComparableFigure
from kg.audit.conditions import Compared
from kg.audit.finding import Finding, Reason, Severity
from kg.audit.pair import IDENTITY, Judgement
from kg.audit.reach import can_carry
from kg.audit.subjects import Subjects
from kg.audit.typo_explanations import typo_explanations
from kg.audit.wording import print_of, shortened
from kg.model.counting import first_of
from kg.model.interval import Interval

_CODES: Final[Mapping[str, tuple[str, Severity]]] = {
    "conflict": ("conflict.conflict", "violation"),
    "possible-conflict": ("conflict.possible", "warning"),
    "explained": ("conflict.explained", "info"),
    "uncarried": ("conflict.possible", "warning"),
}
EVIDENCE: Final[Mapping[str, str]] = {
    "sparsity": "whether the rate counts structured sparsity, which at most doubles it",
    "precision": "the number format",
    "normaliser": "whether it is per chip, per system or of the whole",
    "variant": "which variant of the series is meant",
    "subject": "whether the two things are meant to be one",
    "level": "the level (chip, server, rack) it is for",
    "statistic": "whether it is a mean, a peak or a single value",
    "modality": "what came true of what was expected",
    "baseline": "what it is compared with",
    "model": "the model that was run",
    "date": "the day or year it is for",
    "includes": "what is included",
    "excludes": "what is left out",
    "buyer": "who buys",
    "accelerators": "how many accelerators took part",
}
_SUSPICIOUS: Final = 3
"""With more than this many things left open, a difference is no ground for suspicion."""
_CLOSE: Final = Fraction(51, 50)
_SHOWN_VALUES, _SHOWN_SPEAKERS, _SHOWN_NAMES = 6, 3, 5
NAMED_VALUES: Final = 24
"""Up to this many different values a finding names the claims of all of them."""
_MOST_JUDGED: Final = 4
"""At most this many values of a larger group count as those that the others were judged against."""


class Statement(NamedTuple):
    """One content with the claims that make it, by id."""

    comparable: ComparableFigure
    names: tuple[str, ...]


class ConflictEdge(NamedTuple):
    """Two statements of a group that do not fit, by their places in the group."""

    one: int
    other: int
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class GroupDifferences:
    """The conditions of a group by name: those that differ, those left open that would settle it, and those that cannot
    account for a difference of this size."""

    differing: Mapping[str, Compared]
    unstated: Mapping[str, Compared]
    too_small: Mapping[str, Compared]


class ConflictFindings:
    """Makes findings of judged groups."""

    def __init__(self, subjects: Subjects, lookup: Lookup) -> None:
        self._subjects, self._lookup = subjects, lookup

    def found(self, verdict: str, edges: Sequence[ConflictEdge], statements: Sequence[Statement]) -> Finding:
        """The finding of a group of values that do not fit."""
        places = sorted(
            {place for edge in edges for place in (edge.one, edge.other)}, key=lambda n: _rank(statements[n].comparable)
        )
        values = self._by_value([statements[n] for n in places])
        code, severity = _graded(verdict, edges, values)
        # a second finding about the same claims needs a key of its own, or the two would have one id
        key = "uncarried" if verdict == "uncarried" else "1"
        verdict = "possible-conflict" if verdict == "uncarried" else verdict
        compared = self._sorted_out(edges, statements)
        listed, named = self._listed(values, edges, statements)
        repeats = [edge.judgement.repeats for edge in edges]
        return Finding(
            code=code,
            verdict=verdict,
            severity=severity,
            key=key,
            message=f"{self._about(values)}: {listed}. {_because(verdict, compared, repeats)}",
            claims=tuple(
                (name, f"value {n}: {self._printed(name)}") for n, one in enumerate(named, 1) for name in one.names
            ),
            # of values that their conditions account for none is a slip
            reasons=tuple(self._slips(named)) if verdict != "explained" else (),
            missing=tuple(compared.unstated) if verdict == "possible-conflict" else (),
        )

    def _listed(
        self, values: Sequence[Statement], edges: Sequence[ConflictEdge], statements: Sequence[Statement]
    ) -> tuple[str, Sequence[Statement]]:
        """The values of a group in words, and those whose claims the finding names.

        A large group is one figure, or the ends of a few runs, against each row of a published table. Whoever asks about
        one of a thousand rows is not helped by a list of the others, so those are named that the rows were judged
        against, their neighbours, and the lowest and the highest of all.
        """
        if len(values) <= NAMED_VALUES:
            more = f"; and {len(values) - _SHOWN_VALUES} more values" if len(values) > _SHOWN_VALUES else ""
            return "; ".join(self._value(one.names) for one in values[:_SHOWN_VALUES]) + more, values
        places = {self._worth(one): n for n, one in enumerate(values)}
        met = Counter(places[self._worth(statements[n])] for edge in edges for n in (edge.one, edge.other))
        most = max(met.values())
        # The figure that was held against the rows meets nearly all of them, a row meets few. Half
        # of the most leaves room for two or three such figures, and still none for a row.
        judged = [place for place, count in met.most_common(_MOST_JUDGED) if count * 2 >= most]
        last = len(values) - 1
        near = {near for place in judged for near in range(max(place - 1, 0), min(place + 2, len(values)))}
        said = "; ".join(self._value(values[place].names) for place in sorted(judged))
        others = len(values) - len(judged)
        span = f"{self._value(values[0].names)} to {self._value(values[last].names)}"
        return f"{said}; against {others:,} others from {span}", [values[n] for n in sorted({0, last, *near})]

    def _sorted_out(self, edges: Sequence[ConflictEdge], statements: Sequence[Statement]) -> GroupDifferences:
        """What the pairs of a group differ in or leave open, by whether it could account for the distance of the figures."""
        settling = [(edge.judgement, self._may_settle(edge, statements)) for edge in edges]
        return GroupDifferences(
            differing=_merged(one for edge in edges for one in edge.judgement.differing),
            unstated=_merged(one for judged, may in settling if may for one in judged.unstated),
            too_small=_merged(
                one for judged, may in settling if not may for one in (*judged.differing, *judged.unstated)
            ),
        )

    @staticmethod
    def _may_settle(edge: ConflictEdge, statements: Sequence[Statement]) -> bool:
        """Whether what a pair leaves open is enough to make up for the distance of its figures."""
        one, other, judged = statements[edge.one].comparable, statements[edge.other].comparable, edge.judgement
        return can_carry(one, other, (*judged.differing, *judged.unstated))

    def agreed(self, statement: Statement, origins: int) -> Finding:
        """The finding of a value that several say."""
        return Finding(
            code="conflict.agree",
            verdict="agree",
            severity="info",
            message=f"{self._about([statement])}: {self._value(statement.names)}. {origins} separate claims agree.",
            claims=tuple((name, f"value 1: {self._printed(name)}") for name in statement.names),
        )

    def restated(self, origin: ComparableFigure, comparable: ComparableFigure, changed: Sequence[Compared]) -> Finding:
        """The finding of a repetition that keeps the figure and changes what it is about."""
        parts = ", ".join(f"{one.name} {one.left} becomes {one.right}" for one in map(_in_words, changed))
        return Finding(
            code="conflict.restated-differently",
            verdict="conflict",
            severity="warning",
            message=f"{self._about([Statement(origin, (origin.id,))])}: {self._printed(comparable.id)} is repeated, but {parts}.",
            claims=((comparable.id, "repetition"), (origin.id, "repeated")),
        )

    def _by_value(self, statements: Sequence[Statement]) -> list[Statement]:
        """Statements in order, those with the same value as one, however many digits and whichever unit each prints."""
        found: dict[tuple[Any, ...], Statement] = {}
        for one in statements:
            key = self._worth(one)
            known = found.get(key)
            found[key] = (
                one if known is None else Statement(known.comparable, tuple(sorted({*known.names, *one.names})))
            )
        return list(found.values())

    def _worth(self, one: Statement) -> tuple[Any, ...]:
        """What makes two statements one value of a list: the middle of the figure and its hedge, else its terms."""
        quantity = (self._lookup(one.names[0]) or {}).get("quantity") or {}
        value, hedge = quantity.get("value"), quantity.get("hedge")
        # the middle of a range is not what it says: 1 to 3 and 2 are not one value
        if one.comparable.figure is None or value is None or isinstance(value, list):
            return one.comparable.figure, one.comparable.terms
        return _twice_middle(one.comparable.figure), hedge, one.comparable.terms

    def _about(self, values: Sequence[Statement]) -> str:
        comparables = [one.comparable for one in values]
        subjects = sorted({name for comparable in comparables for name in comparable.subjects})
        roots = sorted({self._subjects.root(name) for name in subjects})
        # a finding on one variant names it; one across variants is about their series
        shown = subjects if len(subjects) == 1 else roots
        metrics = sorted({comparable.metric for comparable in comparables})
        baselines = sorted({comparable.baseline for comparable in comparables if comparable.baseline})
        against = (
            f" against {' or '.join(map(self._subjects.label, baselines))}"
            if comparables[0].relation != "absolute" and baselines
            else ""
        )
        about = " and ".join(metrics).replace("-", " ")
        return f"{about} of {', '.join(map(self._subjects.label, shown))}{against}"

    def _value(self, names: Sequence[str]) -> str:
        speakers = list(dict.fromkeys(self._speaker(name) for name in names))
        return f"{self._printed(names[0])} ({first_of(speakers, _SHOWN_SPEAKERS)})"

    def _speaker(self, name: str) -> str:
        record = self._lookup(name) or {"asserted_by": name, "source": ""}
        # the words in brackets behind a name say whose text it is, as the source does
        speaker = self._subjects.label(record["asserted_by"]).partition(" (")[0]
        source = record["source"].partition("/")[2] or name
        return speaker if source in speaker.split() else f"{speaker} in {source}"

    def _printed(self, name: str) -> str:
        quantity = (self._lookup(name) or {}).get("quantity") or {}
        return _in_unit(print_of(quantity), str(quantity.get("unit") or ""), str(quantity.get("hedge") or ""))

    def _slips(self, values: Sequence[Statement]) -> list[Reason]:
        found: dict[str, Reason] = {}
        # only neighbours: a slip between the ends of a long list is met by chance
        for low, high in pairwise(values):
            one, other = low.comparable.figure, high.comparable.figure
            if one is not None and other is not None and one.disjoint(other):
                digits = (_digits(self._printed(low.names[0])), _digits(self._printed(high.names[0])))
                for reason in typo_explanations(one, other, metric=low.comparable.metric, digits=digits):
                    found.setdefault(reason.code, reason)
        return list(found.values())


@lru_cache(maxsize=1 << 12)
def _in_unit(printed: str, unit: str, hedge: str) -> str:
    """A print with the unit and the hedge that it leaves out; a finding names one figure several times."""
    bare, hedge = shortened(" ".join(printed.split()), unit), hedge.replace("-", " ")
    shown = (
        f"{bare} {unit}"
        if unit not in ("", "1") and unit[:6] != "count:" and bare[-1:].isdigit() and bare[:1] != "$"
        else bare
    )
    return f"{hedge} {shown}" if hedge and not shown.startswith(hedge) else shown


def _is_close(values: Sequence[Statement]) -> bool:
    """Whether all values lie within two per cent: another rounding or another unit does that, and it misleads hardly anyone."""
    middles = [_twice_middle(one.comparable.figure) for one in values if one.comparable.figure is not None]
    return len(middles) == len(values) and min(middles) > 0 and max(middles) <= min(middles) * _CLOSE


def _loose(judgement: Judgement) -> bool:
    """Whether a pair is far apart: a series next to one of its variants, a gain over nobody knows what, or too much open."""
    far = any(one.name == "variant" or _is_nameless_baseline(one) for one in judgement.unstated)
    return far or len(judgement.unstated) > _SUSPICIOUS


def _is_nameless_baseline(condition: Compared) -> bool:
    return condition.name == "baseline" and not (condition.left and condition.right)


def _rank(comparable: ComparableFigure) -> tuple[Any, ...]:
    return _twice_middle(comparable.figure), sorted(comparable.terms), comparable.id


def _twice_middle(figure: Interval | None) -> Fraction:
    """The sum of the ends, twice the one that is there: middles are compared only, so that none need be divided."""
    low, high = (None, None) if figure is None else (figure.lower, figure.upper)
    if low is None or high is None:
        low = high = (high if low is None else low) or Fraction(0)
    return low + high


def _merged(compared: Iterable[Compared]) -> dict[str, Compared]:
    found: dict[str, Compared] = {}
    for one in compared:
        found.setdefault(one.name, one)
    return found


def _because(verdict: str, compared: GroupDifferences, repeats: Sequence[bool]) -> str:
    if verdict == "explained":
        names = [
            f"{one.name.replace('_', ' ')} ({one.left or 'not said'} / {one.right or 'not said'})"
            for one in list(compared.differing.values())[:_SHOWN_NAMES]
        ]
        return f"Explained by {', '.join(names)}."
    if verdict == "conflict":
        changed = "One repeats another with a changed figure." if any(repeats) else ""
        return changed if all(repeats) else f"All are stated under the same conditions. {changed}".strip()
    return _what_would_settle(compared.unstated, compared.too_small)


def _what_would_settle(unstated: Mapping[str, Compared], too_small: Mapping[str, Compared]) -> str:
    # what the figure is of comes before the conditions under which it was taken
    ranked = sorted(unstated, key=lambda name: name not in IDENTITY)
    names = [f"{EVIDENCE.get(name, f'the {name}')} ({name})" for name in ranked[:_SHOWN_NAMES]]
    text = f"They may be of different things: it would settle this to know {'; '.join(names)}." if names else ""
    if not too_small:
        return text
    little = f"{' and '.join(map(_named, too_small.values()))} cannot account for"
    if text:
        return f"{text} For some of them it would not: {little} that."
    return f"{little[0].upper()}{little[1:]} a difference of this size and direction."


def _graded(verdict: str, edges: Sequence[ConflictEdge], values: Sequence[Statement]) -> tuple[str, Severity]:
    """The code and the severity of a group's finding."""
    code, severity = _CODES[verdict]
    # a violation says that the figure is not to be used; within two per cent that would be too much
    if verdict == "conflict" and _is_close(values):
        return code, "warning"
    # with this much left open two figures differ more often than they agree: a hint, not an accusation
    possible = verdict in ("possible-conflict", "uncarried")
    loose = possible and (all(_loose(edge.judgement) for edge in edges) or _is_sparsity_unsaid(edges, values))
    return (code, "info") if loose else (code, severity)


def _is_sparsity_unsaid(edges: Sequence[ConflictEdge], values: Sequence[Statement]) -> bool:
    """Whether two rates are a factor of two apart where one leaves open what makes a factor of two."""
    middles = [_twice_middle(one.comparable.figure) for one in values if one.comparable.figure is not None]
    open_ = all(any(one.name == "sparsity" for one in edge.judgement.unstated) for edge in edges)
    if not open_ or len(middles) != len(values) or min(middles) <= 0:
        return False
    return 2 / _CLOSE <= max(middles) / min(middles) <= 2 * _CLOSE


def _in_words(condition: Compared) -> Compared:
    """A condition with metrics as people write them; other values are labels already."""
    if condition.name != "metric":
        return condition
    return condition._replace(left=condition.left.replace("-", " "), right=condition.right.replace("-", " "))


def _named(condition: Compared) -> str:
    """A condition with what the two claims say of it."""
    if not condition.left and not condition.right:
        return f"{condition.name}, which no side states,"
    return f"{condition.name} ({condition.left or 'not said'} / {condition.right or 'not said'})"


def _digits(printed: str) -> str:
    """The leading number of a printed figure, its digits only.

    >>> _digits("$1,408.50 a month"), _digits("4.8 TB/s")
    ('140850', '48')
    """
    number = ""
    for letter in printed:
        if letter.isdigit() or (number and letter in ",."):
            number += letter
        elif number:
            break
    return "".join(letter for letter in number if letter.isdigit()).lstrip("0")
