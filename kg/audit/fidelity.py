"""What changed between a claim and the claim it repeats, field by field, most severe first; for `kg.audit.citation`.

Only recorded fields are compared. What a field cannot hold (tone, order, a word left out) stays with the reader.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, get_args

from kg.model.conditions import condition_value, count_value
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord, ConditionDetailRecord, ConditionsRecord, ConditionValue
from kg.model.vocabulary import Fidelity

ConditionStated = ConditionValue | ConditionDetailRecord | None

NEGATED: Final = "a negation was put in or left out"
GRAVITY: Final[tuple[Fidelity, ...]] = (
    "not-found",
    "value-changed",
    "modality-raised",
    "attribution-changed",
    "subject-broadened",
    "condition-dropped",
    "hedge-dropped",
    "wording-altered",
    "condition-added",
    "rounded",
    "unit-changed",
    "identical",
    "unverified",
)
"""All fidelities, the most severe first."""
assert set(GRAVITY) == set(get_args(Fidelity))

_SOFT = frozenset(("expected", "assumed", "opinion", "recommended"))
_EMPHASIS: Final = frozenset({"only"})
"""Words next to a figure that value it and bound nothing: without them the same is said."""
OF_THE_WHOLE: Final = frozenset({"scale-up-domain"})
"""Metrics of a system that its chips are said to have too: reported of a chip the figure is no other."""
_SUMMED: Final = {"accelerators": "accelerators_mean", "round": "rounds"}
"""Conditions of one result, and what a row that averages results has in their place."""
_PLAIN_VALUES = ("term", "date", "set", "absent")


@dataclass(frozen=True, slots=True)
class FidelityChange:
    """One difference; `by_context` where the words around it in the same text may carry what is not repeated."""

    fidelity: Fidelity
    text: str
    by_context: bool = False
    is_of_kind: bool = False
    """Whether the number is one of another kind of thing, which a reader has to hear first."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Compares the fields of two claims."""

    canonical: Callable[[ClaimRecord], CanonicalFigure | None]
    covers: Mapping[str, Collection[str]]
    """What lies below a thing (kg.model.names.descendants): a family covers its variants."""
    label: Callable[[str], str] = str
    """What people call a thing, given its id."""

    def changes(self, later: ClaimRecord, earlier: ClaimRecord) -> tuple[FidelityChange, ...]:
        """What the later claim made of the earlier one, most severe first; nothing where it says the same."""
        found = [
            *self._figure(later, earlier),
            *_standing(later, earlier),
            *self._attribution(later, earlier),
            *self._things(later, earlier),
            *_about(later, earlier),
            *self._conditions(later, earlier),
        ]
        return tuple(sorted(found, key=lambda change: (not change.is_of_kind, GRAVITY.index(change.fidelity))))

    def _figure(self, later: ClaimRecord, earlier: ClaimRecord) -> Iterator[FidelityChange]:
        now, before = later.get("quantity") or {}, earlier.get("quantity") or {}
        if any(now.get(key) != before.get(key) for key in _PLAIN_VALUES):
            yield FidelityChange("value-changed", "another value that is not a number")
        if (now.get("value") is None) != (before.get("value") is None):
            yield FidelityChange(
                "value-changed", "a figure was left out" if now.get("value") is None else "a figure was put in"
            )
        elif now.get("value") is not None:
            yield from self._numbers(later, earlier)
        elif later.get("direction") != earlier.get("direction"):
            text = f"direction {earlier.get('direction')} became {later.get('direction')}"
            # of another quality, or next to another thing, the other word may say the same
            yield FidelityChange("value-changed" if _is_one_quality(later, earlier) else "wording-altered", text)
        yield from _hedge(now.get("hedge"), before.get("hedge"))

    def _numbers(self, later: ClaimRecord, earlier: ClaimRecord) -> Iterator[FidelityChange]:
        now, before = self.canonical(later), self.canonical(earlier)
        if now is None or before is None or now.kind != before.kind:
            same = (
                later["quantity"]["value"] == earlier["quantity"]["value"]
                and later["quantity"]["unit"] == earlier["quantity"]["unit"]
            )
            if not same and later["quantity"]["value"] == earlier["quantity"]["value"]:
                units = f"{earlier['quantity']['unit']} became {later['quantity']['unit']}"
                yield FidelityChange("unit-changed", units, is_of_kind=True)
            elif not same:
                yield FidelityChange("value-changed", "figures of different kinds, or without a sound unit")
            return
        # two figures reported as a range are both kept: each original is one of its ends
        joined = now.high is not None and before.high is None and before.value in (now.value, now.high)
        if (now.value, now.high) != (before.value, before.high) and not joined:
            # 3.63 repeated as 3.6 is rounding, as 3.7 it is another figure
            if now.interval.overlaps(before.interval):
                yield FidelityChange("rounded", f"{_printed(earlier)} became {_printed(later)}")
            else:
                yield FidelityChange("value-changed", f"{_printed(earlier)} became {_printed(later)}")
        if later["quantity"]["unit"] != earlier["quantity"]["unit"]:
            yield FidelityChange("unit-changed", f"{earlier['quantity']['unit']} became {later['quantity']['unit']}")

    def _things(self, later: ClaimRecord, earlier: ClaimRecord) -> Iterator[FidelityChange]:
        before, now = _set(earlier), _set(later)
        if before != now and not self._is_of_the_whole(later, earlier):
            yield FidelityChange(
                *self._moved(earlier["subject"], later["subject"], "subject-broadened", "wording-altered")
            )
        # a moved subject brings its level along: one change
        elif before == now and later["level"] != earlier["level"]:
            yield FidelityChange("wording-altered", f"level {earlier['level']} became {later['level']}")
        old, new = earlier.get("baseline"), later.get("baseline")
        if old and not new:
            # what the words do not name cannot be left out
            implied = earlier.get("baseline_status") == "implied"
            yield FidelityChange("condition-dropped", f"without the baseline {self.label(old)}", by_context=implied)
        elif new and not old:
            yield FidelityChange("condition-added", f"the baseline {self.label(new)} was put in")
        elif old and new and old != new:
            yield FidelityChange(*self._moved(old, new, "condition-dropped", "condition-dropped"))

    def _is_of_the_whole(self, later: ClaimRecord, earlier: ClaimRecord) -> bool:
        """Whether chips are said to have what the system of theirs has."""
        return earlier["metric"] in OF_THE_WHOLE and earlier["subject"] in self.covers.get(later["subject"], ())

    def _moved(self, old: str, new: str, broadened: Fidelity, other: Fidelity) -> tuple[Fidelity, str]:
        text = f"{self.label(old)} became {self.label(new)}"
        if old in self.covers.get(new, ()):
            return broadened, text
        return ("condition-added", text) if new in self.covers.get(old, ()) else (other, text)

    def _attribution(self, later: ClaimRecord, earlier: ClaimRecord) -> Iterator[FidelityChange]:
        # to name who said it first is no change; to name nobody, or somebody else, is
        speakers = {earlier["asserted_by"], earlier.get("attributed_to")} - {None}
        if later.get("attributed_to") and later["attributed_to"] not in speakers:
            yield FidelityChange("attribution-changed", f"put down to {self.label(later['attributed_to'])}")
        elif later["asserted_by"] not in speakers and not later.get("attributed_to"):
            text = f"said by {self.label(earlier['asserted_by'])}, repeated in the voice of {self.label(later['asserted_by'])}"
            yield FidelityChange("attribution-changed", text, by_context=later["source"] == earlier["source"])

    def _conditions(self, later: ClaimRecord, earlier: ClaimRecord) -> Iterator[FidelityChange]:
        sides = [(later.get("conditions") or {}, earlier.get("conditions") or {})]
        # without its baseline a claim has lost the conditions of it as well: one change
        if later.get("baseline") or not earlier.get("baseline"):
            sides.append((later.get("baseline_conditions") or {}, earlier.get("baseline_conditions") or {}))
        for now, before in sides:
            summed = {name for pair in _SUMMED.items() if _is_one_of_many(before, now, *pair) for name in pair}
            for name in sorted({*now, *before} - summed):
                yield from self._condition(name, now.get(name), before.get(name))
        if earlier.get("as_of") and later.get("as_of") != earlier["as_of"]:
            near = later["source"] == earlier["source"] and not later.get("as_of")
            yield FidelityChange("condition-dropped", f"no longer of {earlier['as_of']}", by_context=near)

    def _condition(self, name: str, now: ConditionStated, before: ConditionStated) -> Iterator[FidelityChange]:
        new, old = _known(now), _known(before)
        name = name.replace("_", " ")
        if new == old:
            if new is not None and _is_stated(before) and not _is_stated(now):
                yield FidelityChange("condition-dropped", f"{name} {_short(old)} is not said again", by_context=True)
            return
        # what a curator inferred from around the original was never printed
        # in it, so nothing was left out
        if new is None and not _is_stated(before):
            return
        if new is None:
            yield FidelityChange("condition-dropped", f"without {name} {_short(old)}")
        elif old is None:
            if _is_stated(now):
                yield FidelityChange("condition-added", f"{name} {_short(new)} was put in")
        elif isinstance(new, str) and isinstance(old, str) and new in self.covers.get(old, ()):
            yield FidelityChange("condition-added", f"{name} {_short(old)} became {_short(new)}")
        else:
            yield FidelityChange("condition-dropped", f"{name} {_short(old)} became {_short(new)}")


