"""A comparison in the forms that a person or a program asks for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kg.cli.options import Format, ListOptions
from kg.cli.screen import show_text

if TYPE_CHECKING:
    from kg.answers.compare import ComparedClaim, Comparison
    from kg.answers.verification import Verified
    from kg.session import Graph

COLUMNS = (
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
)


def put_comparison(graph: "Graph", found: "Comparison", options: ListOptions, *, wide: bool) -> None:
    """Write a comparison; names nobody knows, and what is cut or left out, go to standard error."""
    claims = found.claims[: options.limit] if options.limit else found.claims
    if options.form is Format.json:
        from kg.cli.render import write_json
        from kg.render.cut import cut_object

        write_json(cut_object(found.to_json(), options.limit, "claims"))
    elif options.form is Format.table:
        _put_text(graph, found, options.tell, limit=options.limit, wide=wide)
    else:
        from kg.answers.claim import PrintedPlace
        from kg.cli.render import write_rows

        columns = (*COLUMNS, *PrintedPlace._fields, "verdict", "verdict_reason")
        write_rows(columns, map(_row, claims), options.form)
    _tell_left_out(found, options.tell)
    if options.limit and len(found.claims) > options.limit:
        options.tell(f"cut at {options.limit} of {len(found.claims)} claims")


def _put_text(
    graph: "Graph", found: "Comparison", tell: Callable[[str], None], *, limit: int | None, wide: bool
) -> None:
    from kg.render.compare_text import SHOWN, compare_lines
    from kg.render.lines import fenced

    claims: Sequence[ComparedClaim] = found.claims[: limit or (None if wide else SHOWN)]
    lines = list(compare_lines(found, _verified(graph, found), claims, brief=not wide))
    show_text(fenced(lines, markdown=False), whole=wide or limit is not None)
    if len(claims) < len(found.claims) and not limit:
        tell(f"the first {len(claims)} of {len(found.claims)} claims; --limit N shows more, --wide all in full")


def _row(one: "ComparedClaim") -> tuple[object, ...]:
    things = {name: getattr(one, name).id for name in ("subject", "baseline", "asserted_by", "source")}
    cells = (things[name] if name in things else getattr(one, name) for name in COLUMNS)
    return (*cells, *one.place, one.verdict, one.verdict_reason)


def _tell_left_out(found: "Comparison", tell: Callable[[str], None]) -> None:
    for name in (found.a, found.b):
        if not name.is_known:
            tell(f"{name.text}: no such name" + (f"; did you mean {', '.join(name.near)}?" if name.near else ""))
    if not found.claims and found.a.is_known and found.b.is_known:
        tell("no claim compares them")
    for left in found.wider:
        label = left.thing.label or left.thing.id
        shown = ", ".join(left.claims[:3]) + (", ..." if len(left.claims) > 3 else "")
        tell(f"left out, said of {label} as a whole: {len(left.claims)} claims ({shown}); kg compare with that name")


def _verified(graph: "Graph", found: "Comparison") -> "dict[str, Verified]":
    """The ratio claims that published results bear on, with what these give."""
    results = {}
    for claim in found.claims:
        if claim.ratio is not None:
            (result,) = graph.verify(claim.id).claims
            if result.readings:
                results[claim.id] = result
    return results
