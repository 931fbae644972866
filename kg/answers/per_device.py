"""The device that a text divides a figure by: "4,023 tokens/s per GPU", "capital cost per GPU is $31k", "each GB200 NVL72 GPU"."""

import re
from typing import Final

_DEVICE: Final = r"gpu|accelerator|chip|card|tpu|device|processor"
# meets "per GPU" and "/chip"; not "per GPU-hour", the unit of a rental price
_PER: Final = re.compile(rf"(?:\bper[ -]|/|\bfor each |\beach )({_DEVICE})s?\b(?![ -]?hour)", re.IGNORECASE)
_OPENS: Final = re.compile(rf"\W*(?:measured |counted )?{_PER.pattern}\s?,", re.IGNORECASE)
# meets "Each GB200 NVL72 GPU delivers"; not "each GPU", which `_PER` meets, nor "each of the eight GPUs"
_EACH: Final = re.compile(
    rf"\b(?:each|every)\s+(?:[A-Z][\w-]*\s+){{1,4}}?({_DEVICE})\b(?!s)(?=\W+[a-z])", re.IGNORECASE
)
# meets "Each of the 72 GPUs in the rack delivers"; the number is that of the devices, not a figure that it belongs to
_EACH_OF: Final = re.compile(
    rf"\b(?:each|every one) of (?:the|its|these|those) (?:\w+ )?(?:[A-Z][\w-]* ){{0,3}}?({_DEVICE})s\b[^,;:]*$",
    re.IGNORECASE,
)
_AFTER_FIGURE: Final = re.compile(r"(?:[^.,;:()\d]|(?<=[A-Za-z\d])\d)*")
"""Behind a figure up to the next one; "FP4" is none."""
_FIGURE: Final = re.compile(r"(?<![\w.,])\d[\d.,]*")
"""A figure before; not the digits of "H100"."""
_CLAUSE: Final = re.compile(r"[,;:]|\b(?:and|but|while|or|whereas)\b")
# what leads from "cost per GPU" to its figure: no other noun that could be what is divided
_LEADS_TO: Final = re.compile(
    r"(?:is|was|are|were|of|at|to|reach\w*|equals?|for|about|around|roughly|than|=|:|\()\W*\$?\W*$"
)


def device_in(headers: str) -> str | None:
    """The device by which the headers of a cell divide it."""
    found = _PER.search(headers)
    return found[1] if found is not None else None


def device_of(before: str, after: str) -> str | None:
    """The device by which the words of its sentence divide a figure, behind it up to the next one or before it.

    >>> device_of("The rack delivers ", " PFLOPS of FP4 per GPU, which"), device_of("The capital cost per GPU is $", ".")
    ('GPU', 'GPU')
    >>> device_of("With 141 GB per GPU, the server holds ", " GB"), device_of("It rents at $2 per GPU-hour, and draws ", " W")
    (None, None)
    """
    behind = _AFTER_FIGURE.match(after)
    device = _PER.search(behind[0] if behind is not None else "") or _OPENS.match(before)
    if device is not None:
        return device[1]
    own = _own_clause(before)
    device = _EACH.search(own) or _EACH_OF.search(before) or (_PER.search(own) if _LEADS_TO.search(own) else None)
    return device[1] if device is not None else None


def _own_clause(before: str) -> str:
    """The words before a figure that are not of the one before it: "141 GB per GPU" belongs to the 141 GB."""
    ends = [one.end() for one in _FIGURE.finditer(before)]
    if not ends:
        return before
    rest = before[ends[-1] :]
    clause = _CLAUSE.search(rest)
    return rest[clause.end() :] if clause is not None else ""
