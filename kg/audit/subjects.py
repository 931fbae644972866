"""The kinship of the things of two claims, by the registry: one thing, a series and its variant, two variants, parts, others."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from kg.model.recorded import ThingRecord
from kg.model.remembered import Remembered

Kinship = Literal["same", "broader", "variants", "parts", "platform", "other"]
"""`broader`: one is a series or a less definite name of the other; `variants`: two of one series; `parts`: two levels of one
series (superchip, rack); `platform`: the software of a maker next to the hardware of the same maker."""

_SERIES: Final = "chip-family"
_SILICON: Final = frozenset({"accelerator", "chip-family", "architecture", "superchip"})
_WHOLES: Final = frozenset({"superchip", "node", "rack", "pod", "cluster"})
_UP: Final = ("of", "member_of", "variant_of")


class Subjects:
    """The registry, read for kinship; answers are remembered."""

    def __init__(self, registry: Mapping[str, ThingRecord]) -> None:
        self._registry = registry
        self._roots: dict[str, str] = {}
        self._above: dict[str, frozenset[str]] = {}
        self._kinships = Remembered[tuple[str, str], Kinship]()
        self.compared = Remembered[Any, Any]()
        """Sets of conditions that were compared against this registry, with the result."""

    def label(self, name: str) -> str:
        """The label of a thing, or the text itself where it names nothing."""
        record = self._registry.get(name)
        return str(record["label"]) if record else name

    def kind(self, name: str) -> str:
        """The kind of an entity; of anything else the empty text."""
        record = self._registry.get(name)
        return str(record["kind"]) if record else ""

    def linked(self, name: str, link: str) -> str | None:
        """What a field of the record of a thing names."""
        fields: Mapping[str, object] = self._registry.get(name, {})
        found = fields.get(link)
        return None if found is None else str(found)

    def root(self, name: str) -> str:
        """The series a thing belongs to, else the thing itself. Architectures are never a root of their chips."""
        found = self._roots.get(name)
        if found is None:
            found = name
            for above in self._chain(name):
                # an architecture holds several series, whose figures must not meet as those of one
                if self.kind(above) == "architecture" and self.kind(found) != "architecture":
                    break
                found = above
                # a form of a series, A100 SXM, is none by itself
                if self.kind(above) == _SERIES and not self.linked(above, "variant_of"):
                    break
            self._roots[name] = found
        return found

    def above(self, name: str) -> frozenset[str]:
        """Everything that a thing is a configuration, member or variant of, at any distance."""
        found = self._above.get(name)
        if found is None:
            found = self._above[name] = frozenset(self._chain(name))
        return found

    def _chain(self, name: str) -> Iterator[str]:
        seen = {name}
        while True:
            above = next((self.linked(name, link) for link in _UP if self.linked(name, link)), None)
            # curated links may close a circle, which must not hang a build
            if above is None or above in seen:
                return
            seen.add(above)
            yield above
            name = above

    def broader(self, one: str, other: str) -> bool:
        """Whether one of the two is a less definite name of the other."""
        return one in self.above(other) or other in self.above(one) or self._open(one, other) or self._open(other, one)

    def _open(self, name: str, other: str) -> bool:
        """A thing the registry calls unstated may be any of those it is not to be confused with."""
        record = self._registry.get(name)
        return (
            record is not None
            and "unstated" in record["label"]
            and other in (record.get("not_to_be_confused_with") or ())
        )

    def kinship(self, one: str, other: str) -> Kinship:
        """How two things stand to one another; symmetric.

        >>> chips = {"f/h": {"kind": "chip-family", "label": "H"}, "a/s": {"kind": "accelerator", "label": "S", "member_of": "f/h"},
        ...          "a/p": {"kind": "accelerator", "label": "P", "member_of": "f/h"}}
        >>> subjects = Subjects(chips)
        >>> subjects.kinship("a/s", "f/h"), subjects.kinship("a/p", "a/s"), subjects.kinship("a/p", "a/x")
        ('broader', 'variants', 'other')
        """
        if one == other:
            return "same"
        found = self._kinships.get((one, other))
        if found is None:
            found = self._kinships[one, other] = self._kinship(one, other)
        return found

    def _kinship(self, one: str, other: str) -> Kinship:
        kinds = {self.kind(one), self.kind(other)}
        # before the roots are compared: a series and its variant have one root too
        if self.broader(one, other):
            levels = {self._level(one), self._level(other)}
            # two forms of one superchip or rack are a series and its variant, as two chips are
            return "parts" if len(levels) > 1 and levels & _WHOLES else "broader"
        if self.root(one) == self.root(other):
            return "parts" if self._level(one) != self._level(other) else "variants"
        maker = self.linked(one, "maker")
        if maker and maker == self.linked(other, "maker") and "software" in kinds and kinds & _SILICON:
            return "platform"
        return "other"

    def _level(self, name: str) -> str:
        """The level of a thing that holds several chips; one chip and a series have none."""
        kind = self.kind(name)
        level = kind if kind in _WHOLES else self.linked(name, "level") or ""
        return level if level in _WHOLES else ""

    def holds(self, one: str, other: str) -> bool:
        """Whether one of the two is made of the other, or of variants of it."""
        return self._made_of(one, other) or self._made_of(other, one)

    def _made_of(self, whole: str, part: str) -> bool:
        if part in self.above(whole):
            return True
        record = self._registry.get(whole)
        return any(
            p["part"] == part or self._made_of(p["part"], part)
            for p in (record.get("parts") or () if record else ())
            if p["part"] != whole
        )
