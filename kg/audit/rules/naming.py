"""Names: one name for several levels, a class word that does not fit, a wrong maker, a part of another product."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, involved
from kg.audit.rules.part import Alone, AuditPart, Scope
from kg.model.identifiers import id_part
from kg.model.names import name_key
from kg.model.recorded import ClaimRecord

HARDWARE: Final = ("die", "accelerator", "superchip", "node", "rack", "pod", "cluster")
MODELS: Final = ("dense-model", "moe-model", "diffusion-model", "unknown-architecture-model")
AGENTS: Final = ("vendor", "organisation")
GPU: Final = re.compile(r"\bGPUs?\b")
TPU: Final = re.compile(r"\bTPUs?\b")
LEVEL_WORDS: Final = {
    "cluster": ("cluster", "pod"),
    "clusters": ("cluster", "pod"),
    "rack": ("rack",),
    "racks": ("rack",),
    "superchip": ("superchip",),
}


def _printed_name(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    name = claim["subject_printed"]
    if claim["level"] in HARDWARE:
        yield from _level_word(claim, name)
    elif facts.kind(claim["subject"]) in MODELS:
        yield from _maker(facts, claim, name, facts.named(AGENTS))


def _called(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["level"] in HARDWARE:
        yield f"{claim['source']}|{_key(claim['subject_printed'])}", claim["level"]


_key = lru_cache(maxsize=1 << 14)(name_key)


def _levels(facts: Facts) -> Iterator[Finding]:
    """One name in one text that means things of several levels."""
    by_level: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.claims.values():
        by_level[claim["level"]].append(claim)
    # the rarest use first: it is the one that a reader will take for the other
    order = sorted(by_level, key=lambda level: (len(by_level[level]), HARDWARE.index(level)))
    first, *rest = order
    name = _key(by_level[first][0]["subject_printed"])
    counts = ", ".join(f"{level} ({len(by_level[level])})" for level in reversed(order))
    yield Finding(
        "naming.level",
        "ambiguous",
        "info",
        f'"{name}" means things of several levels in one text: {counts}',
        (
            *involved(by_level[first], f"as {first}"),
            *(pair for level in rest for pair in involved(by_level[level], f"as {level}")),
        ),
        key=id_part(name),
    )


def _level_word(claim: ClaimRecord, name: str) -> Iterator[Finding]:
    for word in _words(name):
        levels = LEVEL_WORDS.get(word)
        if levels is not None and claim["level"] not in levels:
            yield Finding(
                "naming.level-word",
                "ambiguous",
                "info",
                f'called a {word.removesuffix("s")} ("{name}"), but what is meant is of level {claim["level"]}',
                ((claim["id"], "subject"),),
            )
            return


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Za-z]+", name.lower()))


def _maker(facts: Facts, claim: ClaimRecord, name: str, makers: Mapping[str, str]) -> Iterator[Finding]:
    """A model that is printed with the name of an organisation that did not make it."""
    maker = facts.registry[claim["subject"]].get("maker")
    words = _key(name).split()
    for length in (1, 2, 3):
        # more words than the maker's: a name that is only the maker's names no model
        named = makers.get(" ".join(words[:length])) if len(words) > length else None
        # the lineage holds parent companies, whose name on a model of a subsidiary is right
        if maker is not None and named is not None and named != maker and named not in facts.lineage(maker):
            yield Finding(
                "naming.maker",
                "suspicious",
                "warning",
                f'printed as "{name}", but the registry has {facts.label(maker)} as the maker of {facts.label(claim["subject"])}',
                ((claim["id"], "subject"),),
            )
            return


def _class_word(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A TPU that is counted among GPUs."""
    text = f"{claim.get('cue', '')} {claim.get('subject_printed', '')}"
    family = claim["subject"] if claim["level"] in HARDWARE and GPU.search(text) else None
    if family is not None and any(TPU.search(facts.label(one)) for one in facts.lineage(family)):
        yield Finding(
            "naming.class-word",
            "suspicious",
            "warning",
            f"{facts.label(family)} is counted among GPUs; it is another kind of accelerator",
            ((claim["id"], "subject"),),
        )


def _foreign_part(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A processor named inside a thing that the registry keeps apart from the one that holds it."""
    processors = facts.named(("cpu",))
    named = set((claim.get("quantity") or {}).get("set") or ()) & set(processors.values())
    words = name_key(str(claim.get("cue", "")))
    named |= {identifier for name, identifier in processors.items() if name in words}
    for part in sorted(named):
        wholes = facts.wholes(part)
        # processors are sold to many: one that the registry knows in the thing itself is no foreign part
        if any(facts.related(claim["subject"], one["id"]) for one in wholes):
            continue
        for whole in wholes:
            if set(whole.get("not_to_be_confused_with", ())) & set(facts.lineage(claim["subject"])):
                yield Finding(
                    "naming.foreign-part",
                    "suspicious",
                    "warning",
                    f"{facts.label(part)} is named as a part of {facts.label(claim['subject'])}; it is one of {whole['label']}",
                    ((claim["id"], "subject"),),
                )
                break


def _part_name(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """Parts counted under the name of a product that the registry keeps apart from them."""
    named = (claim.get("conditions") or {}).get("includes")
    for part in facts.registry.get(claim["subject"], {}).get("parts", ()) if isinstance(named, str) else ():
        apart = facts.registry.get(part["part"], {}).get("not_to_be_confused_with", ())
        if named in apart and (claim.get("quantity") or {}).get("value") == part["count"]:
            yield Finding(
                "naming.part",
                "ambiguous",
                "info",
                f"the {part['count']} parts of {facts.label(claim['subject'])} are called {facts.label(str(named))}; the registry keeps that "
                f"apart from {facts.label(part['part'])}, whose figures differ",
                ((claim["id"], "subject"),),
            )


PARTS: Final = (AuditPart("naming/levels", _called, _levels, needs="subject_printed"),)
ALONE: Final = (
    Alone("naming/printed", _printed_name, needs="subject_printed"),
    Alone("naming/class-word", _class_word, needs="direction"),
    Alone("naming/foreign-part", _foreign_part, ("architecture", "component-count")),
    Alone("naming/part", _part_name, ("component-count",)),
)
