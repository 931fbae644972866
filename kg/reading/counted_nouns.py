"""The noun behind a whole number, and the kind of thing that it counts: "128 H100 GPUs", "two dies", "2,000 H100s"."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from kg.model.units import COUNT_PREFIX

THINGS: Final[dict[str, str]] = {
    **dict.fromkeys(("gpu", "card", "accelerator", "gpu-card"), "gpu"),
    **{
        name: name
        for name in (
            "chip",
            "tpu",
            "cpu",
            "vcpu",
            "die",
            "node",
            "server",
            "rack",
            "pod",
            "core",
            "link",
            "lane",
            "port",
            "layer",
            "expert",
            "replica",
            "request",
            "user",
            "sample",
            "image",
            "transistor",
            "stack",
            "channel",
            "model",
            "dimension",
            "chiplet",
            "cluster",
            "step",
            "epoch",
            "iteration",
            "query",
            "machine",
            "system",
            "tray",
            "switch",
            "head",
            "device",
            "host",
            "worker",
            "rank",
            "batch",
            "instance",
            "socket",
            "thread",
            "core",
            "sm",
            "stage",
            "vm",
            "customer",
            "company",
            "developer",
            "employee",
            "person",
            "household",
            "home",
            "datacenter",
            "prompt",
            "hop",
            "superchip",
            "slot",
            "wafer",
            "unit",
            "sequence",
            "hbm stack",
            "benchmark",
            "submission",
            "result",
            "run",
            "maker",
            "vendor",
            "supplier",
            "framework",
            "language",
            "country",
            "region",
            "round",
            "test",
            "slice",
            "nic",
        )
    },
    "dice": "die",
    "people": "person",
    "dies": "die",
    "queries": "query",
    "batches": "batch",
    "companies": "company",
    "countries": "country",
    "dims": "dimension",
    "switches": "switch",
    "data centers": "datacenter",
    "wafers": "wafer",
}

_SKIPPED: Final = frozenset(
    [
        "different",
        "separate",
        "physical",
        "individual",
        "identical",
        "discrete",
        "total",
        "additional",
        "more",
        "other",
        "active",
        "activated",
        "routed",
        "shared",
        "redundant",
        "spare",
        "concurrent",
        "simultaneous",
        "high-end",
        "distinct",
        "parallel",
        "independent",
        "single",
        "dedicated",
        "data-parallel",
        "tensor-parallel",
        "logical",
        "new",
        "such",
        "attention",
        "hidden",
        "transformer",
        "decoder",
        "encoder",
        "streaming",
        "compute",
        "tensor",
        "cuda",
        "optical",
        "attached",
        "connected",
        "nvidia",
        "amd",
        "intel",
        "google",
        "huawei",
        "or",
        "so",
    ]
)

# meets "NVIDIA", "H100s" and "8xH100"; not "attention"
NAME: Final = re.compile(r"[A-Z][\w.+-]*$|[A-Za-z]*\d[\w-]*$")

# meets "H100s" and "GPUs"; not "class"
_PLURAL_NAME: Final = re.compile(r"(?:[A-Z]+\d+[A-Za-z]*?|[A-Z]{2,4}U)s$")

NOUN_GAP: Final = re.compile(r"[\s\u00a0]*[-‑]?[\s\u00a0]*(?=[A-Za-z])")

_NOUN_WORD: Final = re.compile(r"[A-Za-z][\w+-]*(?:/[A-Z][\w-]*)?")

_WORD_GAP: Final = re.compile(r"[ \u00a0]{1,2}|-")

_MOST_BETWEEN: Final = 4


class CountedNoun(NamedTuple):
    """What is counted, and where its word ends."""

    thing: str
    end: int
    is_plural: bool


def noun_words(text: str, position: int) -> Iterator[re.Match[str]]:
    """The words from a position on, as far as the noun of a number may be behind it."""
    for _ in range(_MOST_BETWEEN + 1):
        word = _NOUN_WORD.match(text, position)
        if word is None:
            return
        yield word
        gap = _WORD_GAP.match(text, word.end())
        if gap is None:
            return
        position = gap.end()


def counted_noun(words: Iterable[re.Match[str]], *, at_first: bool) -> CountedNoun | None:
    """The last of nouns that follow each other, nodes in "8 GPU nodes"; none follows a plural, or the noun of "8-GPU"."""
    noun: CountedNoun | None = None
    for word in words:
        printed = word.group()
        thing = _thing_of(printed)
        if thing is not None:
            noun = CountedNoun(thing, word.end(), printed.lower() != singular(printed.lower()))
            if at_first or noun.is_plural:
                break
        elif noun is not None or (printed.lower() not in _SKIPPED and NAME.match(printed) is None):
            break
    return noun


@lru_cache(maxsize=4096)
def counts_others(synonyms: tuple[str, ...], unit: str) -> bool:
    """Whether a unit counts other things than a metric that is called by what it counts: a rack that links 72 GPUs has no 72 links.

    >>> counts_others(("channels", "links"), "count:gpu"), counts_others(("channels", "links"), "count:link")
    (True, False)
    """
    counted = unit.removeprefix(COUNT_PREFIX)
    if counted == unit or counted not in THINGS.values():
        return False
    called = {THINGS[noun] for noun in map(singular, synonyms) if noun in THINGS}
    return len(called) * 2 > len(synonyms) and counted not in called


def chip_after(text: str, at: int) -> re.Match[str] | None:
    """The name of a chip that a number is followed by at once; "FP16" looks like one and is a format."""
    word = _NOUN_WORD.match(text, at)
    if word is None or _thing_of(word.group()) is not None or _FORMAT.match(word.group()):
        return None
    return word if _CHIP.match(word.group()) else None


# meets "H100", "GB200" and "MI300X"; not "GPU"
_CHIP: Final = re.compile(r"[A-Z]{1,3}\d{2,4}[A-Z]?$")

# meets "FP16", "HBM3" and "NVL72"; not "GB200"
_FORMAT: Final = re.compile(r"(?:NV|MX)?(?:FP|BF|TF|INT|HBM|DDR|PAM|V|NVL|SXM)\d")

MADE_OF_CHIPS: Final = frozenset({"cluster", "system", "node", "server", "rack", "machine", "host", "pod", "device"})


def _thing_of(word: str) -> str | None:
    lowered = word.lower()
    if (thing := THINGS.get(lowered) or THINGS.get(singular(lowered))) is not None:
        return thing
    for part in re.split(r"[-/]", lowered)[::-1]:
        if len(part) > 2 and (thing := THINGS.get(part) or THINGS.get(singular(part))) is not None:
            return thing
    return "gpu" if _PLURAL_NAME.match(word) else None


def singular(word: str) -> str:
    """The word without the s of its plural: GPUs, GPU; class stays class."""
    return word[:-1] if word.endswith("s") and len(word) > 2 and not word.endswith("ss") else word
