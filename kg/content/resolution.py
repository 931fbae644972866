"""What a printed name means: by id, curated alias, or curated pattern with its context. Similarity never decides.

Order: id; patterns whose conditions hold; aliases of things; patterns without conditions; aliases of families. All that
match at one step must agree, else the name is ambiguous and nobody chooses.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal, TypeVar

from kg.content.entities import Registry
from kg.content.patterns import read_patterns
from kg.model.names import ID_OF_NAME, KIND_OF_NAME, name_key
from kg.model.patterns import Context, NamePattern, words_of
from kg.model.recorded import ThingRecord

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
How = Literal["id", "alias", "pattern", "context", "family", "ambiguous", "unknown", "empty"]

NO_THING = frozenset(
    {
        "",
        "n a",
        "na",
        "nan",
        "none",
        "null",
        "tbd",
        "disabled",
        "unknown",
        "unspecified",
        "unset",
        "0",
        ".",
        "other",
        "not applicable",
        "cpu",
    }
)
"""What appears in a cell that names nothing, as keys."""

_MOST_REMEMBERED = 100_000
_WIDE = frozenset({"chip-family", "architecture", "superchip"})
# Meet "(x32)" and the "8x " before a name, not the "x2" of "H200x2"; more than nine digits are no
# number of chips but part of a name.
_COUNTED = re.compile(r"\(\s*x\s?(\d{1,9})\s*\)", re.IGNORECASE)
_LEADING = re.compile(r"(\d{1,9})\s?x\s+(?=\D)", re.IGNORECASE)
_JOINT = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s+\+\s+")
_NOT_SLUG = re.compile(r"[^a-z0-9.]+")


@dataclass(frozen=True, slots=True)
class Resolution:
    """The thing a name means, or why there is none; `rule` says where the deciding pattern stands."""

    id: str | None
    how: How
    candidates: tuple[str, ...] = ()
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class _Matches:
    """All that the name alone says; the context chooses among it."""

    things: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    plain: tuple[NamePattern, ...] = ()
    conditional: tuple[NamePattern, ...] = ()
    settled: Resolution | None = None
    filtered: bool = False
    asks: tuple[str, ...] = ("suite", "maker")
    """The parts of the context that can change what the name means."""


@dataclass(slots=True)
class Resolver:
    """Resolves names against one registry. Build it once a load: what a name alone says is remembered."""

    registry: Registry
    _patterns: dict[tuple[str, str | None], list[NamePattern]] = field(
        init=False, default_factory=lambda: defaultdict(list)
    )
    """Rules by kind and by a word that the name must have; None where a rule has no such word."""
    _keys: dict[str, dict[str, tuple[str, ...]]] = field(init=False, default_factory=dict)
    _seen: dict[tuple[str, str], _Matches] = field(init=False, default_factory=dict)
    _chosen: dict[tuple[str, str, tuple[object, ...]], Resolution] = field(init=False, default_factory=dict)
    _makers: dict[str, str | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Read the patterns and index the aliases."""
        for pattern in read_patterns(self.registry):
            self._patterns[pattern.kind, pattern.plain_word].append(pattern)
        self._keys["any"] = _index(self.registry.records, None)

    def resolve(self, kind: str, name: str | None, context: Context | None = None) -> Resolution:
        """The thing that a name in a column of this kind means; `kind` is one of `KIND_OF_NAME`, or `any`."""
        kind, text, around = _SAME_KIND.get(kind, kind), name or "", context or {}
        known = self._seen.get((kind, text))
        # A row that names its suite or maker may rule out what the name alone means.
        if known is None:
            known = _remember(self._seen, (kind, text), self._match(kind, text))
        filtered = known.filtered and ("suite" in around or "maker" in around)
        if known.settled is not None and not filtered:
            return known.settled
        given = tuple(_hashable(around.get(part)) for part in known.asks)
        chosen = self._chosen.get((kind, text, given))
        if chosen is None:
            strict = kind in ("accelerator", "system")
            chosen = _remember(self._chosen, (kind, text, given), self._choose(known, around, strict=strict))
        return chosen

    def possible(self, kind: str, name: str) -> tuple[frozenset[str], frozenset[str]]:
        """All that a name could mean in any context, and the parts of the context that decide about it.

        Where no part decides, `resolve` without a context says what it says with any.
        """
        kind = _SAME_KIND.get(kind, kind)
        known = self._match(kind, name)
        ids = {*known.things, *known.families, *(one.id for one in (*known.plain, *known.conditional))}
        if known.settled is None:
            return frozenset(ids), frozenset(known.asks)
        if known.settled.id is not None:
            ids.add(known.settled.id)
        parts = {"suite", "maker"} if kind in ("accelerator", "system") else {"suite"}
        records = self.registry.records
        return frozenset(ids), frozenset(
            part for part in parts if known.filtered and any(part in records[one] for one in ids)
        )

    def _match(self, kind: str, name: str) -> _Matches:
        is_id = name if name in self.registry.records else self.registry.redirects.get(name)
        if is_id is not None:
            return _Matches(settled=Resolution(is_id, "id", (is_id,)))
        parts = split_names(name)
        if len(parts) == 1 and parts[0][1] is not None and parts[0][0] != name:  # counted alone: "MI355X (x87)"
            return self._match(kind, parts[0][0])
        key, words = name_key(name), words_of(name)
        if key in NO_THING or " ".join(words) in NO_THING:
            return _Matches(settled=Resolution(None, "empty"))
        found = self._named(kind, key, words)
        if found.conditional:
            asked = {part.key for rule in found.conditional for part in (*rule.when, *rule.unless)}
            return replace(found, asks=tuple(sorted({*found.asks, *asked})))
        ids = {*found.things, *found.families, *(one.id for one in found.plain)}
        filtered = any(part in self.registry.records[one] for one in ids for part in ("suite", "maker"))
        return replace(found, settled=self._choose(found, {}, strict=False), filtered=filtered)

    def _named(self, kind: str, key: str, words: tuple[str, ...]) -> _Matches:
        """What has the name as an alias, and the rules that it fits."""
        if kind not in self._keys:
            self._keys[kind] = _index(self.registry.records, KIND_OF_NAME[kind])
        named = self._keys[kind].get(key, ())
        fitting = self._fitting(kind, words)
        conditional = tuple(rule for rule in fitting if rule.conditional)
        plain = [rule for rule in fitting if not rule.conditional]
        wide = {one for one in (*named, *(rule.id for rule in plain)) if self._is_family(kind, one)}
        things = tuple(one for one in named if one not in wide)
        return _Matches(things, tuple(sorted(wide)), tuple(rule for rule in plain if rule.id not in wide), conditional)

    def _fitting(self, kind: str, words: tuple[str, ...]) -> list[NamePattern]:
        joined = " ".join(words)
        possible = (one for word in (None, *dict.fromkeys(words)) for one in self._patterns.get((kind, word), ()))
        return [one for one in possible if one.fits(words, joined=joined)]

    def _is_family(self, kind: str, identifier: str) -> bool:
        """A series or superchip is what is left when no accelerator is named."""
        return kind == "accelerator" and self.registry.records[identifier]["kind"] in _WIDE

    def _choose(self, found: _Matches, context: Context, *, strict: bool) -> Resolution:
        holding = [one for one in found.conditional if one.holds(context)]
        steps: tuple[tuple[How, tuple[str, ...], list[NamePattern] | tuple[NamePattern, ...]], ...] = (
            ("context", tuple(one.id for one in holding), holding),
            ("alias", found.things, ()),
            ("pattern", tuple(one.id for one in found.plain), found.plain),
            ("family", found.families, ()),
        )
        for how, ids, rules in steps:
            left = sorted({one for one in ids if self._allowed(one, context, strict=strict)})
            if len(left) == 1:
                return Resolution(
                    left[0], how, (left[0],), next((one.rule for one in rules if one.id == left[0]), None)
                )
            if left:
                return Resolution(None, "ambiguous", tuple(left))
        return Resolution(None, "unknown")

    def _allowed(self, identifier: str, context: Context, *, strict: bool) -> bool:
        """Whether the suite, and for hardware the maker, next to the name are those of the thing."""
        record = self.registry.records[identifier]
        suite = context.get("suite")
        if isinstance(suite, str) and record.get("suite", suite) != suite:
            return False
        maker = context.get("maker") if strict else None
        if not isinstance(maker, str) or "maker" not in record:
            return True
        if maker not in self._makers:
            self._makers[maker] = maker if maker in self.registry.records else self.resolve("organisation", maker).id
        return self._makers[maker] in (None, record["maker"])