def _hedge(now: str | None, before: str | None) -> Iterator[FidelityChange]:
    """An "up to" or "about" that was left out, put in or exchanged.

    >>> changes = _hedge(None, "up-to"), _hedge(None, "only"), _hedge("about", "up-to"), _hedge("about", None)
    >>> [(one.fidelity, one.text) for found in changes for one in found]
    [('hedge-dropped', 'without "up to"'), ('wording-altered', '"up to" became "about"'), ('wording-altered', '"about" was put in')]
    """
    if now == before:
        return
    if before and not now:
        # without "only" the figure bounds the same values
        if before not in _EMPHASIS:
            yield FidelityChange("hedge-dropped", f'without "{_words(before)}"')
    elif before:
        yield FidelityChange("wording-altered", f'"{_words(before)}" became "{_words(now)}"')
    else:
        yield FidelityChange("wording-altered", f'"{_words(now)}" was put in')


def _is_one_quality(later: ClaimRecord, earlier: ClaimRecord) -> bool:
    """Whether two statements are about one metric of one thing compared with one other, so that opposite words are opposite."""
    return all(later.get(name) == earlier.get(name) for name in ("metric", "subject", "baseline"))


def _standing(later: ClaimRecord, earlier: ClaimRecord) -> Iterator[FidelityChange]:
    now, before = later.get("modality", "stated"), earlier.get("modality", "stated")
    if before in _SOFT and now not in _SOFT:
        yield FidelityChange("modality-raised", f"{before} became {now}")
    elif now != before:
        yield FidelityChange("wording-altered", f"{before} became {now}")
    if later.get("polarity", "affirmed") != earlier.get("polarity", "affirmed"):
        yield FidelityChange("value-changed", NEGATED)


