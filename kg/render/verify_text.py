"""Claims of a ratio or an order compared with published results, as text."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kg.answers.claim import TRAINING_TIME, shown_value
from kg.answers.published_rows import RUNS
from kg.answers.verification import MeasuredRatio, UsedRow, Verification, Verified, by_reason
from kg.model.counting import counted
from kg.model.verdict import MEASURED_VERDICTS
from kg.render.claim_words import condition_words
from kg.render.lines import row, table, wrapped
from kg.render.lines import rows as labelled_rows


def verification_lines(
    found: Verification, claims: Sequence[Verified], shown: Sequence[Verified], *, brief: bool, about: str | None = None
) -> Iterator[str]:
    """The answer, then the claims of `shown`, in `brief` without the rows behind them.

    Where it is `about` something, the answer is what is claimed of it and what results give; else which claims fail.
    """
    if claims and (found.asked is not None or about is not None):
        yield from _answer(claims, about)
    else:
        yield from wrapped(_opening(claims))
    for one in shown:
        yield ""
        yield from _brief(one) if brief else _claim(one, ids=found.asked is not None)
    yield from _reasons(found, claims)
    if found.asked is None and shown:
        yield ""
        yield f"Next: kg verify {shown[0].claim} (the rows behind it)"


def _opening(claims: Sequence[Verified]) -> str:
    """What published results say of all claims: which fail, the worst first, which hold in one reading only, how many hold."""
    if not claims:
        return "There is no claim of a ratio or an order to hold against published results."
    bearing = [one for one in claims if one.verdict != "no-comparable"]
    whole = counted(len(claims), "claim") + " of a ratio or an order"
    if not bearing:
        return f"No published result bears on any of the {whole}."
    partly = [one for one in bearing if one.verdict in _PARTLY]
    parts = [_contradicted(bearing)]
    parts += [f"{_what(one)} holds {_PARTLY[one.verdict]} ({_measured(one)})" for one in partly[:_NAMED]]
    parts += [f"{len(partly) - _NAMED} more hold in one reading only"] if len(partly) > _NAMED else []
    holding = sum(one.verdict == "supported" for one in bearing)
    parts += [f"{holding} {'holds' if holding == 1 else 'hold'}"] if holding else []
    return f"{'; '.join(parts)}. On the other {len(claims) - len(bearing)} of {whole} they do not bear."


def _contradicted(bearing: Sequence[Verified]) -> str:
    failing = [one for one in bearing if one.verdict == "contradicted"]
    whole = f"Published results contradict {len(failing) or 'none'} of the {len(bearing)} claims that they bear on"
    if not failing:
        return whole
    named = "; ".join(f"{_what(one)} ({_measured(one)})" for one in failing[:_NAMED])
    more = f", and {len(failing) - _NAMED} more" if len(failing) > _NAMED else ""
    return f"{whole}: {named}{more}"


_PARTLY: Final[Mapping[str, str]] = {
    "supported-system-only": "for whole systems only",
    "supported-per-accelerator-only": "per accelerator only",
}
_NAMED: Final = 2


def _answer(claims: Sequence[Verified], about: str | None) -> Iterator[str]:
    """What is claimed and what published results give, in a sentence; of several claims those that results bear on most."""
    bearing = [one for one in claims if one.readings and any(reading.ratios for reading in one.readings)]
    named = [one for one in claims if one.baseline is not None]
    best = (bearing or named or claims)[0]
    given = _results(best)
    if len(claims) == 1:
        right = f"its own rows, put right, give {best.value_to_use}; " if best.value_to_use else ""
        shown = given or f"no published result bears on it: {best.reason}"
        yield from wrapped(f"{_what(best)} is claimed; {right}{shown}.")
        return
    of = f" about {about}" if about else ""
    if given:
        rest = f"; results bear on {len(bearing)} of the {counted(len(claims), 'claim')}{of}"
        yield from wrapped(f"{_what(best)} is claimed; {given}{rest}.")
    else:
        several = counted(len(claims), "claim")
        yield from wrapped(f"No published result bears on any of the {several}{of}, such as {_what(best)}.")
    yield from _counts(claims)


def _what(one: Verified) -> str:
    """The claim in a few words."""
    return _title(one).split(": ", 1)[1]


def _results(one: Verified) -> str | None:
    """What published results give for a claim, by reading, with the verdict."""
    measured = _measured(one)
    return f"{measured} ({one.verdict})" if measured else None


def _measured(one: Verified) -> str | None:
    """What published results give for a claim, by reading."""
    readings = []
    for reading in one.readings:
        values = [ratio.ratio for ratio in reading.ratios]
        if values:
            low, high = f"{min(values):.3g}", f"{max(values):.3g}"
            readings.append(f"{low if low == high else f'{low} to {high}'} {reading.basis.replace('-', ' ')}")
    return f"results give {' and '.join(readings)}" if readings else None


def _counts(claims: Sequence[Verified]) -> Iterator[str]:
    counts = Counter(one.verdict for one in claims)
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in MEASURED_VERDICTS if counts[verdict])
    yield from wrapped(
        f"{counted(len(claims), 'claim')} of a ratio or an order against published results: {summary or 'none'}"
    )


def _reasons(found: Verification, claims: Sequence[Verified]) -> Iterator[str]:
    """Why no published result bears on the others, counted."""
    reasons = by_reason(claims) if found.asked is None else {}
    if not reasons:
        return
    yield ""
    yield from wrapped(f"{sum(reasons.values())} that no published result can bear on:")
    for why, number in list(reasons.items())[:_REASONS]:
        yield from row(f"{number}", why)
    if len(reasons) > _REASONS:
        yield from row(
            f"{sum(list(reasons.values())[_REASONS:])}",
            f"for {len(reasons) - _REASONS} other reasons (--format csv lists them)",
        )


_REASONS = 8


def _brief(one: Verified) -> Iterator[str]:
    """The verdict on a claim with its reason; `kg verify CLAIM` has the results."""
    yield from wrapped(_title(one), "  ", first="")
    yield from wrapped(f"{one.reason[:1].upper()}{one.reason[1:].rstrip('.')}.", "  ")
    yield f"  kg verify {one.claim}"


def _title(one: Verified) -> str:
    against = "nothing named" if one.baseline is None else one.baseline.name
    metric = one.metric.replace("-", " ")
    return f"{one.verdict}: {one.worded} {metric} of {one.subject.name} against {against}"


def _claim(one: Verified, *, ids: bool) -> Iterator[str]:
    yield from wrapped(_title(one))
    yield from row(
        "Claim", f"{one.claim}: {_ratio(one)}{'' if one.normaliser == 'unstated' else f', {one.normaliser}'}"
    )
    yield from row("Asserted by", f"{one.asserted_by.name} in {one.source}")
    if one.conditions:
        yield from row("Conditions", condition_words(one.conditions))
    yield from row("Reason", one.reason)
    yield from row("Verdict", f"{one.number_verdict} (kg trace {one.claim} has the reason)")
    if one.value_to_use:
        yield from row("Value to use", f"{one.value_to_use}, by the rows it rests on, put right")
    rows = [_ratio_row(reading.basis, ratio) for reading in one.readings for ratio in reading.ratios]
    yield from table(
        ("basis", "scenario", "round", "best ratio", "of means", "all pairs", "best result", "against", "differs in"),
        rows,
    )
    if ids and rows:
        used = [end for reading in one.readings for ratio in reading.ratios for end in (ratio.subject, ratio.baseline)]
        yield from labelled_rows("Rows used", dict.fromkeys(end.claim for end in used))


def _ratio_row(basis: str, ratio: MeasuredRatio) -> tuple[str, ...]:
    return (
        basis,
        ratio.scenario.rpartition("/")[2],
        " and ".join(dict.fromkeys((ratio.subject.round, ratio.baseline.round))),
        f"{ratio.ratio:.3g}",
        f"{ratio.mean:.3g}" if ratio.pairs > 1 else "",
        f"{ratio.lower:.3g} to {ratio.upper:.3g}" if ratio.pairs > 1 else "",
        _row(ratio.subject, basis),
        _row(ratio.baseline, basis),
        "; ".join(ratio.reasons),
    )


def _ratio(one: Verified) -> str:
    if one.direction is not None:
        return f"{one.direction.replace('-', ' ')}, no figure"
    ends = [None if end is None else f"{end:.3g}" for end in (one.ratio_lower, one.ratio_upper)]
    if None in ends:
        return f"a ratio of {f'at least {ends[0]}' if ends[0] else f'at most {ends[1]}'}"
    return f"a ratio of {ends[0]} to {ends[1]}"


def result_text(used: UsedRow, basis: str) -> str:
    """A result as the field prints it: a training run by its time, or by its time times the accelerators."""
    value = used.per_accelerator if basis == "per-accelerator" else used.total
    # A training result is recorded in runs per second, so that higher is better everywhere; people
    # read its time.
    if used.unit == RUNS and value:
        return f"{shown_value(1 / value, 's', metric=TRAINING_TIME)}{' of one accelerator' if basis == 'per-accelerator' else ' a run'}"
    return f"{value:,.6g} {used.unit}{' each' if basis == 'per-accelerator' else ''}"


def _row(used: UsedRow, basis: str) -> str:
    return f"{result_text(used, basis)}, {used.accelerators} of {used.accelerator.rpartition('/')[2]}, {used.submitter} {used.entry}".rstrip()
