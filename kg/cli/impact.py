"""`kg impact`: what follows if a claim is wrong."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import typer

from kg.cli.grammar import meant_by, one_claim
from kg.cli.options import (
    Format,
    ListOptions,
)
from kg.cli.screen import WideOption, show_text
from kg.model.columns import columns, read_columns

if TYPE_CHECKING:
    from kg.answers.asking import Row
    from kg.answers.impact import Consequences
    from kg.answers.referent import Scope
    from kg.audit.effects import Affected, Touched
    from kg.model.interval import Interval
    from kg.model.recorded import ClaimRecord
    from kg.session import Graph

_FEW = 3
"""How many claims are listed with their values before and after unless all are asked for."""
COLUMNS = columns(
    "claim outcome hop via printed unit holds computation=touched.name before=before after=after because",
    of="affected",
)


_ClaimArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CLAIM]...",
        help="claims that are wrong, or a number or source; of a thing or metric, or without any, figures that do not recompute",
    ),
]
_ValueOption = Annotated[
    str | None, typer.Option("--value", help="the right value of a single claim, as it would be printed")
]
_SourceOption = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="ID", help="correct every figure of a text that does not recompute"),
]


def impact(
    claim: _ClaimArgument = None,
    *,
    options: ListOptions,
    value: _ValueOption = None,
    source: _SourceOption = None,
    wide: WideOption = False,
) -> None:
    """What reverses, falls, weakens or survives if claims are corrected together, with the values before and after.

    Without --value a claim takes the value that its own inputs give; one that has none is withdrawn.

    Example: kg impact 002/r1.gb200.offline.per-accelerator
    """
    graph = options.open()
    tell = options.tell
    words = claim or []
    claim, of_source, scope = _meant(graph, words, tell)
    source = [*(source or ()), *of_source]
    if not claim and not source:
        if not _candidates(graph, options.form, options.limit, scope):
            tell(f"cut at {options.limit} figures; there are more")
        about = f" of {' '.join(words)}" if scope else ""
        tell(
            f"figures{about} that do not recompute, those with most claims resting on them first; kg impact CLAIM tells what follows"
        )
        return
    from kg.ask.id_names import sources_named

    sources = tuple(name for one in source for name in sources_named(graph.ask, one))
    found = graph.impact(*(claim or ()), value=value, sources=sources)
    affected = found.by_outcome()
    _put(found, affected[: options.limit], options.form, wide=wide)
    if options.limit and options.limit < len(affected):
        tell(f"cut at {options.limit} of {len(affected)} claims")
    options.name_questions(found.questions)


def _put(found: "Consequences", affected: "Sequence[Affected]", form: Format, *, wide: bool) -> None:
    """Write what follows, of the claims that are touched only those given; on a terminal a few lines each, unless `wide`."""
    from kg.cli.render import write_json, write_rows
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
        markdown = form is Format.markdown
        is_brief = len(affected) > _FEW and not (wide or markdown)
        text = fenced(list(impact_lines(found, affected, is_brief=is_brief)), markdown=markdown)
        show_text(text, whole=markdown or wide, more="--wide shows all in full")


def _meant(
    graph: "Graph", words: list[str], tell: Callable[[str], None]
) -> "tuple[list[str], tuple[str, ...], Scope | None]":
    """The claims that the words name, or the source, or what figures that do not recompute are to be about."""
    # Several words with a slash in each are ids of claims; what else is given may be a number, a
    # name or one id.
    if not words or (len(words) > 1 and all("/" in word for word in words)):
        return words, (), None
    meant = meant_by(graph, words, "impact", number_first=True)
    if meant.kind in ("claim", "number"):
        return [one_claim(graph, meant, "impact", tell)], (), None
    return ([], meant.ids, None) if meant.kind == "source" else ([], (), graph.scope(meant))


def _about(graph: "Graph", rows: "list[Row]", scope: "Scope | None") -> "list[Row]":
    """The figures that a thing or metric has to do with."""
    if scope is None:
        return rows
    from kg.answers.asking import Asker
    from kg.answers.claim import read_cards

    cards = read_cards(Asker(graph.ask), [str(row["claim"]) for row in rows])
    kept = {
        name
        for name, card in cards.items()
        if scope.holds(
            name,
            things=[one.id for one in (*card.subjects, *([card.baseline] if card.baseline else []))],
            metric=card.metric,
            source=card.source.id,
        )
    }
    return [row for row in rows if row["claim"] in kept]


def _candidates(graph: "Graph", form: Format, limit: int | None, scope: "Scope | None") -> bool:
    """Write them; whether these are all."""
    from fractions import Fraction

    from kg.answers.asking import Asker, text
    from kg.answers.claim import bare, shown_figure, values_to_use
    from kg.audit.wording import printed_form
    from kg.cli.render import write_rows

    def corrected(one: "Row") -> str:
        """The value to use, as `kg trace` says it; else as the claim would print it: a drop of 10 % is not corrected to 0.93."""
        if (known := to_use.get(str(one["claim"]))) is not None:
            return known
        # By way of its shortest digits: 0.1 is a tenth here, not the binary fraction nearest to it.
        value, unit = Fraction(repr(one["corrected_value"])), text(one, "corrected_unit")
        quantity = {"unit": bare(text(one, "unit")), "printed": text(one, "printed")}
        record = {"relation": text(one, "relation"), "quantity": quantity}
        return printed_form(value, unit, cast("ClaimRecord", record), graph.lexicon.units)

    answer = graph.ask("audit/impact-candidates", limit=limit if scope is None else None)
    rows = _about(graph, list(answer.dicts()), scope)[:limit]
    to_use = values_to_use(Asker(graph.ask), [str(one["claim"]) for one in rows])
    is_shown = form in (Format.table, Format.markdown)
    columns: tuple[str, ...] = ("claim", "printed", "corrected", "used by")
    if not is_shown:
        columns = ("claim", "printed", "unit", "corrected", "corrected_unit", "corrected_as_printed", "dependents")

    def cells(one: "Row") -> tuple[object, ...]:
        unit = bare(text(one, "unit"))
        better = corrected(one)
        known = {**one, "unit": unit, "corrected": one["corrected_value"], "corrected_as_printed": better}
        if is_shown:
            known |= {"printed": shown_figure(text(one, "printed"), unit), "corrected": better}
            known["used by"] = one["dependents"]
        return tuple(known[name] for name in columns)

    write_rows(columns, [cells(one) for one in rows], form, spare=("claim",))
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