def _about(later: ClaimRecord, earlier: ClaimRecord) -> Iterator[FidelityChange]:
    if later["metric"] != earlier["metric"]:
        yield FidelityChange("wording-altered", f"{_words(earlier['metric'])} became {_words(later['metric'])}")
    for name, blank in (("statistic", (None,)), ("normaliser", ("unstated", "total"))):
        now, before = later.get(name, blank[0]), earlier.get(name, blank[0])
        if now == before or (now in blank and before in blank):
            continue
        if now in blank:
            yield FidelityChange("condition-dropped", f'without "{_words(before)}"')
        elif before in blank:
            yield FidelityChange("condition-added", f'"{_words(now)}" was put in')
        else:
            yield FidelityChange("wording-altered", f'"{_words(before)}" became "{_words(now)}"')


def _words(value: object) -> str:
    """A word of a closed list as people write it: per chip; several with commas."""
    return ", ".join(map(_words, value)) if isinstance(value, list) else str(value).replace("-", " ")


def _is_one_of_many(before: ConditionsRecord, now: ConditionsRecord, one: str, many: str) -> bool:
    """Whether a row that sums up several says what the one it repeats says: the mean of one, a list that holds it.

    >>> [_is_one_of_many({"accelerators": 8}, {"accelerators_mean": many}, "accelerators", "accelerators_mean") for many in (8, 9)]
    [True, False]
    """
    single, several = _known(before.get(one)), _known(now.get(many))
    if single is None or several is None:
        return False
    if isinstance(several, list):
        return single in several
    if single == several:
        return True
    count = count_value(single)
    return count is not None and count == count_value(several)


def _set(record: ClaimRecord) -> frozenset[str]:
    return frozenset(record.get("subjects") or (record["subject"],))


def _printed(record: ClaimRecord) -> str:
    quantity = record["quantity"]
    return str(quantity.get("printed") or quantity["value"])


def _known(given: ConditionStated) -> str | list[str | int | float] | None:
    """The value of a condition, numbers as text; None where none is stated."""
    is_open = isinstance(given, Mapping) and given.get("status") in ("unstated", "not-applicable")
    value = None if is_open else condition_value(given)
    return str(value) if isinstance(value, int | float) else value


def _is_stated(given: ConditionStated) -> bool:
    return not isinstance(given, Mapping) or given.get("status", "stated") == "stated"


def _short(value: object) -> str:
    return ", ".join(map(_short, value)) if isinstance(value, list) else str(value).rpartition("/")[2]
