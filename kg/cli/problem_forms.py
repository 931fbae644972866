"""The problems of an audit in the shared forms: text, JSON, JSON Lines, CSV, Markdown."""

from collections.abc import Iterator

from kg.answers.audit import SEVERITIES
from kg.answers.audit_report import AuditReport
from kg.answers.problems import Problems, ToldProblem
from kg.cli.options import Format
from kg.cli.output import written
from kg.cli.render import write_json, write_rows
from kg.render.audit_text import baseline_lines
from kg.render.lines import row, wrapped

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


def problem_form(problems: Problems, report: AuditReport, form: Format) -> str:
    """The text of the problems; `report` has the counts of the findings behind them."""
    if form is Format.json:
        return written(lambda: write_json({**problems.to_json(), **_state(report)}))
    if form is Format.markdown:
        return "\n".join(_markdown(problems, report)) + "\n"
    if form is Format.table:
        return "\n".join(line.rstrip() for line in _lines(problems, report)) + "\n"
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
    judged = report.judged
    behind = f"{judged.number('violation')} violations and {judged.number('warning')} warnings"
    if not problems.found:
        return f"No problems; {behind}."
    shown = len(problems.problems)
    first = "" if shown == problems.found else f"; the {shown} most damaging"
    return f"{problems.found} problem{'' if problems.found == 1 else 's'} behind {behind}{first}"


def _unchecked(report: AuditReport) -> str:
    judged = report.judged
    holds = sum(one.findings for one in judged.holds)
    return (
        f"{holds:,} checks hold; {len(judged.not_checkable)} computations could not be checked and "
        f"{len(judged.unopened)} sources were not opened: kg audit --findings says which"
    )


def _lines(problems: Problems, report: AuditReport) -> Iterator[str]:
    yield from wrapped(_headline(problems, report))
    if not report.is_current:
        yield from wrapped("findings: stale, made from another state of the ledger or by other rules; run kg build")
    yield from baseline_lines(report)
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
