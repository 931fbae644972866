"""The problems of an audit in the shared forms: text, JSON, JSON Lines, CSV, Markdown."""

from collections.abc import Iterator, Sequence
from typing import Final

from kg.answers.audit import SEVERITIES
from kg.answers.audit_report import AuditReport
from kg.answers.problem_words import ToldProblem
from kg.answers.problems import Problems
from kg.answers.source_record import SourceRecord
from kg.cli.options import Format
from kg.cli.output import written
from kg.cli.render import write_json, write_rows
from kg.model.columns import columns, read_columns
from kg.model.counting import counted
from kg.render.audit_text import baseline_lines
from kg.render.cells import markdown_text
from kg.render.lines import MOST_LINES, row, width, wrapped
from kg.render.source_record import record_lines, record_words

COLUMNS = columns("rank severity damage source wrong right falls command claims findings lost")

_ENTRY: Final = 3
"""Lines of an entry where the whole would be longer than a screen."""


def problem_form(
    problems: Problems,
    report: AuditReport,
    form: Format,
    *,
    short: bool = False,
    records: Sequence[SourceRecord] = (),
) -> str:
    """The text of the problems; `report` has the counts of the findings behind them, `records` are those of the texts asked for.

    A `short` table has three lines a problem where the whole would be longer than a screen.
    """
    if form is Format.json:
        return written(lambda: write_json({**problems.to_json(), **_state(report)}))
    if form is Format.markdown:
        return "\n".join(_markdown(problems, report, records)) + "\n"
    if form is Format.table:
        opening = [*record_lines(records), *_opening(problems, report)]
        lines = [*opening, *_lines(problems, report)]
        if short and len(lines) > MOST_LINES:
            lines = list(_short_lines(problems, report, opening))
        return "\n".join(line.rstrip() for line in lines) + "\n"
    rows = read_columns(COLUMNS, problems.problems)
    return written(lambda: write_rows(tuple(COLUMNS), rows, form))


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
    first = "" if shown == problems.found else f"; the {shown} most damaging follow"
    count = f"{counted(problems.found, 'problem')} {'' if problems.about else 'behind '}{behind}{first}"
    return f"{_gravest(problems)} {count[0].upper()}{count[1:]}."


def _gravest(problems: Problems) -> str:
    """The most damaging problem in a sentence: what is wrong, what is right if that is known, what rests on it."""
    worst = problems.problems[0]
    right = (f"right: {worst.right_in_short}",) if worst.instead else ()
    wrong = worst.wrong.partition(": ")[0].rstrip(".")
    return f"Most damaging: {'; '.join((wrong, *right, worst.lost_in_short))}."


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


def _short_lines(problems: Problems, report: AuditReport, opening: Sequence[str]) -> Iterator[str]:
    """Three lines a problem; while the screen has room, the most damaging ones get a fourth for the rest of the reason.

    The first keeps its whole reason on any screen: it is what the headline says.
    """
    closing = wrapped(_unchecked(report)) if report.judged.within is None else []
    entries = [(one, _rest(one)) for one in problems.problems]
    spare = MOST_LINES - len(opening) - len(closing) - 2 - _ENTRY * len(entries)
    rooms = [max(1, _ENTRY - len(rest)) for _, rest in entries]
    for one, _ in entries[:1]:
        whole = max(rooms[0], min(map(len, _wordings(one))))
        spare, rooms[0] = spare - (whole - rooms[0]), whole
    # a line more first where the right value and the command take two of the three
    cut = [place for place, (one, _) in enumerate(entries) if not _told_in(rooms[place], one)]
    for place in sorted(cut, key=lambda n: -len(entries[n][1]))[: max(0, spare)]:
        rooms[place] += 1
    yield from [*opening, ""]
    for most, (one, rest) in zip(rooms, entries, strict=True):
        yield from _told_in(most, one) or _cut(_wrapped(one, one.wrong), most)
        yield from rest
    yield from ["", *closing]


def _wrapped(one: ToldProblem, text: str) -> list[str]:
    return wrapped(f"{text}.", "   ", first=f"{one.rank}. ")


def _told_in(most: int, one: ToldProblem) -> list[str]:
    """What is wrong in at most `most` lines, if need be without the count of others with that cause; else no line."""
    return next((lines for lines in _wordings(one) if len(lines) <= most), [])


def _wordings(one: ToldProblem) -> list[list[str]]:
    """What is wrong with the count of others with that cause, and without."""
    return [_wrapped(one, text) for text in (one.wrong, one.wrong.rpartition(" (and ")[0]) if text]


def _cut(lines: list[str], most: int) -> list[str]:
    """The first lines of a text, up to where a clause ends, with a mark that it goes on.

    >>> _cut(["1. a: b is not", "   c, which d"], 1), _cut(["1. it is", "   large", "   a"], 2)
    (['1. a: b is not …'], ['1. it is', '   large …'])
    """
    last = lines[most - 1]
    clause = last.rfind("; ")
    if clause > max(width() // 3, last.rfind("(")):  # what is in parentheses says of what the figure is
        last = last[:clause]
    if len(last) + 2 > width():
        last = last.rsplit(" ", 1)[0]
    return [*lines[: most - 1], f"{last.rstrip(';')} …"]


def _rest(one: ToldProblem) -> list[str]:
    """The right value, what falls and the command, which a reader takes along."""
    rest = f"   right: {one.right_in_short}; {one.lost_in_short}"
    for command in (one.command, *(f"kg trace {name}" for name in one.claims[:1])):
        if len(line := f"{rest}; {command}") <= width():
            return [line]
    return [*wrapped(rest.strip(), "   ", first="   "), f"   {one.command}"]


def _lines(problems: Problems, report: AuditReport) -> Iterator[str]:
    for one in problems.problems:
        yield ""
        yield from wrapped(f"{one.rank}. {one.wrong}.", "   ", first="")
        yield from row("right", one.right)
        yield from row("falls", one.falls)
        yield from row("more", one.command)
    if report.judged.within is None:
        yield ""
        yield from wrapped(_unchecked(report))


def _markdown(problems: Problems, report: AuditReport, records: Sequence[SourceRecord]) -> Iterator[str]:
    yield "# Problems"
    yield ""
    for record in records:
        yield markdown_text(record_words(record))
        yield ""
    yield markdown_text(_headline(problems, report)) + (
        "" if report.is_current else " **The findings are stale: run `kg build`.**"
    )
    for one in problems.problems:
        yield ""
        yield from _section(one)
    if report.judged.within is None:
        yield ""
        yield f"{_unchecked(report)}."


def _section(one: ToldProblem) -> Iterator[str]:
    yield f"## {one.rank}. {markdown_text(one.wrong)}"
    yield ""
    yield f"- right: {markdown_text(one.right)}"
    yield f"- falls: {markdown_text(one.falls)}"
    yield f"- severity: {one.severity}; findings: {len(one.findings)}; claims: {', '.join(f'`{name}`' for name in one.claims)}"
    yield f"- more: `{one.command}`"
