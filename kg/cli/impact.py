"""`kg impact`: what follows if a claim is wrong."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kg.cli.options import (
    Format,
    ListOptions,
    spread,
)

if TYPE_CHECKING:
    from kg.answers.asking import Row
    from kg.answers.impact import Consequences
    from kg.audit.effects import Affected, Touched
    from kg.model.interval import Interval
    from kg.session import Graph

COLUMNS = {
    "claim": "affected.claim",
    "outcome": "affected.outcome",
    "hop": "affected.hop",
    "via": "affected.via",
    "printed": "affected.printed",
    "unit": "affected.unit",
    "holds": "affected.holds",
    "computation": "touched.name",
    "before": "before",
    "after": "after",
    "because": "affected.because",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("impact")(spread(impact))


def impact(
    claim: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CLAIM]...", help="claims that are wrong; without any, figures that do not recompute"),
    ] = None,
    *,
    options: ListOptions,
    value: Annotated[
        str | None, typer.Option("--value", help="the right value of a single claim, as it would be printed")
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="ID", help="correct every figure of a text that does not recompute"),
    ] = None,
) -> None:
    """What reverses, falls, weakens or survives if claims are corrected together, with the values before and after.

    Without --value a claim takes the value that its own inputs give; one that has none is withdrawn.

    Example: kg impact 002/r1.gb200.offline.per-accelerator
    """
    graph = options.open()
    tell = options.tell
    if not claim and not source:
        if not _candidates(graph, options.form, options.limit):
            tell(f"cut at {options.limit} figures; there are more")
        tell(
            "figures that do not recompute, those with most claims resting on them first; kg impact CLAIM tells what follows"
        )
        return
    sources = tuple(one if "/" in one else f"source/{one}" for one in source or ())
    found = graph.impact(*(claim or ()), value=value, sources=sources)
    affected = found.by_outcome()
    _put(found, affected[: options.limit], options.form)
    if options.limit and options.limit < len(affected):
        tell(f"cut at {options.limit} of {len(affected)} claims")
    options.name_questions(found.questions)


def _put(found: "Consequences", affected: "Sequence[Affected]", form: Format) -> None:
    """Write what follows, of the claims that are touched only those given."""
    from kg.cli.render import write_json, write_rows
    from kg.render.columns import read_columns
    from kg.render.cut import cut_object
    from kg.render.impact_text import impact_lines
    from kg.render.lines import fenced

    if form is Format.json:
        whole, kept = cut_object(found.to_json(), None, "affected"), {one.claim for one in affected}
        shown = [one for one in whole["affected"] if one["claim"] in kept]
        write_json({**whole, "affected": shown, "complete": len(shown) == whole["found"]})
    elif form in (Format.csv, Format.jsonl):
        write_rows(tuple(COLUMNS), read_columns(COLUMNS, _computations(affected)), form)
    else:
        sys.stdout.write(fenced(list(impact_lines(found, affected)), markdown=form is Format.markdown))


def _candidates(graph: "Graph", form: Format, limit: int | None) -> bool:
    """Write them; whether these are all."""
    from fractions import Fraction

    from kg.answers.asking import text
    from kg.answers.claim import bare, shown_figure
    from kg.audit.wording import printed_form
    from kg.cli.render import write_rows

    def corrected(one: "Row") -> str:
        """As the claim would print it: a drop of 10 % is not corrected to 0.93."""
        value, unit = Fraction(repr(one["corrected_value"])), text(one, "corrected_unit")
        quantity = {"unit": bare(text(one, "unit")), "printed": text(one, "printed")}
        record = {"relation": text(one, "relation"), "quantity": quantity}
        return printed_form(value, unit, record, graph.lexicon.units)

    answer = graph.ask("audit/impact-candidates", limit=limit)
    rows = list(answer.dicts())
    if form in (Format.table, Format.markdown):
        shown = [
            (
                one["claim"],
                shown_figure(text(one, "printed"), bare(text(one, "unit"))),
                corrected(one),
                one["dependents"],
            )
            for one in rows
        ]
        write_rows(("claim", "printed", "corrected", "dependents"), shown, form)
        return answer.complete
    columns = ("claim", "printed", "unit", "corrected", "corrected_unit", "corrected_as_printed", "dependents")
    plain = [
        (
            one["claim"],
            one["printed"],
            bare(text(one, "unit")),
            one["corrected_value"],
            one["corrected_unit"],
            corrected(one),
            one["dependents"],
        )
        for one in rows
    ]
    write_rows(columns, plain, form)
    return answer.complete


class _Computation(NamedTuple):
    """A claim that is touched, with one of the computations that touch it."""

    affected: "Affected"
    touched: "Touched | None"

    @property
    def before(self) -> list[float | None] | None:
        """What the computation gave."""
        return None if self.touched is None else _ends(self.touched.before)

    @property
    def after(self) -> list[float | None] | None:
        """What it gives with the correction."""
        return None if self.touched is None else _ends(self.touched.after)


def _computations(affected: "Sequence[Affected]") -> Iterator[_Computation]:
    for one in affected:
        for touched in one.touched or (None,):
            yield _Computation(one, touched)


def _ends(interval: "Interval | None") -> list[float | None] | None:
    if interval is None:
        return None
    return [None if end is None else float(end) for end in (interval.lower, interval.upper)]
