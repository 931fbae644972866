"""`kg audit`: whether the numbers hold."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import (
    ContentOption,
    ExplainOption,
    Format,
    FormatOption,
    LimitOption,
    QuietOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)  # fmt: skip
from kg.errors import UsageError

SHOWN, SHOWN_OF_ALL = 40, 400
"""Findings in full on a terminal, and with --all; the summary above them counts all."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("audit")(audit)


def audit(
    rule: Annotated[list[str] | None, typer.Option("--rule", metavar="CODE", help="a code such as arithmetic.inconsistent, or its first part; may be repeated")] = None,
    source: Annotated[list[str] | None, typer.Option("--source", metavar="ID", help="a text such as 002 or source/002; may be repeated")] = None,
    severity: Annotated[list[str] | None, typer.Option("--severity", help="violation, warning or info; may be repeated (default: violation and warning)")] = None,
    everything: Annotated[bool, typer.Option("--all", help="notes (severity info) too")] = False,
    baseline: Annotated[Path | None, typer.Option("--baseline", metavar="FILE", help="accepted findings: only new violations give exit code 1")] = None,
    write_baseline: Annotated[Path | None, typer.Option("--write-baseline", metavar="FILE", help="write all violations and warnings as accepted")] = None,
    reason: Annotated[str, typer.Option("--reason", help="why, for --write-baseline")] = "as found; not looked at yet",
    author: Annotated[str | None, typer.Option("--author", help="by whom, for --write-baseline (default: the user)")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="file to write (default: standard output)")] = None,
    form: FormatOption = Format.table, limit: LimitOption = None, store: StoreOption = None, content: ContentOption = None,
    timeout: TimeoutOption = 600.0, explain: ExplainOption = False, quiet: QuietOption = False,
) -> None:  # fmt: skip
    """All findings: what does not recompute, who disagrees, what looks wrong; what holds; what was not checked and why.

    Exit code 1 when any is a violation, with --baseline when any violation is new.

    Example: kg audit --source 002 --rule arithmetic
    """
    from kg.answers.audit import SEVERITIES
    from kg.cli.audit_forms import audit_form
    from kg.cli.layout import put

    wanted = tuple(SEVERITIES) if everything else tuple(severity or ("violation", "warning"))
    if unknown := [one for one in wanted if one not in SEVERITIES]:
        raise UsageError(field="--severity", given=unknown[0], expected=", ".join(SEVERITIES))
    known = None
    if baseline is not None:
        from kg.content.baseline import read_baseline

        known = read_baseline(baseline)
    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    on_screen = form is Format.table and output is None
    most = limit or ((SHOWN_OF_ALL if everything else SHOWN) if on_screen else None)
    report = graph.audit(rules=rule or (), sources=source or (), severities=wanted, baseline=known, most=most)
    tell = talker(quiet)
    put(audit_form(report, form), output, tell)
    if report.judged.fitting > len(report.judged.findings):
        tell(
            f"the gravest {len(report.judged.findings)} of {report.judged.fitting} findings; --limit N shows more, -o FILE writes all"
        )
    if report.compared is not None and form is not Format.table:
        for name in report.compared.stale:
            tell(f"no longer occurs, take it out of the baseline: {name}")
    if explain:
        tell("questions: " + ", ".join(report.judged.questions))
    if write_baseline is not None:
        _write(write_baseline, report.occurring, known or {}, reason, author)
        tell(f"{len(report.occurring)} findings accepted in {write_baseline}")
    elif report.failing:
        raise typer.Exit(1)


def _write(path: Path, findings: tuple[str, ...], known: dict, reason: str, author: str | None) -> None:  # type: ignore[type-arg]
    from datetime import date
    from getpass import getuser

    from kg.content.baseline import baseline_text
    from kg.ledger.durable import write_whole

    text = baseline_text(findings, known, reason=reason, author=author or getuser(), on=date.today())
    write_whole(path, [text.encode("utf-8")])
