"""The outer shape of one entry of a claims file: which keys it may have, and of which type each value is.

What a value means is checked later, by the model; here only what would stop the reader on its way there.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kg.errors import ContentError, KgError

ABOUT = (
    *("kind", "utterance", "modality", "polarity", "subject", "subjects", "subject_printed", "level"),
    *("baseline", "baseline_printed", "baseline_level", "baseline_status"),
    *("metric", "statistic", "normaliser", "relation", "reading", "alternatives"),
)
"""What a claim is about, and what its figure is a figure of; each tuple in the order in which a file has the keys."""
STATED = ("statement", "direction", "event")
SPEAKERS = ("asserted_by", "attributed_to", "path")
PLAIN = (*ABOUT, *STATED, *SPEAKERS, "restates", "secondary", "note")
VALUE = ("unit", "value", "shape", "hedge", "exact", "term", "set", "date", "absent")
FIGURE = ("printed", *VALUE)
PLACE = ("at", "find", "nth", "page", "box", "table", "row", "column", "pointer", "sha256", "locator")
OWN = ("id", "conditions", "baseline_conditions", "said_on", "as_of", "derivations", "context_at", "also_at", "same_as")
KEYS = frozenset((*PLAIN, *FIGURE, *PLACE, *OWN))


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _dated(value: object) -> bool:
    return isinstance(value, dict) and set(value) <= {"date", "basis"}


def _place(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("gives", ""), str):
        return False
    if isinstance(value.get("find"), str):
        return (
            set(value) <= {"find", "nth", "printed", "gives"}
            and isinstance(value.get("printed", ""), str)
            and _counted(value)
        )
    return set(value) <= {"at", "to", "gives"} and _whole(value.get("at")) and _whole(value.get("to"))


def _counted(value: Mapping[str, object]) -> bool:
    return "nth" not in value or (_whole(value["nth"]) and value["nth"] != 0)


def _list_of(one: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(one(item) for item in value)


def _derivation(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("text", True), bool)


def _text(value: object) -> bool:
    return isinstance(value, str)


_TYPES: dict[str, tuple[Callable[[object], bool], str]] = {
    **dict.fromkeys(
        ("id", "subject", "unit", "hedge", "find", "same_as", "metric", "locator", "pointer", "sha256", "box"),
        (_text, "text"),
    ),
    "printed": (_text, "text as printed; put it in quotes"),
    "subjects": (_list_of(_text), "a list of ids"),
    "at": (_whole, "a whole number: the position in code points"),
    **dict.fromkeys(("nth", "page"), (lambda value: _whole(value) and value != 0, "a whole number from 1")),
    **dict.fromkeys(("exact", "secondary"), (lambda value: isinstance(value, bool), "true or false")),
    "conditions": (lambda value: isinstance(value, dict), "a mapping"),
    "baseline_conditions": (lambda value: isinstance(value, dict), "a mapping"),
    "said_on": (_dated, "a mapping with date and basis"),
    "as_of": (lambda value: _text(value) or _dated(value), "a date in quotes, or a mapping with date and basis"),
    "derivations": (_list_of(_derivation), "a list of mappings with text, expression and inputs"),
    "context_at": (_list_of(_place), "a list of places: at and to, or find; and gives"),
    "also_at": (_list_of(_place), "a list of places: at and to, or find; and gives"),
}


def shape_mistakes(entry: Mapping[Any, Any]) -> Iterator[KgError]:
    """What is wrong with the keys of an entry and the types of their values, each with its field."""
    for key in sorted(map(str, set(entry) - KEYS)):
        yield ContentError(
            code="claim.unknown-key", field=key, given=key, expected="the keys listed in docs/curating.md"
        )
    for key, (fits, expected) in _TYPES.items():
        if entry.get(key) is not None and not fits(entry[key]):  # null takes back what the group states
            yield ContentError(code="record.invalid", field=key, given=shown(entry[key]), expected=expected)
    if not entry.get("id"):
        yield ContentError(code="record.invalid", field="id", given="nothing", expected="this key is needed")


def shown(value: object) -> str:
    """A value in an error: short, and of a list or mapping only what it is."""
    if isinstance(value, dict | list):
        return f"a {'mapping' if isinstance(value, dict) else 'list'} of {len(value)}"
    return str(value)[:80]
