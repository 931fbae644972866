"""How far a text can be relied on, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kg.answers.source_record import SourceRecord
from kg.model.counting import counted
from kg.render.lines import wrapped

_SHOWN: Final = ("confirmed", "unverified", "caution", "disputed", "wrong")
_MOST_NAMED: Final = 4


def record_lines(records: Sequence[SourceRecord]) -> Iterator[str]:
    """A sentence a text, and an empty line behind them."""
    for one in records:
        yield from wrapped(record_words(one), "  ", first="")
    if records:
        yield ""


def record_words(record: SourceRecord) -> str:
    """The verdicts on the claims of a text, how many of its figures recompute, and who states otherwise."""
    digits = record.source.partition("/")[2]
    verdicts = [f"{count:,} {name}" for name in _SHOWN if (count := record.verdicts.get(name, 0))]
    parts = [f"{counted(record.claims, 'claim')}: {', '.join(verdicts)}"]
    if total := record.recomputed + record.failed:
        parts.append(f"{record.recomputed:,} of {counted(total, 'recomputed figure')} hold{'' if total > 1 else 's'}")
    if record.against:
        verb = "state" if len(record.against) > 1 else "states"
        parts.append(f"{_named(record.against)} {verb} otherwise in {counted(record.groups, 'group')} of claims")
    return f"{record.label} [{digits}] makes {'; '.join(parts)}."


def _named(sources: Sequence[str]) -> str:
    names = [one.partition("/")[2] for one in sources]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED:] = [f"{len(names) - _MOST_NAMED} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
