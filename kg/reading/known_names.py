"""Finds every known name in a text in one pass: curated aliases, and the curated patterns of variants.

The longest name wins, so a variant is never read as the thing that it is a variant of. Nothing is found by similarity.
"""

import copy
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kg.content.entities import Registry
from kg.content.patterns import read_patterns
from kg.content.resolution import Resolver
from kg.model.names import descendants
from kg.model.patterns import words_of
from kg.model.recorded import ThingRecord
from kg.reading.introduced import IntroducedNames, introduced_names
from kg.reading.not_claims import MODEL_HEADS
from kg.reading.word_trie import PhraseMention, Word, WordTrie, joined, singular, words_in

NEW: Final = "new:"
"""Begins the value of a candidate that the registry does not know; the printed name follows."""

_LETTERS: Final = re.compile(r"[^\W\d_]+")
_MOST_WINDOW: Final = 6
"""Words of the longest name that is put together from a chip and what qualifies it."""

_DESCRIBED: Final = re.compile(r"(?=\D+$)(?:.*\s)?[a-z]{3}")
_OF_MODEL: Final = re.compile(
    rf".*\bmodels?$|{MODEL_HEADS}\b(?!.*\b(?:cluster|system|server)s?$)|.*[\s-]\d+(?:\.\d+)?[BT](?:\s\w+)?$"
)

