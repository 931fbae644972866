"""`kg impact`: what follows if a claim is wrong."""

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.grammar import meant_by, one_claim
from kg.cli.options import (
    Format,
    ListOptions,
    spread,
)

if TYPE_CHECKING:
    from kg.answers.asking import Row
    from kg.answers.impact import Consequences
    from kg.answers.referent import Scope
    from kg.audit.impact import Affected, Touched
    from kg.model.interval import Interval
    from kg.session import Graph

OUTCOMES = ("reverses", "falls", "weakens", "survives")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("impact")(spread(impact))


def impact(
    claim: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CLAIM]...",
            help="claims that are wrong, or a number or source; of a thing or metric, or without any, figures that do not recompute",
        ),
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
    from kg.cli.render import write_json, write_rows
    from kg.render.cut import cut_object

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
    sources = tuple(one if "/" in one else f"source/{one}" for one in source or ())
    found = graph.impact(*(claim or ()), value=value, sources=sources)
    affected = sorted(found.impact.affected, key=lambda one: (OUTCOMES.index(one.outcome), one.hop, one.claim))
    if options.form is Format.json:
        whole, gravest = cut_object(found.to_json(), None, "affected"), {one.claim for one in affected[: options.limit]}
        kept = [one for one in whole["affected"] if one["claim"] in gravest]
        write_json({**whole, "affected": kept, "complete": len(kept) == whole["found"]})
    elif options.form in (Format.csv, Format.jsonl):
        write_rows(
            ("claim", "outcome", "hop", "via", "printed", "unit", "holds", "computation", "before", "after", "because"),
            _flat(affected[: options.limit]),
            options.form,
        )
    else:
        from kg.render.lines import fenced

        sys.stdout.write(
            fenced(list(_text(found, affected[: options.limit])), markdown=options.form is Format.markdown)
        )
    if options.limit and options.limit < len(affected):
        tell(f"cut at {options.limit} of {len(affected)} claims")
    options.name_questions(found.questions)


def _meant(
    graph: "Graph", words: list[str], tell: Callable[[str], None]
) -> "tuple[list[str], tuple[str, ...], Scope | None]":
    """The claims that the words name, or the source, or what figures that do not recompute are to be about."""
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

    answer = graph.ask("audit/impact-candidates", limit=limit if scope is None else None)
    rows = _about(graph, list(answer.dicts()), scope)[:limit]
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


def _flat(affected: "list[Affected]") -> list[tuple[object, ...]]:
    return [
        (
            one.claim,
            one.outcome,
            one.hop,
            one.via,
            one.printed,
            one.unit,
            one.holds,
            touched.name if touched else None,
            _ends(touched.before) if touched else None,
            _ends(touched.after) if touched else None,
            list(one.because),
        )
        for one in affected
        for touched in one.touched or (None,)
    ]


def _ends(interval: "Interval | None") -> list[float | None] | None:
    return (
        None if interval is None else [None if end is None else float(end) for end in (interval.lower, interval.upper)]
    )


def _text(found: "Consequences", affected: "list[Affected]") -> Iterator[str]:
    from kg.render.amounts import amount, span
    from kg.render.lines import row, wrapped

    for change in found.impact.changes:
        before = "no figure" if change.before is None else span(change.before, change.unit)
        after = (
            "withdrawn"
            if change.after is None
            else f"{amount(change.after, change.unit)} ({found.assumed[change.claim]})"
        )
        yield from wrapped(
            f"if {change.claim} is not {before} but {after}"
            if change.after is not None
            else f"if {change.claim} ({before}) is withdrawn",
            "  ",
            first="",
        )
    counts = found.to_json()["counts"]
    told = ", ".join(
        f"{counts[name]} {name.removesuffix('s')}" if counts[name] > 1 else f"1 {name}"
        for name in OUTCOMES
        if name in counts
    )
    yield from row("then", told or "nothing else is touched")
    for one in affected:
        yield ""
        yield from _affected(one, found)


def _affected(one: "Affected", found: "Consequences") -> Iterator[str]:
    from kg.model.exchange_form import subject_label
    from kg.render.amounts import span
    from kg.render.lines import row, wrapped

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


def _touched(one: "Touched", unit: str | None) -> str:
    from kg.render.amounts import span

    before, after = ("nothing" if each is None else span(each, unit) for each in (one.before, one.after))
    name = one.expression if one.name.isdigit() else f"{one.name}: {one.expression}"
    return f"{name} was {before}, is {after}: {one.outcome}"
