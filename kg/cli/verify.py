"""`kg verify`: claims of a ratio or an order held against published results."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.grammar import claims_meant, meant_by, one_claim
from kg.cli.options import (
    Format,
    ListOptions,
    spread,
)
from kg.cli.screen import ExitCodeOption, WideOption, show_text
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.answers.verification import UsedRow, Verification, Verified
    from kg.session import Graph

VERDICTS = ("contradicted", "supported-system-only", "supported-per-accelerator-only", "supported", "no-comparable")
SHOWN = 20
"""Claims in full on a terminal."""
COLUMNS = (
    "claim",
    "verdict",
    "subject",
    "baseline",
    "metric",
    "normaliser",
    "printed",
    "ratio",
    "basis",
    "pair_verdict",
    "scenario",
    "rounds",
    "measured_ratio",
    "measured_mean",
    "measured_lower",
    "measured_upper",
    "pairs",
    "subject_row",
    "subject_entry",
    "subject_accelerators",
    "baseline_row",
    "baseline_entry",
    "baseline_accelerators",
    "comparability",
    "reason",
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(spread(verify))


def verify(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CLAIM|NAME]",
            help="a claim, number, thing, metric or source, or two things; without it all claims",
        ),
    ] = None,
    *,
    options: ListOptions,
    verdict: Annotated[
        list[str] | None, typer.Option("--verdict", help=f"{', '.join(VERDICTS)}; may be repeated (default: all)")
    ] = None,
    wide: WideOption = False,
    exit_code: ExitCodeOption = False,
) -> None:
    """Claims of a ratio or an order against published results: what the rows of both sides give, per accelerator and per system, and whether they may be compared.

    With --exit-code it ends with 1 when a claim is contradicted.

    Example: kg verify 002/author.nvl72-dgx-b200.r1
    """
    from kg.cli.render import write_json, write_rows
    from kg.render.cut import cut_object

    wanted = tuple(verdict or VERDICTS)
    if unknown := [one for one in wanted if one not in VERDICTS]:
        raise UsageError(field="--verdict", given=unknown[0], expected=", ".join(VERDICTS))
    found, claim = _asked(options.open(), words, options.tell)
    tell, claims = options.tell, [one for one in found.claims if one.verdict in wanted]
    told = [one for one in claims if one.readings or claim is not None]
    shown = told[: options.limit or (SHOWN if options.form is Format.table else None)]
    if options.form is Format.json:
        whole = found.to_json()
        whole["claims"] = [one for one in whole["claims"] if one["verdict"] in wanted]
        write_json(cut_object(whole, options.limit, "claims"))
    elif options.form in (Format.csv, Format.jsonl):
        write_rows(COLUMNS, _flat(claims[: options.limit]), options.form)
    else:
        from kg.render.lines import fenced

        markdown = options.form is Format.markdown
        lines = list(_text(found, claims, shown, brief=not (wide or markdown or claim is not None)))
        show_text(fenced(lines, markdown=markdown), whole=wide or markdown or options.limit is not None)
        if len(shown) < len(told):
            tell(f"the first {len(shown)} of {len(told)} claims; --limit N shows more")
    if options.form in (Format.json, Format.csv, Format.jsonl) and options.limit and options.limit < len(claims):
        tell(f"cut at {options.limit} of {len(claims)} claims")
    options.name_questions(found.questions)
    if exit_code and found.contradicted:
        raise typer.Exit(1)


def _asked(graph: "Graph", words: list[str] | None, tell: Callable[[str], None]) -> "tuple[Verification, str | None]":
    """What was held against results, and the claim where it is a single one."""
    if not words:
        return graph.verify(), None
    meant = meant_by(graph, words, "verify")
    if meant.kind == "claim" or (meant.kind == "number" and len(claims_meant(graph, meant)) == 1):
        name = one_claim(graph, meant, "verify", tell)
        return graph.verify(name), name
    scope, found = graph.scope(meant), graph.verify()
    kept = tuple(
        one
        for one in found.claims
        if scope.holds(
            one.claim, things=(one.subject.id, one.baseline and one.baseline.id), metric=one.metric, source=one.source
        )
    )
    if not kept:
        tell(f"no claim of a ratio or an order is about {meant.text}")
    return found._replace(asked=meant.text, claims=kept), None


def _flat(claims: "Iterable[Verified]") -> Iterator[tuple[object, ...]]:
    """One row a ratio; a claim without any has one row of its own."""
    from kg.answers.verification import rows_used

    for one in claims:
        head = (
            one.claim,
            one.verdict,
            one.subject.id,
            one.baseline and one.baseline.id,
            one.metric,
            one.normaliser,
            one.printed or one.direction,
            one.ratio,
        )
        used = list(rows_used(one))
        verdicts = {reading.basis: reading.verdict for reading in one.readings}
        for basis, ratio in used:
            rounds = list(dict.fromkeys((ratio.subject.round, ratio.baseline.round)))
            yield (
                *head,
                basis,
                verdicts[basis],
                ratio.scenario,
                rounds,
                ratio.ratio,
                ratio.mean,
                ratio.lower,
                ratio.upper,
                ratio.pairs,
                ratio.subject.claim,
                ratio.subject.entry,
                ratio.subject.accelerators,
                ratio.baseline.claim,
                ratio.baseline.entry,
                ratio.baseline.accelerators,
                ratio.comparability,
                one.reason,
            )
        if not used:
            yield (*head, *[None] * 16, one.reason)


def _text(found: "Verification", claims: "list[Verified]", shown: "list[Verified]", *, brief: bool) -> Iterator[str]:
    from collections import Counter

    from kg.render.lines import wrapped

    counts = Counter(one.verdict for one in claims)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    yield from wrapped(
        f"{len(claims)} claim{'s' if len(claims) != 1 else ''} of a ratio or an order against published results: {told or 'none'}"
    )
    if brief:  # the cut comes at the end: what is told of all claims stands first
        yield from _reasons(found, claims)
    for one in shown:
        yield ""
        yield from _brief(one) if brief else _claim(one, ids=found.asked is not None)
    if not brief:
        yield from _reasons(found, claims)


def _reasons(found: "Verification", claims: "list[Verified]") -> Iterator[str]:
    """Why no published result bears on the others, counted."""
    from kg.answers.verification import by_reason
    from kg.render.lines import row, wrapped

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


def _brief(one: "Verified") -> Iterator[str]:
    """The verdict on a claim with its reason; `kg verify CLAIM` has the results."""
    from kg.render.lines import wrapped

    yield from wrapped(_title(one), "  ", first="")
    yield from wrapped(f"{one.reason[:1].upper()}{one.reason[1:].rstrip('.')}.", "  ")
    yield f"  kg verify {one.claim}"


def _title(one: "Verified") -> str:
    against = "nothing named" if one.baseline is None else one.baseline.label or one.baseline.id
    metric = one.metric.replace("-", " ")
    return f"{one.verdict}: {one.worded} {metric} of {one.subject.label or one.subject.id} against {against}"


def _claim(one: "Verified", *, ids: bool) -> Iterator[str]:
    from kg.render.lines import row, table, wrapped

    yield from wrapped(_title(one))
    yield from row("claim", one.claim)
    yield from row(
        "says",
        f"{_ratio(one)}, normaliser {one.normaliser}; said by {one.asserted_by.label or one.asserted_by.id} in {one.source}",
    )
    if one.conditions:
        yield from row("under", one.conditions)
    yield from row("because", one.reason)
    yield from row("verdict", f"{one.number_verdict} (kg trace {one.claim} has the reason)")
    rows = [
        (
            reading.basis,
            ratio.scenario.rpartition("/")[2],
            " and ".join(dict.fromkeys((ratio.subject.round, ratio.baseline.round))),
            f"{ratio.ratio:.3g}",
            f"{ratio.mean:.3g}" if ratio.pairs > 1 else "",
            f"{ratio.lower:.3g} to {ratio.upper:.3g}" if ratio.pairs > 1 else "",
            _row(ratio.subject, reading.basis),
            _row(ratio.baseline, reading.basis),
            "; ".join(ratio.reasons),
        )
        for reading in one.readings
        for ratio in reading.ratios
    ]
    yield from table(
        ("basis", "scenario", "round", "best ratio", "of means", "all pairs", "best result", "against", "to be named"),
        rows,
    )
    if ids and rows:
        used = [end for reading in one.readings for ratio in reading.ratios for end in (ratio.subject, ratio.baseline)]
        for number, claim in enumerate(dict.fromkeys(end.claim for end in used)):
            yield from row("rows used" if number == 0 else "", claim)


def _ratio(one: "Verified") -> str:
    if one.direction is not None:
        return f"{one.direction.replace('-', ' ')}, no figure"
    ends = [None if end is None else f"{end:.3g}" for end in (one.ratio_lower, one.ratio_upper)]
    if None in ends:
        return f"a ratio of {f'at least {ends[0]}' if ends[0] else f'at most {ends[1]}'}"
    return f"a ratio of {ends[0]} to {ends[1]}"


def _result(used: "UsedRow", basis: str) -> str:
    """A result as the field prints it: a training run by its time, or by its time times the accelerators."""
    from kg.answers.claim import shown_value
    from kg.answers.verification import RUNS

    value = used.per_accelerator if basis == "per-accelerator" else used.total
    if used.unit == RUNS and value:
        return f"{shown_value(1 / value, 's')}{' of one accelerator' if basis == 'per-accelerator' else ' a run'}"
    return f"{value:,.6g} {used.unit}{' each' if basis == 'per-accelerator' else ''}"


def _row(used: "UsedRow", basis: str) -> str:
    return f"{_result(used, basis)}, {used.accelerators} of {used.accelerator.rpartition('/')[2]}, {used.submitter} {used.entry}".rstrip()
