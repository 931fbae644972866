"""A checked text for a terminal and as Markdown: first the sentence that answers, then the figures, the worst first."""

from collections.abc import Iterator, Sequence
from typing import Final

from kg.answers.checked_figures import CheckedFigure, CheckedText, KnownValue, Unchecked
from kg.model.counting import counted
from kg.model.result import Table
from kg.model.verdict import Verdict
from kg.render.cells import markdown_text
from kg.render.lines import wrapped
from kg.stores.protocol import Cell

ACTED_ON: Final[tuple[Verdict, ...]] = ("wrong", "disputed", "caution")
_AROUND: Final = 60


def answer(checked: CheckedText) -> str:
    """The sentence that answers.

    >>> answer(CheckedText("a.md", "", "", (), 0))
    'a.md: no figure that claims anything.'
    """
    return f"{checked.name}: {summary(checked)}"


def summary(checked: CheckedText) -> str:
    """The same without the name of the text: how many figures are known at all, and what is known of them.

    That nothing is wrong with a figure that nobody knows is no praise of it.
    """
    total, counts = len(checked.figures), checked.counts()
    if not total:
        return "no figure that claims anything."
    left = "" if checked.unchecked is None else f"; {not_checked(checked.unchecked)}"
    unknown = counts["unknown"]
    if unknown == total:
        return f"{counted(total, 'figure')}, {'not' if total == 1 else 'none'} known here{left}."
    known: dict[Verdict, str] = {"caution": "to be used with caution"}
    rest: tuple[Verdict, ...] = ("disputed", "caution", "confirmed", "unverified")
    parts = [f"{counts[word]} {known.get(word, word)}" for word in rest if counts[word]]
    verdicts = ", ".join([f"{counts['wrong'] or 'none'} wrong", *parts])
    if not unknown:
        return f"{counted(total, 'figure')}, {'' if total == 1 else 'all '}known here: {verdicts}{left}."
    verb = "is" if total - unknown == 1 else "are"
    return f"{total - unknown:,} of {total:,} figures {verb} known here: {verdicts}; {unknown:,} unknown{left}."


def not_checked(left: Unchecked) -> str:
    """What there was no time for.

    >>> not_checked(Unchecked(3200, 412, 20.0))
    '3,200 figures from line 412 on were not checked in 20 s'
    """
    verb = "was" if left.figures == 1 else "were"
    return f"{counted(left.figures, 'figure')} from line {left.line:,} on {verb} not checked in {left.seconds:.3g} s"


def own_arithmetic(checked: CheckedText) -> str | None:
    """What doing the text's own computations again gave; None where it shows none."""
    done = [one.arithmetic.fits for one in checked.figures if one.arithmetic is not None]
    if not done:
        return None
    if len(done) == 1:
        hold = "it holds" if done[0] else "it does not hold"
    else:
        hold = "all hold" if all(done) else f"{sum(done)} hold, {len(done) - sum(done)} do not"
    return f"{counted(len(done), 'computation')} of the text done again: {hold}."


def passage(checked: CheckedText, one: CheckedFigure, *, mark: tuple[str, str] = ("[", "]")) -> str:
    """The figure between marks with the words around it, on one line."""
    start, end, text = one.figure.start, one.figure.end, checked.text
    left, right = max(0, start - _AROUND), min(len(text), end + _AROUND)
    marked = f"{text[left:start]}{mark[0]}{text[start:end]}{mark[1]}{text[end:right]}"
    # Control characters of the text would steer the terminal.
    shown = " ".join("".join(sign for sign in marked if sign.isprintable() or sign.isspace()).split())
    return ("…" if left else "") + shown + ("…" if right < len(text) else "")


def reason(one: CheckedFigure) -> str:
    """Why, and what to use instead."""
    said = one.reason[:1].upper() + one.reason[1:].rstrip(".") + "."
    if one.value_to_use:
        return f"{said} Value to use: {one.value_to_use.rstrip('.')}."
    return f"{said} No better value is known." if one.verdict in ("wrong", "disputed") else said


def known_line(known: KnownValue) -> str:
    """One claim, to show with the figure."""
    return f"{known.printed} ({known.verdict}), {known.subject}, {known.source}, {known.claim}"


def terminal(checked: CheckedText, *, verbose: bool = False) -> Iterator[str]:
    """The lines for a terminal; figures that nothing speaks against are shown with `verbose`."""
    yield answer(checked)
    if (computed := own_arithmetic(checked)) is not None:
        yield computed
    for one in _shown(checked, verbose=verbose):
        yield ""
        yield f"{checked.name}:{one.line}  {one.figure.printed}  {one.verdict}"
        yield from (f"  {line}" for line in wrapped(reason(one)))
        yield from (f"  {line}" for line in wrapped(passage(checked, one)))
        for known in (*one.same[:3], *one.others):
            yield from wrapped(known_line(known), "      ", first="    ")
    if (hidden := _hidden(checked)) and not verbose:
        yield ""
        yield from wrapped(f"{hidden}: --verbose shows them.")


def _hidden(checked: CheckedText) -> str:
    """How many figures are not shown, by what is known of them; an empty text where all are."""
    shown = {id(one) for one in _shown(checked, verbose=False)}
    verdicts = [one.verdict for one in checked.figures if id(one) not in shown]
    rest: tuple[Verdict, ...] = ("confirmed", "unverified", "unknown")
    said = [f"{number} {word}" for word in rest if (number := verdicts.count(word))]
    noun = "more figure" if shown else "figure"
    return f"{counted(len(verdicts), noun)} ({', '.join(said)})" if verdicts else ""


def _shown(checked: CheckedText, *, verbose: bool) -> Sequence[CheckedFigure]:
    return [one for one in checked.worst_first() if verbose or one.verdict in ACTED_ON or one.is_stated_otherwise]


def markdown(checked: CheckedText, *, verbose: bool = False) -> Iterator[str]:
    """The same as a Markdown report."""
    yield f"# {markdown_text(answer(checked))}"
    yield ""
    if (computed := own_arithmetic(checked)) is not None:
        yield markdown_text(computed)
        yield ""
    shown = _shown(checked, verbose=verbose)
    if not shown:
        return
    yield "| Line | Figure | Verdict | Why | Claims |"
    yield "|---|---|---|---|---|"
    for one in shown:
        claims = ", ".join(f"`{known.claim}`" for known in (*one.same[:3], *one.others))
        yield f"| {one.line} | {markdown_text(one.figure.printed)} | {one.verdict} | {markdown_text(reason(one))} | {claims} |"


def figures_table(checked: CheckedText) -> Table:
    """All figures in the order of the text, one a row; a last row says how many were not checked."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(one.line, one.figure.start, one.figure.end, one.figure.printed),
            *(one.verdict, one.reason, one.value_to_use),
            "; ".join(known.claim for known in (*one.same, *one.others)),
        )
        for one in checked.figures
    ]
    if checked.unchecked is not None:
        rows.append((checked.unchecked.line, *(None,) * 3, "not checked", not_checked(checked.unchecked), None, None))
    return Table(("line", "start", "end", "figure", "verdict", "reason", "value_to_use", "claims"), tuple(rows))
