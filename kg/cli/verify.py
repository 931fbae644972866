"""`kg verify`: claims of a ratio or an order held against published results."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kg.cli.grammar import meant_by
from kg.cli.options import (
    Format,
    ListOptions,
)
from kg.cli.screen import ExitCodeOption, WideOption, show_text
from kg.errors import UsageError
from kg.model.columns import columns, read_columns
from kg.model.counting import counted
from kg.model.verdict import MEASURED_VERDICTS

if TYPE_CHECKING:
    from kg.answers.verification import MeasuredRatio, Read, Verification, Verified
    from kg.session import Graph

SHOWN = 3
"""Claims of a short answer."""
COLUMNS = columns(
    "claim=one.claim verdict=one.verdict subject=one.subject.id baseline=one.baseline.id"
    " metric=one.metric normaliser=one.normaliser printed=printed ratio=one.ratio basis=reading.basis"
    " pair_verdict=reading.verdict scenario rounds=rounds measured_ratio=measured.ratio"
    " measured_mean=measured.mean measured_lower=measured.lower measured_upper=measured.upper pairs"
    " subject_row=measured.subject.claim subject_entry=measured.subject.entry"
    " subject_accelerators=measured.subject.accelerators baseline_row=measured.baseline.claim"
    " baseline_entry=measured.baseline.entry baseline_accelerators=measured.baseline.accelerators"
    " comparability reason=one.reason",
    of="measured",
)


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
        list[str] | None,
        typer.Option("--verdict", help=f"{', '.join(MEASURED_VERDICTS)}; may be repeated (default: all)"),
    ] = None,
    wide: WideOption = False,
    exit_code: ExitCodeOption = False,
) -> None:
    """Claims of a ratio or an order against published results: what the rows of both sides give, per accelerator and per system, and whether they may be compared.

    With --exit-code it ends with 1 when a claim is contradicted.

    Example: kg verify 002/author.nvl72-dgx-b200.r1
    """
    wanted = tuple(verdict or MEASURED_VERDICTS)
    if unknown := [one for one in wanted if one not in MEASURED_VERDICTS]:
        raise UsageError(field="--verdict", given=unknown[0], expected=", ".join(MEASURED_VERDICTS))
    found = _asked(options.open(), words, options.tell)
    claims = [one for one in found.claims if one.verdict in wanted]
    if options.form in (Format.table, Format.markdown):
        _put_text(found, claims, options, wide=wide, about=" ".join(words) if words else None)
    else:
        _put_data(found, claims, options)
    options.name_questions(found.questions)
    if exit_code and found.contradicted:
        raise typer.Exit(1)


def _asked(graph: "Graph", words: list[str] | None, tell: Callable[[str], None]) -> "Verification":
    """What was held against results, of all claims or those that the words are about."""
    if not words:
        return graph.verify()
    meant = meant_by(graph, words, "verify")
    found = graph.verify(*words)
    if found.asked and meant.kind == "number":
        tell(f"{meant.text} is stated by one claim, {found.asked}")
    if not found.claims:
        tell(f"no claim of a ratio or an order is about {meant.text}; kg trace {shlex.quote(meant.text)}")
    if meant.pair is not None and (pairs := graph.compare(*meant.pair).published) is not None:
        tell(
            f"results of both, claimed or not: {pairs.lowest:.3g}x to {pairs.highest:.3g}x per accelerator in "
            f"{counted(pairs.rows, 'pair')}; kg compare {shlex.join(meant.pair)} --published lists them"
        )
    return found


def _put_text(
    found: "Verification", claims: "list[Verified]", options: ListOptions, *, wide: bool, about: str | None
) -> None:
    """Claims that results bear on, in brief unless one is asked about; the others counted by reason.

    Where words were given, claims without results are shown too, for they are what was asked about.
    """
    from kg.render.lines import fenced
    from kg.render.verify_text import verification_lines

    one, markdown = found.asked is not None, options.form is Format.markdown
    bearing = sorted(
        (claim for claim in claims if claim.readings or one or about), key=lambda claim: not claim.readings
    )
    shown = bearing[: options.limit or (None if markdown or wide else SHOWN)]
    lines = list(verification_lines(found, claims, shown, brief=not (wide or markdown or one), about=about))
    show_text(fenced(lines, markdown=markdown), whole=wide or markdown or options.limit is not None)
    if len(shown) < len(bearing):
        options.tell(f"the first {len(shown)} of {len(bearing)} claims; --limit N or --wide shows more")


def _put_data(found: "Verification", claims: "list[Verified]", options: ListOptions) -> None:
    """For programs: JSON with all there is, else a row a ratio."""
    from kg.cli.render import write_json, write_rows
    from kg.render.cut import cut_object

    if options.form is Format.json:
        whole, kept = found.to_json(), {one.claim for one in claims}
        whole["claims"] = [one for one in whole["claims"] if one["claim"] in kept]
        write_json(cut_object(whole, options.limit, "claims"))
    else:
        rows = (row for one in claims[: options.limit] for row in _ratios(one))
        write_rows(tuple(COLUMNS), read_columns(COLUMNS, rows), options.form)
    if options.limit and options.limit < len(claims):
        options.tell(f"cut at {options.limit} of {len(claims)} claims")


class _RatioOf(NamedTuple):
    """A claim with one ratio of published rows; without any where no row bears on it."""

    one: "Verified"
    reading: "Read | None" = None
    measured: "MeasuredRatio | None" = None

    @property
    def printed(self) -> str | None:
        """The ratio as printed, or the order that is claimed."""
        return self.one.printed or self.one.direction

    @property
    def rounds(self) -> list[str] | None:
        """The rounds of both sides."""
        pair = self.measured
        return None if pair is None else list(dict.fromkeys((pair.subject.round, pair.baseline.round)))


def _ratios(one: "Verified") -> list[_RatioOf]:
    found = [_RatioOf(one, reading, ratio) for reading in one.readings for ratio in reading.ratios]
    return found or [_RatioOf(one)]
