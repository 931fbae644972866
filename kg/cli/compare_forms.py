"""A comparison in the forms that a person or a program asks for."""

from typing import TYPE_CHECKING

from kg.answers.listed_rounds import part_listed
from kg.cli.options import Format, ListOptions
from kg.cli.screen import show_text
from kg.model.columns import PLACE, columns, read_columns
from kg.model.counting import counted

if TYPE_CHECKING:
    from kg.answers.compare import Comparison
    from kg.answers.verification import Verified
    from kg.session import Graph

COLUMNS = columns(
    "claim=id orientation subject=subject.id level baseline=baseline.id baseline_level metric normaliser"
    " relation printed hedge modality statement ratio conditions baseline_conditions"
    f" asserted_by=asserted_by.id source=source.id said_on {PLACE} verdict verdict_reason"
)


def put_comparison(graph: "Graph", found: "Comparison", options: ListOptions, *, wide: bool) -> None:
    """Write a comparison; names nobody knows, and what is cut or left out, go to standard error."""
    _put(graph, found, options, wide=wide)
    if found.published is not None and (part := part_listed(graph.folder, graph.server)):
        options.tell(part)
    _tell(found, options)


def _put(graph: "Graph", found: "Comparison", options: ListOptions, *, wide: bool) -> None:
    """Write the claims; a table has a sentence on top and, unless more is asked for, the first of them."""
    from kg.cli.render import write_json, write_rows
    from kg.render.cut import cut_object

    if options.form is Format.json:
        write_json(cut_object(found.to_json(), options.limit, "claims"))
    elif options.form is not Format.table:
        write_rows(tuple(COLUMNS), read_columns(COLUMNS, found.claims[: options.limit]), options.form)
    else:
        from kg.render.compare_text import SHOWN, compare_lines
        from kg.render.lines import fenced

        claims = found.claims[: options.limit or (None if wide else SHOWN)]
        lines = list(compare_lines(found, _verified(graph, found), claims, brief=not wide))
        show_text(fenced(lines, markdown=False), whole=wide or options.limit is not None)
        if len(claims) < len(found.claims) and not options.limit:
            more = "--limit N shows more, --wide all in full"
            options.tell(f"the first {len(claims)} of {len(found.claims)} claims; {more}")


def _tell(found: "Comparison", options: ListOptions) -> None:
    """Names that are not known, what was left out, and where the list was cut."""
    for name in (found.a, found.b):
        if not name.is_known:
            near = f"; did you mean {', '.join(name.near)}?" if name.near else ""
            options.tell(f"{name.text}: no such name{near}")
    if not found.claims and found.a.is_known and found.b.is_known:
        options.tell("no claim compares them")
    for left in found.wider:
        label = left.thing.name
        shown = ", ".join(left.claims[:3]) + (", ..." if len(left.claims) > 3 else "")
        options.tell(
            f"left out, said of {label} as a whole: {counted(len(left.claims), 'claim')} ({shown}); kg compare with that name"
        )
    if options.limit and len(found.claims) > options.limit:
        options.tell(f"cut at {options.limit} of {len(found.claims)} claims")


def _verified(graph: "Graph", found: "Comparison") -> "dict[str, Verified]":
    """The ratio claims that published results bear on, with what these give."""
    results = graph.verified([claim.id for claim in found.claims if claim.ratio is not None])
    return {claim: result for claim, result in results.items() if result.readings}
