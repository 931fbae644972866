"""Baselines of an audit: findings that were looked at and are accepted for now, each with reason, author and date."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kg.content.layout import layout
from kg.content.located import read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes


class BaselineMistake(ContentError):
    """A baseline file does not have the form of one."""

    code = "audit.baseline"


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted finding."""

    finding: str
    reason: str
    author: str
    date: date


class _BaselineEntry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    finding: str = Field(pattern=r"^finding/\S")
    reason: str = Field(min_length=1, pattern=r"\S")
    author: str = Field(min_length=1, pattern=r"\S")
    date: date


_HEADER = "# Findings that were looked at and are accepted for now: kg audit --baseline reads this file, --write-baseline writes it.\n"


def read_baseline(path: Path) -> dict[str, Accepted]:
    """The entries of a baseline by finding; all its mistakes are reported together."""
    shown = str(path)
    if not path.is_file():
        raise BaselineMistake(
            path=shown,
            given="no such file",
            expected="a YAML list of finding, reason, author, date",
            next_step="make one with kg audit --write-baseline FILE",
        )
    located = read_located(path, shown=shown)
    if not isinstance(located.value, list):
        raise BaselineMistake(
            path=shown,
            line=1,
            given=type(located.value).__name__,
            expected="a list of entries with finding, reason, author, date",
        )
    found: dict[str, Accepted] = {}
    mistakes: list[KgError] = []
    for position, given in enumerate(located.value):
        try:
            entry = _BaselineEntry.model_validate(given)
        except ValidationError as cause:
            wrong = from_pydantic(cause, path=shown, located=located, key=(position,), prefix=f"{position}.")
            mistakes.extend(_named(one) for one in wrong)
            continue
        if entry.finding in found:
            mistakes.append(
                BaselineMistake(
                    path=shown, line=located.line(position), given=entry.finding, expected="each finding once"
                )
            )
        found[entry.finding] = Accepted(entry.finding, entry.reason, entry.author, entry.date)
    Mistakes.raise_any(mistakes)
    return found


def _named(error: KgError) -> KgError:
    error.code = BaselineMistake.code
    if error.expected and error.expected.startswith("no such key"):
        error.expected = "finding, reason, author, date"
    return error


def baseline_text(findings: Iterable[str], known: Mapping[str, Accepted], *, reason: str, author: str, on: date) -> str:
    """A baseline of these findings, sorted; those accepted before keep what was said then."""
    entries = []
    for name in sorted(findings):
        one = known.get(name) or Accepted(name, reason, author, on)
        entries.append({"finding": one.finding, "reason": one.reason, "author": one.author, "date": one.date})
    return _HEADER + layout(entries)
