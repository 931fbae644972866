"""`kg compare`: all claims that compare A with B."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    ContentOption,
    ExplainOption,
    Format,
    FormatOption,
    LimitOption,
    QuietOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)  # fmt: skip

if TYPE_CHECKING:
    from kg.answers.compare import ComparedClaim


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


def compare(
    a: Annotated[str, typer.Argument(help="a name such as GB200, or an id")],
    b: Annotated[str, typer.Argument(help="another name or id")],
    exact: Annotated[bool, typer.Option("--exact", help="the named things only, not their families")] = False,
    form: FormatOption = Format.table, limit: LimitOption = None, store: StoreOption = None, content: ContentOption = None,
    timeout: TimeoutOption = 60.0, explain: ExplainOption = False, quiet: QuietOption = False,
) -> None:  # fmt: skip
    """All claims that compare A with B, both directions: ratio, metric, level, conditions, who, where, and whether to use it.

    Example: kg compare GB200 H200
    """
    from kg.answers.claim import PrintedPlace
    from kg.answers.compare import values_by_direction
    from kg.cli.render import table_width, write_json, write_rows
    from kg.render.cut import cut_object

    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    found = graph.compare(a, b, exact=exact)
    tell = talker(quiet)
    claims = found.claims[:limit] if limit else found.claims
    if form is Format.json:
        write_json(cut_object(found.to_json(), limit, "claims"))
    elif form is Format.table:
        from kg.model.verdict import WORDS
        from kg.render.lines import wrapped

        head = [
            f"{a} against {b} {WORDS[found.verdict].sentence}.",
            *(
                line
                for told in (f"{found.reason[:1].upper()}{found.reason[1:]}.", *values_by_direction(found.claims, a, b))
                for line in wrapped(told, "    ", first="  ", columns=table_width())
            ),
        ]
        sys.stdout.write("\n".join(head) + "\n")
        rows = [
            (
                f"{one.says}\n{one.metric}" + ("" if one.normaliser == "unstated" else f" {one.normaliser}"),
                f"{one.subject.label}\n({one.level}) against\n{one.baseline.label}" + (f" ({one.baseline_level})" if one.baseline_level else ""),
                one.conditions or "unstated", f"{one.asserted_by.label}\nin {one.source.id}" + (f", {one.said_on}" if one.said_on else ""),
                f"{one.verdict}: {one.verdict_reason}", f"{one.id}\n{_where(one)}",
            )
            for one in claims
        ]  # fmt: skip
        if rows:
            write_rows(("says", "of", "under", "said by", "verdict", "claim and place"), rows, form)
    else:
        columns = ("claim", "orientation", "subject", "level", "baseline", "baseline_level", "metric", "normaliser", "relation",
                   "printed", "hedge", "modality", "statement", "ratio", "conditions", "baseline_conditions", "asserted_by", "source", "said_on", *PrintedPlace._fields, "verdict",
                   "verdict_reason")  # fmt: skip
        plain = ((one.id, one.orientation, one.subject.id, one.level, one.baseline.id, one.baseline_level, one.metric, one.normaliser,
                  one.relation, one.printed, one.hedge, one.modality, one.statement, one.ratio, one.conditions, one.baseline_conditions, one.asserted_by.id, one.source.id,
                  one.said_on, *one.place, one.verdict, one.verdict_reason) for one in claims)  # fmt: skip
        write_rows(columns, plain, form)
    for name in (found.a, found.b):
        if not name.is_known:
            tell(f"{name.text}: no such name" + (f"; did you mean {', '.join(name.near)}?" if name.near else ""))
    if not found.claims and found.a.is_known and found.b.is_known:
        tell("no claim compares them")
    if limit and len(found.claims) > limit:
        tell(f"cut at {limit} of {len(found.claims)} claims")
    if explain:
        tell("questions: " + ", ".join(found.questions))


def _where(one: "ComparedClaim") -> str:
    """Code points without words, which is how most claims are anchored; any other place in words."""
    return f"{one.start}-{one.end}" if one.start is not None else one.place.inside or one.document or ""