_CLASSES: Final = {
    "accelerator": ("accelerator",),
    "superchip": ("superchip",),
    "family": ("chip-family", "architecture"),
    "system": ("node", "rack", "pod", "cluster", "configuration"),
    "model": ("dense-model", "moe-model", "diffusion-model", "unknown-architecture-model", "model-class"),
    "organisation": ("vendor", "organisation", "group", "person", "software-agent"),
    "part": ("cpu", "interconnect"),
    "software": ("software",),
    "technology": ("technology",),
    "market": ("market", "programme"),
    "offer": ("offer",),
    "reference": ("reference-thing",),
    "suite": ("benchmark-suite",),
    "task": ("benchmark-task",),
    "round": ("benchmark-round",),
    "scenario": ("scenario",),
    "division": ("division",),
    "precision": ("precision",),
}
_CLASS_OF_KIND: Final = {kind: name for name, kinds in _CLASSES.items() for kind in kinds}
NOT_SUBJECTS: Final = frozenset({"task", "round", "scenario", "division", "precision", "other"})
"""Classes that say under which conditions something holds and are never what a figure is said of."""
HARDWARE: Final = frozenset({"accelerator", "superchip", "family", "system", "new"})
"""Classes of what is built of silicon, unknown products among them."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """What a scanner must not know: things, and single aliases of things that it may know by other names."""

    ids: frozenset[str] = frozenset()
    aliases: frozenset[tuple[str, str]] = frozenset()


@dataclass(slots=True)
class NameScanner:
    """Knows all names of a registry but those withheld. Build it once: it is read only afterwards."""

    registry: Registry
    withheld: Withheld = field(default_factory=Withheld)
    introduced: IntroducedNames = field(default_factory=IntroducedNames)
    """What the report that is read says of its new names."""
    short: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ends of known names that the report uses alone: v6e of a report that names the TPU v6e."""
    resolver: Resolver = field(init=False)
    _aliases: WordTrie = field(init=False, default_factory=WordTrie)
    _triggers: dict[str, set[str]] = field(init=False, default_factory=lambda: defaultdict(set))

    _below: dict[str, tuple[str, ...]] | None = field(init=False, default=None)
    _superchips: dict[str, tuple[str, ...]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Index the aliases, and the words at which a pattern of variants may begin to fit."""
        self.resolver = Resolver(self.registry)
        for identifier, record in self.registry.records.items():
            if record["record"] != "entity" or record["kind"] in ("figure", "gap") or identifier in self.withheld.ids:
                continue
            for alias in (record["label"], *record.get("aliases", ())):
                if (identifier, alias) not in self.withheld.aliases and self._names_anywhere(record, alias):
                    self._aliases.add(alias, identifier)
        for pattern in read_patterns(self.registry):
            if pattern.plain_word and pattern.kind in ("accelerator", "model"):
                self._triggers[pattern.plain_word].add(pattern.kind)

    def _names_anywhere(self, record: ThingRecord, alias: str) -> bool:
        """Whether a name means the thing in any text: 8*H200 is one landlord's server only where that one speaks."""
        if record["kind"] != "configuration" or "operator" not in record:
            return True
        return (self.registry.label(record["operator"]) or "") in alias

    def of_report(self, text: str) -> "NameScanner":
        """The same for one report, with what it says of the names that it brings."""
        found = copy.copy(self)
        found.short = self._short_forms(text)
        found.introduced = introduced_names(text, (one.span() for one in _CODE.finditer(text)))
        return found

    def _short_forms(self, text: str) -> dict[str, tuple[str, ...]]:
        """The last words of known names that are no names by themselves, where all longer names that end so mean one thing."""
        found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for name, end in {(match[0], match["end"]) for match in _ENDS_NAME.finditer(text)}:
            if not self.scan(end):
                found[end].update(mention.ids for mention in self.scan(name) if mention.printed == name)
        return {end: ids.pop() for end, ids in found.items() if len(ids) == 1}

    def class_of(self, identifier: str) -> str:
        """The class of a thing, coarser than its kind; `other` where it is none of them."""
        if identifier.startswith(NEW):
            kind = self.introduced.kinds.get(identifier.removeprefix(NEW))
            if kind in (None, "accelerator"):
                return _class_of_new(identifier.removeprefix(NEW))
            return "model" if kind == "model" else "system"
        record = self.registry.records.get(identifier)
        if record is None:
            return "other"
        if record.get("level") == "accelerator" and record["kind"] == "configuration":
            return "accelerator"
        return _CLASS_OF_KIND.get(record["kind"], "other")

    def shared_name(self, family: str) -> tuple[str, ...]:
        """The members of a family that has a superchip: one name is then used for the family, the chip and the superchip."""
        if self._superchips is None:
            members: dict[str, list[str]] = defaultdict(list)
            for identifier, record in self.registry.records.items():
                if record.get("member_of") and self.class_of(identifier) in ("accelerator", "superchip"):
                    members[record["member_of"]].append(identifier)
            self._superchips = {
                name: tuple(sorted(known))
                for name, known in members.items()
                if any(self.class_of(one) == "superchip" for one in known)
            }
        return self._superchips.get(family, ())

    def variants(self, families: Collection[str], name: str) -> tuple[str, ...]:
        """The known variants below a family whose label has every word of a name; none is chosen here."""
        wanted = set(words_of(name))
        if self._below is None:
            self._below = descendants(self.registry.records)
        return tuple(
            one
            for family in families
            for one in self._below.get(family, ())
            if one != family
            and one not in self.withheld.ids
            and self.class_of(one) in ("accelerator", "superchip")
            and wanted <= set(words_of(self.registry.records[one]["label"]))
        )

    def label(self, identifier: str) -> str:
        """The preferred name, or the printed one of a thing that nobody knows."""
        return self.registry.label(identifier) or identifier.removeprefix(NEW)

    def scan(self, text: str, start: int = 0, end: int | None = None) -> list[PhraseMention]:
        """Every name between two places of a text, in order, none inside another."""
        words = words_in(text, start, end)
        found: list[PhraseMention] = []
        at = 0
        while at < len(words):
            mention, used = self._longest(text, words, at)
            if mention is not None:
                found.append(mention)
            at += used
        return found

    def scan_all(self, text: str, start: int = 0, end: int | None = None) -> list[PhraseMention]:
        """The names, and the words between them that look like the name of an unknown product."""
        known = self.scan(text, start, end)
        known = sorted((*known, *self._shortened(text, start, end, known)), key=lambda mention: mention.start)
        unknown = unknown_names(text, start, len(text) if end is None else end, known)
        return sorted((*known, *map(self._in_full, unknown)), key=lambda mention: mention.start)

    def _shortened(
        self, text: str, start: int, end: int | None, known: Sequence[PhraseMention]
    ) -> Iterator[PhraseMention]:
        if self.short:
            pattern = re.compile(rf"(?<![\w.$/-])(?:{'|'.join(map(re.escape, sorted(self.short)))})(?!\w)")
            found = pattern.finditer(text, start, len(text) if end is None else end)
            for match in _outside(found, known):
                yield PhraseMention(match.start(), match.end(), self.short[match[0]], match[0])

    def _in_full(self, mention: PhraseMention) -> PhraseMention:
        """A new name by its full form, where the report gives one: N7 is the Northwind N7."""
        name = self.introduced.full.get(mention.printed)
        return mention if name is None else replace(mention, ids=(f"{NEW}{name}",))

    def _longest(self, text: str, words: list[Word], at: int) -> tuple[PhraseMention | None, int]:
        best, used = self._alias(text, words, at)
        # a pattern of variants may begin up to two words before the one by which it is found
        for trigger in range(at, min(at + 3, len(words))):
            kinds = self._triggers.get(words[trigger][0]) or self._triggers.get(singular(words[trigger][0]))
            if kinds and joined(text, words, at, trigger):
                wider, count = self._variant(text, words, at, kinds)
                return (wider, count) if count > used else (best, max(used, 1))
        return best, max(used, 1)

    def _alias(self, text: str, words: list[Word], at: int) -> tuple[PhraseMention | None, int]:
        found = self._aliases.longest(text, words, at)
        if found is None:
            return None, 0
        node, used = found
        left, right = words[at][1], words[at + used - 1][2]
        printed = text[left:right]
        if used == 1 and not _case_fits(printed, node.spelt):
            return None, 0
        return PhraseMention(left, right, node.ids, printed), used

    def _variant(
        self, text: str, words: list[Word], at: int, kinds: Collection[str]
    ) -> tuple[PhraseMention | None, int]:
        for last in range(min(at + _MOST_WINDOW, len(words)) - 1, at - 1, -1):
            if not joined(text, words, at, last):
                continue
            start, end = words[at][1], words[last][2]
            printed = text[start:end]
            for name in dict.fromkeys((printed, printed[:-1] if text[end - 1] == "s" else printed)):
                ids = self._resolved(name, kinds)
                if ids and not self.withheld.ids.intersection(ids):
                    return PhraseMention(start, end, ids, printed), last - at + 1
        return None, 0

    def _resolved(self, name: str, kinds: Collection[str]) -> tuple[str, ...]:
        for kind in sorted(kinds):
            resolution = self.resolver.resolve(kind, name)
            if resolution.id is not None or resolution.candidates:
                return (resolution.id,) if resolution.id is not None else resolution.candidates
        return ()


def _case_fits(printed: str, spelt: tuple[str, ...]) -> bool:
    """A name of one word without figures is one only in the case in which it is written: Intel, but not intel."""
    if _LETTERS.fullmatch(printed) is None:
        return True
    return any(printed in (alias, alias.upper(), f"{alias}s") for alias in spelt)


def _class_of_new(name: str) -> str:
    """The class of what nobody knows, by the form of its name.

    >>> [_class_of_new(name) for name in ("Zeta Z900", "software vendors", "Foo 70B", "GPT-4-level models")]
    ['new', 'unnamed', 'model', 'model']
    """
    if _OF_MODEL.match(name):
        return "model"
    return "new" if _DESCRIBED.match(name) is None else "unnamed"


_NO_MAKER: Final = (
    r"(?:A|An|The|This|That|These|Those|Each|Every|Both|All|Any|Some|One|Two|Our|Its|Their|His|Her|Your|New|Old|At|In|On|Of|By|For"
    r"|From|With|Without|Unlike|Like|While|When|Where|If|As|Per|Than|Since|Until|Over|Under|Only|Even|But|And|Or|So|Both|Most|Many"
    r"|Now|Then|Today|Here|Against|Versus|Running|Using|Renting|Buying|Serving|Training|Adding|Scaling|Comparing|Replacing)"
)
"""Words that a sentence begins with and no name of a product."""
_ENDS_NAME: Final = re.compile(r"(?<![\w-])[A-Z]\w+[ -](?P<end>[A-Za-z]{1,4}\d{1,4}[A-Za-z]{0,2})(?![\w-])")
"""Two words that may be a name whose second is used alone: TPU v6e, GB200 NVL72."""
# meets "Zeta Z900", "MI300X" and "MX3-Pod"; not "a100" and "$X100"
_CODE: Final = re.compile(
    rf"(?<![\w.$/-])(?:(?!{_NO_MAKER} )[A-Z][A-Za-z]{{2,}} )?(?=[A-Za-z-]+\d)[A-Z][A-Za-z]*-?\d+[A-Za-z]*"
    r"(?:[- ](?:SXM\d?|PCIe|NVL\d*|OAM|Pod|Rack|Cluster|SuperPod))?\b"
    r"(?!\s(?:process|lithography|silicon process)\b)"
)
_NO_PRODUCT: Final = re.compile(
    r"(?:[QHLRVFYCTGMKS]|FY|HBM|GDDR|DDR|PCIe|BF|FP|INT|PAM|Tier-|CUDA|EP|TP|DP|PP|CP)\d+[a-z]?"
)
"""Quarters, caches, versions, memories and number formats look like products and are none."""
_AMOUNT: Final = re.compile(r"[\d.,]+\s?[KMGTP]?i?B")


def is_product_name(name: str) -> bool:
    """Whether an unknown name may be that of a product.

    >>> [is_product_name(name) for name in ("Zeta Z900", "HBM4", "256MiB")]
    [True, False, False]
    """
    return _NO_PRODUCT.fullmatch(name.rpartition(" ")[2]) is None and _AMOUNT.fullmatch(name) is None


def unknown_names(text: str, start: int, end: int, known: Sequence[PhraseMention]) -> Iterator[PhraseMention]:
    """Words that look like the name of a product and that nobody knows: letters joined with figures.

    `known` are the names of the text in order, none inside another.

    >>> [mention.printed for mention in unknown_names("In Q2 the Zeta Z900 draws 3 kW", 0, 30, [])]
    ['Zeta Z900']
    """
    products = (match for match in _CODE.finditer(text, start, end) if is_product_name(match[0]))
    for match in _outside(products, known):
        yield PhraseMention(match.start(), match.end(), (f"{NEW}{match[0]}",), match[0])


def _outside(found: Iterable[re.Match[str]], known: Sequence[PhraseMention]) -> Iterator[re.Match[str]]:
    """What was found that overlaps no known name; the known ones are in order, none inside another."""
    ends = [mention.end for mention in known]
    for match in found:
        # only the first name that ends behind its start can overlap it: all names would be held against all of a long report
        after = bisect_right(ends, match.start())
        if after == len(known) or match.end() <= known[after].start:
            yield match
