"""Mutations of texts and of JSON values, drawn by a seeded generator: the same seed gives the same input again."""

import copy
import random
from collections.abc import Iterator, MutableMapping, MutableSequence
from typing import Any

ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1 << 63,
    -(1 << 63) - 1,
    10**40,
    1e308,
    -0.0,
    float("inf"),
    float("nan"),
    "",
    " ",
    "\x00",
    "\u200b7\u200b2",
    "\u202e72",
    "null",
    "2025-02-30",
    "9" * 400,
    "1e999",
    "one trillion trillion trillion trillion",
    "nan%",
    "±",
    "../../etc",
    "x" * 5000,
    "source/",
    "accelerator/none-such",
    "<b>&\"'",
    "?x } #",
    [],
    {},
    [[]],
    [None],
    [{"a": []}],
    {"": ""},
    {"value": {"value": {}}},
    ["a", 1, None, {}],
)
ODD_PIECES = (
    "\x00",
    "\ufeff",
    "\u2028",
    "\u202e",
    "\U0001f680",
    "\ud7ff",
    "−",
    "½",
    "٣",
    "一百",
    "1e9999",
    "%",
    "x",
    "~",
    "±",
    ",",
    ".",
    "..",
    "--",
    "–",
    "$",
    "€",
    "to",
    "twice",
    "trillion",
    "half",
    "(",
    ")",
    "[",
    "{",
    "&a",
    "*a",
    "!!python/object",
    "'",
    '"',
    "\\",
    "\r",
    "\n",
    "\t",
    ":",
    "#",
    "|",
    "<",
    "/",
    "0" * 50,
    "9" * 50,
)


def mutated_text(text: str, chance: random.Random) -> str:
    """A text with one to four pieces put in, taken out, doubled or exchanged."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 5, 20)))
        piece = chance.choice((chance.choice(ODD_PIECES), text[start:end] * 2, "", text[-end:][:9]))
        text = text[:start] + piece + text[end:]
    return text


def mutated_value(value: Any, chance: random.Random) -> Any:
    """A deep copy of a JSON value with one to three places changed: another value, type, key, or none at all."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(value))
        if not places:
            return chance.choice(ODD_VALUES)
        holder, key = chance.choice(places)
        match chance.randrange(6):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, MutableMapping):
                holder[chance.choice(("", "id", "kind", "unit", "value", "printed", str(key) + "s"))] = holder.pop(key)
            case 2:
                other, where = chance.choice(places)
                try:
                    holder[key] = copy.deepcopy(other[where])
                except (KeyError, IndexError):
                    holder[key] = None
            case 3 if isinstance(holder[key], str):
                holder[key] = mutated_text(holder[key], chance)
            case 4:
                holder[key] = chance.choice(([holder[key]], {"value": holder[key]}, str(holder[key])))
            case _:
                holder[key] = copy.deepcopy(chance.choice(ODD_VALUES))
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder and key below a value."""
    if isinstance(value, MutableMapping):
        for key in list(value):
            yield value, key
            yield from _places(value[key])
    elif isinstance(value, MutableSequence):
        for key in range(len(value)):
            yield value, key
            yield from _places(value[key])
