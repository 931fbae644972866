"""How many there are, where plain words ask for that: the sum of a column of counts, or how many different ones rows name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kg.model.counting import counted

if TYPE_CHECKING:
    from kg.stores.protocol import Answer

_SUMMED: Final = ("claim", "result")
"""What columns count of which each row counts others; the accelerators of several systems are no sum that anybody asks for."""
_NAMED: Final = ("submitter", "source", "round", "task")
_OF_ENTRIES: Final = {"submission": "entry", "entries": "entry", "entry": "entry"}
"""Words for the entries of a round, of which one has many results."""
# meets "how many wrong claims" and "number of submitters"
_HOW_MANY: Final = re.compile(
    rf"\s*(?:how many|number of) (?:[\w.]+ )?(?P<noun>{'|'.join((*_SUMMED, *_NAMED, *_OF_ENTRIES))})s?\b", re.IGNORECASE
)
# meets "how many accelerators did entry v6.0-0001 use"
_CHIPS_USED: Final = re.compile(r"\s*(?:how many|number of) (?:accelerator|gpu|chip)s?\b", re.IGNORECASE)
_MOST_KINDS: Final = 3
_RATIO: Final = "change"


def counted_rows(text: str, answer: Answer) -> str:
    """One line that answers how many there are; empty where the words do not ask for it or rows were cut.

    >>> from kg.stores.protocol import Answer
    >>> rows = Answer(("source", "claims"), (("source/001", 5), ("source/002", 20)))
    >>> counted_rows("how many claims are wrong", rows), counted_rows("how many sources are there", rows)
    ('25 claims', '2 sources')
    >>> results = Answer(("entry", "claim"), (("5.1-0001", "a/1"), ("5.1-0001", "a/2")))
    >>> counted_rows("how many results did Dell submit", results), counted_rows("how many entries did Dell make", results)
    ('2 results', '1 entry')
    >>> counted_rows("which claims are wrong", rows), counted_rows("how many rounds are there", rows)
    ('', '')
    >>> counted_rows("how many sources are there", Answer(rows.columns, rows.rows, complete=False))
    ''
    """
    if _CHIPS_USED.match(text) and answer.complete:
        return _chips(answer)
    asked = _HOW_MANY.match(text)
    return "" if asked is None or not answer.complete or not answer.rows else _counted(asked["noun"].casefold(), answer)


def _counted(noun: str, answer: Answer) -> str:
    """How many of what a noun names there are: the sum of a column of counts, or how many different ones rows name."""
    if noun in _SUMMED and f"{noun}s" in answer.columns:
        place = answer.columns.index(f"{noun}s")
        return counted(sum(int(str(row[place])) for row in answer.rows), noun)
    column = "claim" if noun in _SUMMED else _OF_ENTRIES.get(noun, noun)
    if column not in answer.columns:
        return ""
    place = answer.columns.index(column)
    number = len({row[place] for row in answer.rows if row[place] is not None})
    return f"{number:,} {'entry' if number == 1 else 'entries'}" if column == "entry" else counted(number, noun)


def _chips(answer: Answer) -> str:
    """How many accelerators the results of each kind of them were measured on."""
    counts: dict[str, set[float]] = {}
    has_counts = {"accelerators", "accelerator_label"} <= {*answer.columns}
    for row in answer.dicts() if has_counts else ():
        if row["accelerators"] is not None:
            name = str(row["accelerator_label"]).partition(" (")[0]
            counts.setdefault(name, set()).add(float(str(row["accelerators"])))
    if not 0 < len(counts) <= _MOST_KINDS:
        return ""
    return "; ".join(
        f"{' or '.join(f'{one:,.0f}' for one in sorted(numbers))} {name}" for name, numbers in sorted(counts.items())
    )


def counted_changes(answer: Answer) -> str:
    """One line on the changes from one round to the next: how many rose and fell, and by how much at most.

    >>> from kg.stores.protocol import Answer
    >>> counted_changes(Answer(("row", "change"), (("a", 1.47), ("b", 1.0), ("c", 0.983))))
    '3 results can be compared: 1 rose (up to 1.47x), 1 fell (down to 0.983x)'
    >>> counted_changes(Answer(("row", "change"), (("a", 1.0), ("b", None)))), counted_changes(Answer(("row",), (("a",),)))
    ('1 result can be compared: none changed', '')
    """
    if _RATIO not in answer.columns or not answer.complete or not answer.rows:
        return ""
    place = answer.columns.index(_RATIO)
    ratios = [float(str(row[place])) for row in answer.rows if row[place] is not None]
    rose, fell = [one for one in ratios if one > 1], [one for one in ratios if one < 1]
    parts = [f"{len(rose)} rose (up to {max(rose):.3g}x)"] if rose else []
    parts += [f"{len(fell)} fell (down to {min(fell):.3g}x)"] if fell else []
    changes = f"{counted(len(ratios), 'result')} can be compared: {', '.join(parts) or 'none changed'}"
    unlike = sum(row.get("unlike") is not None for row in answer.dicts())
    if not unlike:
        return changes
    return (
        f"{changes}; {unlike} of them are unlike in submitter, number of accelerators or availability, as each row says"
    )
