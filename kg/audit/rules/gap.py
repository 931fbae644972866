"""Announced and not there: tables, figures, results and sources."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, each, is_gap
from kg.audit.rules.part import ALWAYS, Alone, AuditPart, Scope
from kg.model.counting import counted
from kg.model.recorded import ClaimRecord, ThingRecord

FIGURE: Final = re.compile(
    r"\b(pictures?|charts?|screenshots?|images?|figure [0-9]+)\b|\.png\b|\bscreenshot-", re.IGNORECASE
)
TABLE: Final = re.compile(r"\b(table|matrix|list|summary)\b", re.IGNORECASE)
MISSING: Final = {"gap.figure": "a picture", "gap.table": "a table or list", "gap.result": "a result"}


def _announced(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    if is_gap(claim) and "same_as" not in claim:
        code = _code(facts, claim)
        yield Finding(
            code,
            "missing",
            "info" if code == "gap.figure" else "warning",  # a text can be read without its pictures
            f"{MISSING[code]} is missing{f': {said}' if (said := claim.get('statement')) else ''}",
            ((claim["id"], "announcement"),),
        )


def _code(facts: Facts, claim: ClaimRecord) -> str:
    shows = (facts.kind(link.get("source") or "") == "figure" for link in claim.get("restates", ()))
    if facts.kind(claim["subject"]) == "figure" or any(shows):
        return "gap.figure"
    # a claim of an empty cell has no statement
    words = f"{claim.get('cue', '')} {claim.get('statement', '')}"
    if FIGURE.search(words):
        return "gap.figure"
    return "gap.table" if TABLE.search(words) else "gap.result"


def _leans(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    for link in claim["restates"]:
        name = link.get("source")
        if name is not None and _is_nameless(facts.registry.get(name, {})):
            yield name, ALWAYS


def _is_nameless(record: ThingRecord) -> bool:
    return record.get("kind") == "unresolved-source" and not (record.keys() & {"publisher", "resolved_to", "published"})


def _sources(facts: Facts) -> Iterator[Finding]:
    """A source that the text leans on without saying who published it."""
    leaning: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.linked:
        for link in claim["restates"]:
            record = facts.registry.get(link.get("source") or "", {})
            if _is_nameless(record):
                leaning[record["id"]].append(claim)
    for name, claims in leaning.items():
        yield Finding(
            "gap.source",
            "missing",
            "warning",
            f"{counted(len(claims), 'claim')} based on a source that cannot be found from the text: {facts.label(name)}",
            (*each(claims[:1], "leans on it"), *each(claims[1:], "leans on it too")),
            key=name,
        )


# A claim may lean on several sources and so lie in several scopes: each scope keeps
# the finding on its own source.
PARTS: Final = (
    AuditPart("gap/sources", _leans, _sources, needs="restates", owns=lambda finding, scope: finding.key == scope),
)
ALONE: Final = (Alone("gap/announced", _announced, needs="direction"),)