def _remember(memory: dict[_Key, _Value], key: _Key, value: _Value) -> _Value:
    """Keep a result; a full memory starts anew, since a file of millions of rows names the same few things."""
    if len(memory) >= _MOST_REMEMBERED:
        memory.clear()
    memory[key] = value
    return value


def _hashable(value: object) -> object:
    """A part of the context as a key: lists and mappings decide about no name."""
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _index(records: Mapping[str, ThingRecord], kinds: frozenset[str] | None) -> dict[str, tuple[str, ...]]:
    named: dict[str, set[str]] = defaultdict(set)
    for identifier, record in records.items():
        kind = (
            "accelerator" if record.get("level") == "accelerator" else record["kind"]
        )  # a virtualised chip is counted too
        if record["record"] != "entity" or (kinds is not None and kind not in kinds):
            continue
        for text in (record["label"], *record.get("aliases", ())):
            named[name_key(text)].add(identifier)
    return {key: tuple(sorted(found)) for key, found in named.items()}


_SAME_KIND = {
    "org": "organisation",
    "vendor": "organisation",
    "benchmark": "suite",
    "chip": "accelerator",
    "gpu": "accelerator",
}


def split_names(text: str) -> tuple[tuple[str, int | None], ...]:
    """The names in a cell that holds several, each with its count if one is printed.

    Ask for the whole cell first: a name that resolves is never split.

    >>> split_names("AMD MI300X 192GB (x32), AMD MI325X 256GB (x16)"), split_names("A (x8) B (x4)")
    ((('AMD MI300X 192GB', 32), ('AMD MI325X 256GB', 16)), (('A', 8), ('B', 4)))
    >>> split_names("NVIDIA A100,Google TPU v3"), split_names("NVIDIA L4")
    ((('NVIDIA A100', None), ('Google TPU v3', None)), (('NVIDIA L4', None),))
    """
    found: list[tuple[str, int | None]] = []
    # One blank for many: over a long run of them the pattern below takes time by the square of its length.
    for piece in _JOINT.split(_COUNTED.sub(r"(x\1),", " ".join(text.split()))):
        one = piece.strip()
        while one:
            counted, leading = _COUNTED.search(one), _LEADING.match(one)
            name = one[: counted.start()].strip() if counted else one
            count = int(counted.group(1)) if counted else None
            if leading and count is None:
                name, count = one[leading.end() :].strip(), int(leading.group(1))
            if name:
                found.append((name, count))
            one = one[counted.end() :].strip(" ,") if counted else ""
    return tuple(found)


def made_id(kind: str, publisher: str, name: str) -> str:
    """The id of a thing that a loader makes from a row: two names never share one, in any order they come.

    >>> made_id("cluster", "epoch", "xAI Colossus"), made_id("org", "epoch", "AT&T")
    ('cluster/epoch-xai-colossus', 'org/epoch-at-t-b55e10')
    """
    key = name_key(name)
    slug = _NOT_SLUG.sub("-", key).strip("-")[:80]
    if slug != key.replace(" ", "-"):
        slug = f"{slug}-{sha256(key.encode()).hexdigest()[:6]}".lstrip("-")
    return f"{ID_OF_NAME[_SAME_KIND.get(kind, kind)]}/{publisher}-{slug}"
