"""`kg compare`: all claims that compare A with B."""

from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    ContentOption,
    ExplainOption,
    Format,
    FormatOption,
    LimitOption,
    MetricOption,
    ModelOption,
    OfSourceOption,
    PhaseOption,
    QuietOption,
    SinceOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)
from kg.cli.screen import WideOption, show_text

if TYPE_CHECKING:
    from kg.answers.compare import Comparison
    from kg.answers.verification import Verified
    from kg.session import Graph


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


def compare(
    a: Annotated[str, typer.Argument(help="a name such as GB200, or an id")],
    b: Annotated[str, typer.Argument(help="another name or id")],
    exact: Annotated[bool, typer.Option("--exact", help="the named things only, not their families")] = False,
    metric: MetricOption = None,
    phase: PhaseOption = None,
    model: ModelOption = None,
    source: OfSourceOption = None,
    since: SinceOption = None,
    form: FormatOption = Format.table,
    limit: LimitOption = None,
    store: StoreOption = None,
    content: ContentOption = None,
    timeout: TimeoutOption = 60.0,
    explain: ExplainOption = False,
    quiet: QuietOption = False,
    wide: WideOption = False,
) -> None:
    """All claims that compare A with B, both directions: ratio, metric, level, conditions, who, where, and whether to use it.

    Example: kg compare GB200 H200
    """
    from kg.answers.claim import PrintedPlace
    from kg.cli.render import write_json, write_rows
    from kg.render.cut import cut_object

    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    within = graph.restriction(
        metrics=metric or (), phases=phase or (), models=model or (), sources=source or (), since=since
    )
    found = graph.compare(a, b, exact=exact, within=within)
    tell = talker(quiet)
    claims = found.claims[:limit] if limit else found.claims
    if form is Format.json:
        write_json(cut_object(found.to_json(), limit, "claims"))
    elif form is Format.table:
        from kg.render.compare_text import SHOWN, compare_lines
        from kg.render.lines import fenced

        claims = claims if wide else claims[: limit or SHOWN]
        lines = list(compare_lines(found, _verified(graph, found), claims, brief=not wide))
        show_text(fenced(lines, markdown=False), whole=wide or limit is not None)
        if len(claims) < len(found.claims) and not limit:
            tell(f"the first {len(claims)} of {len(found.claims)} claims; --limit N shows more, --wide all in full")
    else:
        columns = (
            "claim",
            "orientation",
            "subject",
            "level",
            "baseline",
            "baseline_level",
            "metric",
            "normaliser",
            "relation",
            "printed",
            "hedge",
            "modality",
            "statement",
            "ratio",
            "conditions",
            "baseline_conditions",
            "asserted_by",
            "source",
            "said_on",
            *PrintedPlace._fields,
            "verdict",
            "verdict_reason",
        )
        plain = (
            (
                one.id,
                one.orientation,
                one.subject.id,
                one.level,
                one.baseline.id,
                one.baseline_level,
                one.metric,
                one.normaliser,
                one.relation,
                one.printed,
                one.hedge,
                one.modality,
                one.statement,
                one.ratio,
                one.conditions,
                one.baseline_conditions,
                one.asserted_by.id,
                one.source.id,
                one.said_on,
                *one.place,
                one.verdict,
                one.verdict_reason,
            )
            for one in claims
        )
        write_rows(columns, plain, form)
    for name in (found.a, found.b):
        if not name.is_known:
            tell(f"{name.text}: no such name" + (f"; did you mean {', '.join(name.near)}?" if name.near else ""))
    if not found.claims and found.a.is_known and found.b.is_known:
        tell("no claim compares them")
    for left in found.wider:
        label = left.thing.label or left.thing.id
        shown = ", ".join(left.claims[:3]) + (", ..." if len(left.claims) > 3 else "")
        tell(f"left out, said of {label} as a whole: {len(left.claims)} claims ({shown}); kg compare with that name")
    if limit and len(found.claims) > limit:
        tell(f"cut at {limit} of {len(found.claims)} claims")
    if explain:
        tell("questions: " + ", ".join(found.questions))


def _verified(graph: "Graph", found: "Comparison") -> "dict[str, Verified]":
    """The ratio claims that published results bear on, with what these give."""
    results = {}
    for claim in found.claims:
        if claim.ratio is not None:
            (result,) = graph.verify(claim.id).claims
            if result.readings:
                results[claim.id] = result
    return results
