"""`kg audit`: whether the numbers hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kg.cli.grammar import meant_by, scope_meant
from kg.cli.options import (
    Format,
    ListOptions,
    MetricOption,
    ModelOption,
    PhaseOption,
    PublishedOption,
    SinceOption,
    output_to,
    user_name,
)
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.answers.audit_report import AuditReport
    from kg.answers.problems import Problems
    from kg.answers.published import Restriction
    from kg.answers.referent import Scope
    from kg.content.baseline import Accepted
    from kg.session import Graph

_OPTIONS = ListOptions(timeout=600.0)
PROBLEMS, SHOWN, SHOWN_OF_ALL = 10, 40, 400
"""On a terminal: problems, findings in full, and findings with --all; the summary above counts all."""


class FailOn(StrEnum):
    """From which severity on a finding gives exit code 1."""

    violation = "violation"
    warning = "warning"


@dataclass(frozen=True, slots=True)
class FindingOptions:
    """Which findings an audit looks at."""

    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule", metavar="CODE", help="a code such as arithmetic.inconsistent, or its first part; may be repeated"
        ),
    ] = None
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="ID", help="a text such as 002 or source/002; may be repeated"),
    ] = None
    metric: MetricOption = None
    phase: PhaseOption = None
    model: ModelOption = None
    since: SinceOption = None
    published: PublishedOption = False
    severity: Annotated[
        list[str] | None,
        typer.Option(
            "--severity",
            help="of --findings: violation, warning or info; may be repeated (default: violation and warning)",
        ),
    ] = None
    everything: Annotated[
        bool, typer.Option("--all", help="all problems; with --findings notes (severity info) too")
    ] = False

    def restriction(self, graph: "Graph") -> "Restriction | None":
        """Metrics, phases, models and day, with ids instead of names; None where nothing is asked for."""
        return graph.restriction(
            metrics=self.metric or (), phases=self.phase or (), models=self.model or (), since=self.since
        )


@dataclass(frozen=True, slots=True)
class BaselineOptions:
    """Which findings fail, which are accepted, and where the result goes."""

    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on",
            help="exit code 1 if there is a finding of this severity or a graver one; with --baseline a new one",
        ),
    ] = None
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="accepted findings, each with reason and author")
    ] = None
    write_baseline: Annotated[
        Path | None,
        typer.Option("--write-baseline", metavar="FILE", help="write all violations and warnings as accepted"),
    ] = None
    reason: Annotated[str, typer.Option("--reason", help="why, for --write-baseline")] = "as found; not looked at yet"
    author: Annotated[
        str | None, typer.Option("--author", help="by whom, for --write-baseline (default: the user)")
    ] = None
    output: Annotated[Path | None, output_to("file to write (default: standard output)", metavar="FILE")] = None

    def accepted(self) -> "Mapping[str, Accepted] | None":
        """The findings of the baseline; None without one."""
        if self.baseline is None:
            return None
        from kg.content.baseline import read_baseline

        return read_baseline(self.baseline)

    @property
    def decides(self) -> bool:
        """Whether findings are written as accepted, or one of them can fail."""
        return self.write_baseline is not None or self.fail_on is not None

    def finish(
        self, report: "AuditReport", known: "Mapping[str, Accepted] | None", tell: Callable[[str], None]
    ) -> None:
        """Write the findings as accepted where that is asked for, else end with exit code 1 where one of them fails."""
        if self.write_baseline is not None:
            _write(self.write_baseline, report.occurring, known or {}, self.reason, self.author)
            tell(f"{len(report.occurring)} findings accepted in {self.write_baseline}")
        elif self.fail_on is not None and report.failing(self.fail_on.value):
            raise typer.Exit(1)


_WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME|CLAIM]",
        help="only problems of this thing and its variants, such as H200; or of a claim, number, metric, source, two things",
    ),
]
_ThingsOption = Annotated[list[str] | None, typer.Option("--thing", metavar="NAME", help="the same; may be repeated")]
_FindingsOption = Annotated[
    bool, typer.Option("--findings", help="every finding in full instead of the problems behind them")
]


def audit(
    words: _WordsArgument = None,
    *,
    things: _ThingsOption = None,
    findings: _FindingsOption = False,
    chosen: FindingOptions,
    baseline: BaselineOptions,
    options: ListOptions = _OPTIONS,
) -> None:
    """The problems, the most damaging first, one entry a cause: what is wrong, what is right, what falls with it.

    With --findings every finding: what does not recompute, who disagrees, what looks wrong; what holds; what was not
    checked and why. Exit code 1 only with --fail-on.

    Example: kg audit H200 --all
    """
    wanted, known = _severities(chosen, findings=findings), baseline.accepted()
    graph = options.open()
    on_screen = options.form is Format.table and baseline.output is None
    asked = _asked_for(graph, words or (), things or ())

    most = _most_findings(chosen, options, on_screen=on_screen) if findings else 0
    audited = partial(_audited, graph, chosen, severities=wanted, baseline=known, most=most)
    # a problem is found among all findings, and only then asked whether it touches what is named
    report = audited(asked.scopes if findings else ())
    if findings:
        _write_findings(report, baseline.output, options)
    else:
        short = on_screen and not chosen.everything
        _write_problems(graph, report, asked, chosen=chosen, short=short, options=options, output=baseline.output)
    options.name_questions(report.judged.questions)
    if baseline.decides:
        baseline.finish(audited(asked.scopes), known, options.tell)


def _audited(
    graph: "Graph",
    chosen: FindingOptions,
    scopes: "Sequence[Scope]",
    *,
    severities: Sequence[str],
    baseline: "Mapping[str, Accepted] | None",
    most: int | None,
) -> "AuditReport":
    return graph.audit(
        rules=chosen.rule or (),
        sources=chosen.source or (),
        severities=severities,
        baseline=baseline,
        most=most,
        within=chosen.restriction(graph),
        scopes=scopes,
    )


class _AskedFindings(NamedTuple):
    """What is named: the words with the claims they mean, and the things of `--thing`."""

    text: str | None
    scope: "Scope | None"
    things: "Sequence[str]"
    covered: "Scope | None"
    """The claims of the things."""

    @property
    def scopes(self) -> "tuple[Scope, ...]":
        """What a claim has to fit."""
        return tuple(one for one in (self.scope, self.covered) if one is not None)


def _asked_for(graph: "Graph", words: "Sequence[str]", things: "Sequence[str]") -> _AskedFindings:
    from kg.answers.listing import covered_by
    from kg.answers.referent import Scope

    meant = meant_by(graph, words, "audit") if words else None
    covered = [covered_by(graph.ask, one) for one in things]
    return _AskedFindings(
        text=None if meant is None else meant.text,
        scope=None if meant is None else scope_meant(graph, meant),
        things=things,
        covered=Scope(things=(frozenset[str]().union(*covered),)) if covered else None,
    )


def _write_findings(report: "AuditReport", output: Path | None, options: ListOptions) -> None:
    from kg.cli.audit_forms import audit_form
    from kg.cli.output import put

    put(audit_form(report, options.form), output, options.tell)
    _tell_findings(report, options.form, options.tell)


def _write_problems(
    graph: "Graph",
    report: "AuditReport",
    asked: _AskedFindings,
    *,
    chosen: FindingOptions,
    short: bool,
    options: ListOptions,
    output: Path | None,
) -> None:
    """The problems behind the findings, of what was asked for; `short` where only the first ones fit a screen."""
    from kg.answers.source_record import source_records
    from kg.cli.output import put
    from kg.cli.problem_forms import problem_form

    named = frozenset[str]() if asked.scope is None else asked.scope.texts
    records = source_records(graph.ask, {*report.judged.sources, *named})
    problems = graph.problems(
        report.judged,
        things=asked.things,
        scope=asked.scope,
        published=chosen.published,
        most=options.limit or (PROBLEMS if short else None),
    )
    problems = problems if asked.text is None else replace(problems, about=asked.text)
    put(problem_form(problems, report, options.form, short=short, records=records), output, options.tell)
    _tell_problems(problems, options.tell)


def _severities(chosen: FindingOptions, *, findings: bool) -> tuple[str, ...]:
    from kg.answers.audit import SEVERITIES

    severity = chosen.severity
    if severity and not findings:
        raise UsageError(field="--severity", given=severity[0], expected="--findings with it")
    wanted = tuple(SEVERITIES) if chosen.everything and findings else tuple(severity or ("violation", "warning"))
    if unknown := [one for one in wanted if one not in SEVERITIES]:
        raise UsageError(field="--severity", given=unknown[0], expected=", ".join(SEVERITIES))
    return wanted


def _tell_problems(problems: "Problems", tell: "Callable[[str], None]") -> None:
    shown = len(problems.problems)
    if shown < problems.found:
        tell(f"the {shown} most severe of {problems.found} problems; --limit N shows more, --all all of them in full")
    if problems.published:
        tell(f"{problems.published} more of published rows alone; --published shows them")


def _tell_findings(report: "AuditReport", form: Format, tell: "Callable[[str], None]") -> None:
    shown, fitting = len(report.judged.findings), report.judged.fitting
    if fitting > shown:
        tell(f"the {shown} most severe of {fitting} findings; --limit N shows more, -o FILE writes all")
    if report.compared is not None and form is not Format.table:
        for name in report.compared.stale:
            tell(f"no longer occurs, take it out of the baseline: {name}")


def _write(
    path: Path, findings: tuple[str, ...], known: "Mapping[str, Accepted]", reason: str, author: str | None
) -> None:
    from datetime import date

    from kg.cli.output import put_bytes
    from kg.content.baseline import baseline_text

    text = baseline_text(findings, known, reason=reason, author=author or user_name(), on=date.today())
    put_bytes(text.encode("utf-8"), path)


def _most_findings(chosen: FindingOptions, options: ListOptions, *, on_screen: bool) -> int | None:
    """How many findings are read: a screen takes few where no number is given, a file all."""
    if options.limit or not on_screen:
        return options.limit or None
    return SHOWN_OF_ALL if chosen.everything else SHOWN
