"""The conditions of two claims compared in three values: equal, different, unstated.

What is implied counts as said (a benchmark task implies its model, a round its suite, `as_of` a date); what a curator
assumed does not. A broader word (training next to pre-training, 2024 next to 2024-12) leaves the question open.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from kg.audit.subjects import Subjects
from kg.model.conditions import condition_value
from kg.model.hedges import hedge_of
from kg.model.inserted_scale import SCALE_WORDS
from kg.model.names import name_key
from kg.model.recorded import ConditionDetailRecord, ConditionsRecord, ConditionValue

State = Literal["equal", "different", "unstated"]
Values = Mapping[str, frozenset[str]]
"""What a claim says: values by name of the condition. What it leaves open is not there."""

NOT_APPLICABLE: Final = "not applicable"
_OPEN: Final = frozenset({"unstated", "assumed"})
IMPLIED: Final = (
    ("task", "model", "model"),
    ("task", "suite", "benchmark"),
    ("round", "suite", "benchmark"),
    ("rounds", "suite", "benchmark"),
    ("scenario", "suite", "benchmark"),
    ("offer", "operator", "provider"),
)
"""What a condition implies: its name, the link of its thing that is followed, and the condition that counts as said then."""
_WHOLE_LISTS: Final = frozenset({"rounds", "includes", "excludes"})
"""Lists that mean all of their members together; any other list holds for each of them."""
_CONTENTS: Final = frozenset({"includes", "excludes"})
"""What a figure holds and what it leaves out: the one bears on the other."""
_NOTHING: Final = frozenset[str]()
_DATES: Final = frozenset({"date"})
_COUNTS: Final = frozenset({"accelerators", "context_length", "sequence_length", "training_tokens", "concurrency"})
_SCALES: Final = {
    "": 1,
    "k": 10**3,
    "K": 10**3,
    "M": 10**6,
    "B": 10**9,
    "T": 10**12,
    **{word: 10**power for word, power in SCALE_WORDS.items()},
}
# Meets "16k", "2,304" and "3 million"; the 8 of "8 MI300X" without a scale, and not the 300.
_AMOUNT = re.compile(rf"(?<![A-Za-z\d.])(\d[\d,]*(?:\.\d+)?)(?:\s*({'|'.join(filter(None, _SCALES))})(?![A-Za-z\d]))?")
_DAY = re.compile(r"\d{4}(-\d\d|-Q\d|-H\d)?(-\d\d)?")


class Compared(NamedTuple):
    """One condition of two claims; an empty side says nothing."""

    name: str
    state: State
    left: str = ""
    right: str = ""

    def swapped(self) -> "Compared":
        """The same, seen from the other claim."""
        return Compared(self.name, self.state, self.right, self.left)


def said(
    conditions: ConditionsRecord | None, subjects: Subjects, *, as_of: str | None = None
) -> dict[str, frozenset[str]]:
    """What the conditions of a claim say, with what they imply.

    >>> registry = {"task/t": {"kind": "benchmark-task", "label": "T", "model": "model/m"}}
    >>> sorted(said({"task": "task/t", "date": {"status": "unstated"}}, Subjects(registry)))
    ['model', 'task']
    """
    found: dict[str, frozenset[str]] = {}
    if not conditions:
        return {"date": frozenset({as_of})} if as_of is not None else found
    for name, given in conditions.items():
        values = _values(name, given)
        if values:
            found[name] = values
    for name, link, implied in IMPLIED:
        # a claim that records a condition as open is not overruled by what its task implies
        if name in found and implied not in found and implied not in conditions:
            reached = {subjects.linked(value, link) for value in found[name]}
            # tasks of several models imply none of them
            if len(reached) == 1 and (only := next(iter(reached))) is not None:
                found[implied] = frozenset({only})
    # a stated period answers when; the day next to it would be a second, narrower answer
    if as_of is not None and "date" not in conditions and "period" not in found:
        found["date"] = frozenset({as_of})
    return found


def _values(name: str, given: ConditionValue | ConditionDetailRecord) -> frozenset[str]:
    if isinstance(given, str) and name not in _CONTENTS:  # as most are
        return frozenset((given,))
    if isinstance(given, dict):
        status = given.get("status", "stated")
        if status in _OPEN:
            return frozenset()
        if status == "not-applicable":
            return frozenset({NOT_APPLICABLE})
    value = condition_value(given)
    if value is None:
        return frozenset()
    if isinstance(value, str) and name not in _CONTENTS:
        return frozenset((value,))
    parts = value if isinstance(value, list) else [value]
    if name in _CONTENTS:
        # authors write what a figure includes as one text with commas
        parts = [piece for part in parts for piece in re.split(r",\s*(?:and\s+)?", str(part)) if piece]
    return frozenset(str(part) for part in parts)


def compare(
    left: Values, right: Values, subjects: Subjects, *, needed: Iterable[tuple[str, ...]] = ()
) -> list[Compared]:
    """The conditions in which two claims differ, or that one of them leaves open, and those of `needed` that neither names.

    They come by name. Each group of `needed` asks for one of its names; the first represents the group.
    """
    found = []
    clashes = _clash(left, right)
    for name in sorted({*left, *right}):
        one, other = left.get(name, _NOTHING), right.get(name, _NOTHING)
        state: State = "unstated"
        if clashes and name in _CONTENTS:
            state = "different"
        elif one and other:
            state = state_of(name, one, other, subjects)
        if state != "equal":
            found.append(Compared(name, state, shown(one, subjects), shown(other, subjects)))
    open_ones = [
        Compared(group[0], "unstated") for group in needed if not any(name in left or name in right for name in group)
    ]
    return sorted((*found, *open_ones)) if open_ones else found


def _clash(left: Values, right: Values) -> bool:
    """Whether one claim includes what the other excludes: a difference, which would else stand as two open questions."""
    return any(
        not one["includes"].isdisjoint(other["excludes"])
        for one, other in ((left, right), (right, left))
        if "includes" in one and "excludes" in other
    )


def shown(values: frozenset[str], subjects: Subjects) -> str:
    """The values as a reader sees them."""
    if not values:
        return ""
    if len(values) == 1:
        return subjects.label(next(iter(values)))
    return ", ".join(sorted(subjects.label(value) for value in values))


def state_of(name: str, one: frozenset[str], other: frozenset[str], subjects: Subjects) -> State:
    """How one condition of two claims stands that both state.

    >>> state_of("precision", frozenset({"fp8"}), frozenset({"fp4"}), Subjects({}))
    'different'
    """
    if one == other or {_plain(name, v) for v in one} == {_plain(name, v) for v in other}:
        return "equal"
    if name == "rounds":
        # averages over two and over three rounds share results and are not of the same ones
        return "unstated" if one & other else "different"
    # a list of formats says that the figure holds in each of them: one in common is enough
    if name not in _WHOLE_LISTS and one & other:
        return "equal"
    if name in _CONTENTS:
        return "different"
    if any(_open(name, a, b, subjects) for a in one for b in other):
        return "unstated"
    return "different"


def _plain(name: str, value: str) -> object:
    """The form in which two ways to write a value are one."""
    span = _range(value) if name in _COUNTS else None
    return span if span is not None and span[0] == span[1] else _key(value)


_key: Final = lru_cache(maxsize=1 << 14)(name_key)
"""The few words of conditions are compared again and again."""


def _open(name: str, one: str, other: str, subjects: Subjects) -> bool:
    """Whether two values may be the same thing: one broader than the other, or one a name and the other words."""
    if subjects.kind(one) or subjects.kind(other):
        # an id and words may mean one thing; two ids do only where one is broader
        return bool(subjects.kind(one)) != bool(subjects.kind(other)) or subjects.broader(one, other)
    if name in _DATES:
        return not (_DAY.fullmatch(one) and _DAY.fullmatch(other)) or one.startswith(other) or other.startswith(one)
    if name in _COUNTS:
        a, b = _range(one), _range(other)
        return a is None or b is None or (a[0] <= b[1] and b[0] <= a[1])
    # fewer words are the broader name: training may be pre-training
    left, right = (set(_key(text).split()) for text in (one, other))
    return left <= right or right <= left


def _range(text: str) -> tuple[Fraction, Fraction] | None:
    """The numbers between which a count lies, None where it has none or only about.

    >>> _range("16k") == (16000, 16000), _range("576 to 2,304") == (576, 2304), _range("about 2,000")
    (True, True, None)
    >>> _range("8 MI300X") == (8, 8), _range("2 million") == (2 * 10**6, 2 * 10**6), _range("up to 64"), _range("At least 8")
    (True, True, None, None)
    """
    numbers = [Fraction(digits.replace(",", "")) * _SCALES[scale] for digits, scale in _AMOUNT.findall(text)]
    # two numbers are a range; of three nobody knows which are its ends
    if not numbers or len(numbers) > 2 or hedge_of(text) not in (None, "only"):
        return None
    return min(numbers), max(numbers)
