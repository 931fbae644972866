"""What follows from a correction, as text."""

from collections.abc import Iterator, Sequence

from kg.answers.impact import Consequences
from kg.audit.effects import Affected, Change, Touched
from kg.audit.outcome import OUTCOMES
from kg.model.exchange_form import subject_label
from kg.render.amounts import amount, span
from kg.render.lines import row, wrapped


def impact_lines(found: Consequences, affected: Sequence[Affected]) -> Iterator[str]:
    """What is corrected, how many claims it touches and how, then each of `affected`."""
    for change in found.impact.changes:
        yield from wrapped(_change(change, found), "  ", first="")
    counts = found.to_json()["counts"]
    touched = ", ".join(
        f"{counts[name]} {name.removesuffix('s')}" if counts[name] > 1 else f"1 {name}"
        for name in reversed(OUTCOMES)
        if name in counts
    )
    yield from row("then", touched or "nothing else is touched")
    for one in affected:
        yield ""
        yield from _affected(one, found)


def _change(change: Change, found: Consequences) -> str:
    before = "no figure" if change.before is None else span(change.before, change.unit)
    if change.after is None:
        return f"if {change.claim} ({before}) is withdrawn"
    return f"if {change.claim} is not {before} but {amount(change.after, change.unit)} ({found.assumed[change.claim]})"


def _affected(one: Affected, found: Consequences) -> Iterator[str]:
    record = found.claims[one.claim]
    subject = subject_label(record, found.labels) or record["subject"]
    what = record.get("statement") or f"{record['metric']} of {subject}"
    yield from wrapped(f"{one.outcome}: {what}")
    printed = f"{one.printed or 'no figure'}" + (
        "" if one.holds is None else ", still fits" if one.holds else ", no longer fits"
    )
    yield from row("claim", f"{one.claim}, {printed} ({one.via}{'' if one.hop == 1 else f', {one.hop} steps away'})")
    for touched in one.touched[:6]:
        yield from row("" if touched is not one.touched[0] else "now", _touched(touched, one.unit))
    if len(one.touched) > 6:
        yield from row("", f"and {len(one.touched) - 6} more")
    for name, value in one.unchanged[:3]:
        yield from row("unchanged", f"{name}: {span(value, one.unit)}")
    if not one.touched:
        more = f" and {len(one.because) - 4} more" if len(one.because) > 4 else ""
        survives = one.outcome == "survives" or not one.because
        yield from row("because", "all that it rests on survives" if survives else ", ".join(one.because[:4]) + more)


def _touched(one: Touched, unit: str | None) -> str:
    before, after = ("nothing" if each is None else span(each, unit) for each in (one.before, one.after))
    name = one.expression if one.name.isdigit() else f"{one.name}: {one.expression}"
    return f"{name} was {before}, is {after}: {one.outcome}"
