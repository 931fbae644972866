"""What a report says that the names it brings are: "the N7 is an air-cooled server", "its rack, the MX3-Pod", "the Finch-2 model".

A name that nobody knows says nothing of what it names. The sentence that introduces it does, and gives its full form.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

_NOUNS: Final[Mapping[str, str]] = {
    "model": r"(?:language\s)?models?|LLMs?|networks?",
    "node": r"servers?|nodes?|boxes|box|machines?|appliances?",
    "rack": r"racks?",
    "pod": r"[Pp]ods?|super[Pp]ods?|SuperPODs?",
    "cluster": r"clusters?|supercomputers?",
    "accelerator": r"accelerators?|GPUs?|TPUs?|chips?|cards?|processors?|ASICs?",
}
_NOUN: Final = "|".join(f"(?P<{level}>{nouns})" for level, nouns in _NOUNS.items())
_DESCRIBED: Final = rf"(?:(?:an?|the|its|their|our|his|her|another)\s(?:[\w.'’/-]+\s){{0,5}}?(?:{_NOUN})\b(?!\s(?:{'|'.join(_NOUNS.values())})\b|[-'’]))"
_IS: Final = re.compile(rf"\s(?:is|was|are|were|will\sbe)\s{_DESCRIBED}")
_APPOSED: Final = re.compile(rf",\s(?:which\s(?:is|was)\s)?{_DESCRIBED}")
_KIND_AFTER: Final = re.compile(rf"\s(?:{_NOUNS['model']})\b")
_KIND_BEFORE: Final = re.compile(
    rf"\b(?:its|their|our|his|her|the|a|an|['’]s)\s(?:[\w.'’/-]+\s){{0,5}}?(?:{_NOUN}),?\s(?:called\s|named\s|dubbed\s|the\s)?$"
)
_OWN_WORD: Final = re.compile(rf"[\s-](?:{_NOUN})$", re.IGNORECASE)
_MOST_BEFORE: Final = 90
"""Characters before a name that may introduce it."""


@dataclass(frozen=True, slots=True)
class IntroducedNames:
    """The new names of one report: the full form of each short one, and what the report says that a name is."""

    full: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    """`model`, or the level of what is built."""


def introduced_names(text: str, places: Iterable[tuple[int, int]]) -> IntroducedNames:
    """The full forms of the new names at some places of a text, and what its first sentence about each says that it is.

    >>> text = "The Foo Z9 is a liquid-cooled server. Six Z9 form its rack, the Z9-Pod."
    >>> introduced_names(text, [one.span() for one in re.finditer(r"(?:Foo )?Z9(?:-Pod)?", text)])
    IntroducedNames(full={'Z9': 'Foo Z9'}, kinds={'Foo Z9': 'node', 'Z9-Pod': 'pod'})
    """
    spans = list(places)
    full = _full_forms({text[start:end] for start, end in spans})
    kinds: dict[str, str] = {}
    for start, end in spans:
        name = full.get(text[start:end], text[start:end])
        if name not in kinds and (kind := _introduced(text, start, end)) is not None:
            kinds[name] = kind
    return IntroducedNames(full, kinds)


def _full_forms(names: set[str]) -> dict[str, str]:
    """The one longer name that ends with a name, "Foo Z9" of "Z9": with several nobody knows which is meant."""
    longer: dict[str, set[str]] = {}
    for name in names:
        longer.setdefault(name.rpartition(" ")[2], set()).add(name)
    return {short: (names - {short}).pop() for short, names in sorted(longer.items()) if len(names - {short}) == 1}


def _introduced(text: str, start: int, end: int) -> str | None:
    return next(filter(None, _sayings(text, start, end)), None)


def _sayings(text: str, start: int, end: int) -> Iterator[str | None]:
    yield _level(_OWN_WORD.search(text, start, end))
    if _KIND_AFTER.match(text, end):
        yield "model"
    yield _level(_IS.match(text, end))
    yield _level(_APPOSED.match(text, end))
    yield _level(_KIND_BEFORE.search(text[max(0, start - _MOST_BEFORE) : start]))


def _level(found: re.Match[str] | None) -> str | None:
    return None if found is None else found.lastgroup
