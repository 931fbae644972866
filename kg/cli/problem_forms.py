"""The problems of an audit in the shared forms: text, JSON, JSON Lines, CSV, Markdown."""

from collections.abc import Iterator

from kg.answers.audit import SEVERITIES
from kg.answers.audit_report import AuditReport
from kg.answers.problems import Problems, ToldProblem
from kg.cli.options import Format
from kg.cli.output import written
from kg.cli.render import write_json, write_rows
from kg.cli.screen import MOST_LINES
from kg.model.counting import counted
from kg.render.audit_text import baseline_lines
from kg.render.lines import row, width, wrapped

COLUMNS = (
    "rank",
    "severity",
    "damage",
    "source",
    "wrong",
    "right",
    "falls",
    "command",
    "claims",
    "findings",
    "lost",
)


def problem_form(problems: Problems, report: AuditReport, form: Format, *, short: bool = False) -> str:
    """The text of the problems; `report` has the counts of the findings behind them.

    A `short` table has three lines a problem where the whole would be longer than a screen.
    """
    if form is Format.json:
        return written(lambda: write_json({**problems.to_json(), **_state(report)}))
    if form is Format.markdown:
        return "\n".join(_markdown(problems, report)) + "\n"
    if form is Format.table:
        lines = list(_lines(problems, report))
        if short and len(lines) > MOST_LINES:
            lines = list(_short_lines(problems, report))
        return "\n".join(line.rstrip() for line in lines) + "\n"
    rows = [tuple(getattr(one, name) for name in COLUMNS) for one in problems.problems]
    return written(lambda: write_rows(COLUMNS, [tuple(map(_cell, one)) for one in rows], form))


def _cell(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _state(report: AuditReport) -> dict[str, object]:
    return {
        "findings_state": "current" if report.is_current else "stale",
        "severities": {name: report.judged.number(name) for name in SEVERITIES},
        "baseline": None if report.compared is None else report.to_json()["baseline"],
    }


def _headline(problems: Problems, report: AuditReport) -> str:
    kinds = ("violation", "warning")
    # without a problem there is nothing to count behind it: the audit itself says how little it found
    numbers = [problems.behind.get(one, 0) if problems.found else report.judged.number(one) for one in kinds]
    behind = " and ".join(map(counted, numbers, kinds))
    if problems.published_behind:
        behind += f", and {problems.published_behind:,} in published rows (--published)"
    if problems.about is not None:  # the counts are those of the whole audit, and say nothing of a part
        behind = f"with {problems.about}"
    if not problems.found:
        return f"No problems{f' {behind}' if problems.about else f'; {behind}'}."
    shown = len(problems.problems)
    first = "" if shown == problems.found else f"; the {shown} most damaging"
    return f"{counted(problems.found, 'problem')} {'' if problems.about else 'behind '}{behind}{first}"


def _unchecked(report: AuditReport) -> str:
    judged = report.judged
    holds = sum(one.findings for one in judged.holds)
    return (
        f"{holds:,} checks hold; {len(judged.not_checkable)} computations could not be checked and "
        f"{len(judged.unopened)} sources were not opened: kg audit --findings says which"
    )


def _opening(problems: Problems, report: AuditReport) -> Iterator[str]:
    yield from wrapped(_headline(problems, report))
    if not report.is_current:
        yield from wrapped("findings: stale, made from another state of the ledger or by other rules; run kg build")
    yield from baseline_lines(report)


def _short_lines(problems: Problems, report: AuditReport) -> Iterator[str]:
    """Three lines a problem; while the screen has room, the most damaging ones get a fourth for the rest of the reason."""
    opening = list(_opening(problems, report))
    closing = wrapped(_unchecked(report)) if report.judged.within is None else []
    entries = [_short_entry(one) for one in problems.problems]
    spare = MOST_LINES - len(opening) - len(closing) - 2 - sum(len(rest) + 1 for _, rest in entries)
    yield from [*opening, ""]
    for wrong, rest in entries:
        most = 2 if spare > 0 else 1
        spare -= min(len(wrong), most) - 1
        yield from wrong[:most] if len(wrong) <= most else _cut(wrong, most)
        yield from rest
    yield from ["", *closing]


def _cut(lines: list[str], most: int) -> list[str]:
    """The first lines of a text, with a mark that it goes on."""
    last = lines[most - 1]
    if len(last) + 2 > width():
        last = last.rsplit(" ", 1)[0]
    return [*lines[: most - 1], f"{last} …"]


def _short_entry(one: ToldProblem) -> tuple[list[str], list[str]]:
    """What is wrong, to be cut; and below it the right value, what falls and the command, which a reader takes along."""
    others = len(one.instead) - 1
    right = (one.instead[0] if one.instead else one.right) + (f"; and {others} more" if others > 0 else "")
    wrong = wrapped(f"{one.wrong}.", "   ", first=f"{one.rank}. ")
    first, last = f"   right: {right}", f"   {one.lost_in_short}; {one.command}"
    both = f"   right: not known; {one.lost_in_short}; {one.command}"
    if not one.instead and len(both) <= width():
        return wrong, [both]
    if len(last) <= width():
        return wrong, [*wrapped(first.strip(), "   ", first="   "), last]
    return wrong, [*wrapped(f"{first.strip()}; {one.lost_in_short}", "   ", first="   "), f"   {one.command}"]


def _lines(problems: Problems, report: AuditReport) -> Iterator[str]:
    yield from _opening(problems, report)
    for one in problems.problems:
        yield ""
        yield from wrapped(f"{one.rank}. {one.wrong}.", "   ", first="")
        yield from row("right", one.right)
        yield from row("falls", one.falls)
        yield from row("more", one.command)
    if report.judged.within is None:
        yield ""
        yield from wrapped(_unchecked(report))


def _markdown(problems: Problems, report: AuditReport) -> Iterator[str]:
    yield "# Problems"
    yield ""
    yield f"{_headline(problems, report)}." + (
        "" if report.is_current else " **The findings are stale: run `kg build`.**"
    )
    for one in problems.problems:
        yield ""
        yield from _section(one)
    if report.judged.within is None:
        yield ""
        yield f"{_unchecked(report)}."


def _section(one: ToldProblem) -> Iterator[str]:
    yield f"## {one.rank}. {_plain(one.wrong)}"
    yield ""
    yield f"- right: {_plain(one.right)}"
    yield f"- falls: {_plain(one.falls)}"
    yield f"- severity: {one.severity}; findings: {len(one.findings)}; claims: {', '.join(f'`{name}`' for name in one.claims)}"
    yield f"- more: `{one.command}`"


def _plain(text: str) -> str:
    """A text that stays what it is inside a Markdown line."""
    return text.replace("|", "\\|").replace("\n", " ")
