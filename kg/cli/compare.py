"""`kg compare`: all claims that compare A with B."""

from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    ClaimOptions,
    Format,
    ListOptions,
    spread,
)
from kg.cli.screen import WideOption, show_text

if TYPE_CHECKING:
    from kg.answers.compare import Comparison
    from kg.answers.verification import Verified
    from kg.session import Graph


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(spread(compare))


def compare(
    a: Annotated[str, typer.Argument(help="a name such as GB200, or an id")],
    b: Annotated[str, typer.Argument(help="another name or id")],
    *,
    options: ListOptions,
    within: ClaimOptions,
    exact: Annotated[bool, typer.Option("--exact", help="the named things only, not their families")] = False,
    wide: WideOption = False,
) -> None:
    """All claims that compare A with B, both directions: ratio, metric, level, conditions, who, where, and whether to use it.

    Example: kg compare GB200 H200
    """
    from kg.answers.claim import PrintedPlace
    from kg.cli.render import write_json, write_rows
    from kg.render.cut import cut_object

    graph = options.open()
    asked_of = within.restriction(graph)
    found = graph.compare(a, b, exact=exact, within=asked_of)
    tell = options.tell
    claims = found.claims[: options.limit] if options.limit else found.claims
    if options.form is Format.json:
        write_json(cut_object(found.to_json(), options.limit, "claims"))
    elif options.form is Format.table:
        from kg.render.compare_text import SHOWN, compare_lines
        from kg.render.lines import fenced

        claims = claims if wide else claims[: options.limit or SHOWN]
        lines = list(compare_lines(found, _verified(graph, found), claims, brief=not wide))
        show_text(fenced(lines, markdown=False), whole=wide or options.limit is not None)
        if len(claims) < len(found.claims) and not options.limit:
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
        write_rows(columns, plain, options.form)
    for name in (found.a, found.b):
        if not name.is_known:
            tell(f"{name.text}: no such name" + (f"; did you mean {', '.join(name.near)}?" if name.near else ""))
    if not found.claims and found.a.is_known and found.b.is_known:
        tell("no claim compares them")
    for left in found.wider:
        label = left.thing.label or left.thing.id
        shown = ", ".join(left.claims[:3]) + (", ..." if len(left.claims) > 3 else "")
        tell(f"left out, said of {label} as a whole: {len(left.claims)} claims ({shown}); kg compare with that name")
    if options.limit and len(found.claims) > options.limit:
        tell(f"cut at {options.limit} of {len(found.claims)} claims")
    options.name_questions(found.questions)


def _verified(graph: "Graph", found: "Comparison") -> "dict[str, Verified]":
    """The ratio claims that published results bear on, with what these give."""
    results = {}
    for claim in found.claims:
        if claim.ratio is not None:
            (result,) = graph.verify(claim.id).claims
            if result.readings:
                results[claim.id] = result
    return results
