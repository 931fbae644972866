"""What follows from a correction, as text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import shorten
from typing import Final

from kg.answers.impact import Consequences
from kg.audit.effects import Affected, Change, Touched
from kg.audit.wording import ratio_form
from kg.model.counting import first_of
from kg.model.exchange_form import subject_label
from kg.render.amounts import prefixed, span
from kg.render.lines import row, width, wrapped

_WRONG_BEFORE: Final = "wrong before"
_ORDER: Final = ("reverses", "falls", _WRONG_BEFORE, "weakens", "survives")
"""The order in which outcomes are listed."""


def impact_lines(found: Consequences, affected: Sequence[Affected], *, is_brief: bool = False) -> Iterator[str]:
    """What falls if it is wrong, in a sentence; then each of `affected`, in `is_brief` its words and id, and what to type next."""
    changes = [_change(change, found) for change in found.impact.changes]
    affected = sorted(affected, key=lambda one: _ORDER.index(_becomes(one)))
    counts = Counter(map(_becomes, found.impact.affected))
    touched = [_counted(name, counts[name]) for name in _ORDER if counts[name]]
    on_what = "it" if len(changes) == 1 else "them"
    consequence = f"of the claims that rest on {on_what} {_and(touched)}" if touched else "nothing else is touched"
    if len(changes) == 1:
        yield from wrapped(f"If {changes[0]}, {consequence}.", "  ", first="")
    else:
        yield from wrapped(f"If {len(changes)} claims are corrected, {consequence}.", "  ", first="")
        for change in changes:
            yield from wrapped(change, "    ", first="  ")
    outcome = ""
    for one in affected:
        if is_brief:
            yield from ["", _becomes(one)] if _becomes(one) != outcome else []
            yield from _listed(one, found)
            outcome = _becomes(one)
        else:
            yield ""
            yield from _affected(one, found)
    if found.impact.changes:
        yield ""
        yield f"Next: kg trace {(affected[0] if affected else found.impact.changes[0]).claim}"


def _becomes(one: Affected) -> str:
    """What becomes of a claim; a computed figure that did not fit before either cannot fall with another."""
    was_wrong = (
        one.outcome == "survives"
        and one.holds is False
        and not one.fitted
        and any(touched.before is not None for touched in one.touched)
    )
    return _WRONG_BEFORE if was_wrong else one.outcome


def _counted(word: str, number: int) -> str:
    """A verb of the outcomes with its number."""
    if word == _WRONG_BEFORE:
        return f"{number} {'was' if number == 1 else 'were'} wrong before"
    return f"{number} {word if number == 1 else word.removesuffix('s')}"


def _and(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _change(change: Change, found: Consequences) -> str:
    before = "no figure" if change.before is None else span(change.before, change.unit)
    if change.after is None:
        return f"{change.claim} ({before}) is withdrawn"
    relation = found.claims[change.claim].get("relation", "absolute")
    computed = ratio_form(change.after, relation) or prefixed(change.after, change.unit)
    after = found.right.get(change.claim, computed)
    return f"{change.claim} is not {before} but {after} ({found.assumed[change.claim]})"


def _listed(one: Affected, found: Consequences) -> Iterator[str]:
    """A claim in a line or two: its id, then as much of what it says as fits."""
    printed = one.printed or "no figure"
    yield f"  {one.claim}"
    yield "    " + shorten(f"{printed}: {_said(one, found)}", width() - 4, placeholder=" …")


def _said(one: Affected, found: Consequences) -> str:
    """What a claim says in words, or of what it gives a figure."""
    record = found.claims[one.claim]
    subject = subject_label(record, found.labels) or record["subject"]
    return record.get("statement") or f"{record['metric'].replace('-', ' ')} of {subject}"


def _affected(one: Affected, found: Consequences) -> Iterator[str]:
    yield from wrapped(f"{_becomes(one)}: {_said(one, found)}")
    printed = f"{one.printed or 'no figure'}" + (
        "" if one.holds is None else ", still fits" if one.holds else ", no longer fits"
    )
    yield from row("Claim", f"{one.claim}, {printed} ({one.via}{'' if one.hop == 1 else f', {one.hop} steps away'})")
    for touched in one.touched[:6]:
        yield from row("" if touched is not one.touched[0] else "Then", _touched(touched, one.unit))
    if len(one.touched) > 6:
        yield from row("", f"and {len(one.touched) - 6} more")
    if also := found.also_wrong.get(one.claim):
        names = " ".join((*(change.claim for change in found.impact.changes), *also))
        yield from row("Also wrong", f"{', '.join(also)}; both put right: kg impact {names}")
    for name, value in one.unchanged[:3]:
        yield from row("Unchanged", f"{name}: {span(value, one.unit)}")
    if not one.touched:
        survives = one.outcome == "survives" or not one.because
        yield from row("Reason", "all that it rests on survives" if survives else first_of(one.because, 4))


def _touched(one: Touched, unit: str | None) -> str:
    before, after = ("nothing" if each is None else span(each, unit) for each in (one.before, one.after))
    name = one.expression if one.name.isdigit() else f"{one.name}: {one.expression}"
    return f"{name} was {before}, is {after}: {one.outcome}"
