"""Denials ("nobody trains on it") against an example of somebody who does; "only these" against an example of another."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kg.audit.finding import Finding
from kg.audit.rules.chronology import trained_before
from kg.audit.rules.facts import Facts, involved, is_gap, known
from kg.audit.rules.gains import is_training
from kg.audit.rules.part import AuditPart, Scope
from kg.model.counting import counted, first_of
from kg.model.dates import span
from kg.model.recorded import ClaimRecord

DENIED: Final = ("deployment", "availability", "suitability")
"""Metrics of statements that a single one who does it counters."""
_NAMED: Final = ("operator", "customer", "provider")
_ONLY: Final = re.compile(r"\bonly\b", re.IGNORECASE)
_LARGE: Final = re.compile(r"\b(?:large|mega)\b", re.IGNORECASE)
_SHOWN: Final = 3


def _speaks(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if "same_as" in claim or is_gap(claim):
        return
    if "direction" in claim and _denies(claim):
        yield facts.root(claim["subject"]), "denial"
    elif _is_example(claim):
        yield facts.root(claim["subject"]), "example"


def _denies(claim: ClaimRecord) -> bool:
    """Whether a claim says that something is not there, as a fact and not as a hope or an order."""
    plain = claim.get("modality", "stated") == "stated"
    return claim.get("direction") == "absent" and claim["metric"] in DENIED and plain


def _is_example(claim: ClaimRecord) -> bool:
    """Whether a claim names someone who uses, sells or has the thing."""
    # of most claims nobody is named, which is seen first
    if claim.get("conditions", {}).keys().isdisjoint(_NAMED):
        return False
    if claim.get("polarity") == "negated" or claim.get("modality", "stated") != "stated":
        return False
    if claim.get("direction") == "present":
        return claim["metric"] in ("deployment", "availability") and _who(claim) is not None
    return (claim.get("quantity") or {}).get("value") is not None and _who(claim) is not None


def _who(claim: ClaimRecord) -> Any:
    return next((value for name in _NAMED if (value := known(claim, name)) is not None), None)


def _countered(facts: Facts) -> Iterator[Finding]:
    """One finding for each denial that someone counters, with who, what and how large, as far as that is stated."""
    claims = list(facts.claims.values())
    examples = _examples(facts, claims)
    for claim in claims:
        if not _denies(claim):
            continue
        against = sorted((one for one in examples if _counters(one, claim)), key=_strength)
        if against:
            named = first_of(list(dict.fromkeys(_in_words(facts, one) for one in against)), _SHOWN, joined="; ")
            # what one customer does at a scale that nobody states is no opposite of "no large-scale runs"
            is_open = _is_of_large_scale(claim) and all(known(one, "accelerators") is None for one in against)
            until = f" up to {claim['as_of']}" if claim.get("as_of") else ""
            yield Finding(
                "opposition.example-of-open-scale" if is_open else "opposition.counter-example",
                "tension",
                "info" if is_open else "warning",
                f"says that there is none{until}, against {counted(len(against), 'claim')} of others: {named}",
                ((claim["id"], "denial"), *involved(against, "counter-example")),
            )


def _is_of_large_scale(claim: ClaimRecord) -> bool:
    return _LARGE.search(f"{claim.get('cue') or ''} {known(claim, 'workload') or ''}") is not None


def _examples(facts: Facts, claims: Iterable[ClaimRecord]) -> list[ClaimRecord]:
    """The claims that name who does it: neither an impossible case is an example, nor another claim of the same words."""
    # by the words, not by the claim: what the same words say of others has the same fault
    accused = {_words(one) for one in claims if _is_accused(facts, one)}
    return [one for one in claims if _is_example(one) and _words(one) not in accused]


def _words(claim: ClaimRecord) -> tuple[str, str]:
    """The words that a claim was read from, which may hold several."""
    return claim["source"], str(claim.get("utterance") or claim["id"])


def _is_accused(facts: Facts, claim: ClaimRecord) -> bool:
    return next(trained_before(facts, claim), None) is not None


def _strength(claim: ClaimRecord) -> tuple[bool, bool, bool, str]:
    """The place of an example: those that name their day, their model and their work first."""
    undated = not (claim.get("as_of") or claim.get("said_on"))
    return undated, known(claim, "model") is None, is_training(claim) is None, str(claim["id"])


def _in_words(facts: Facts, claim: ClaimRecord) -> str:
    """Who does what, when and at which scale; what is left open is said, since a small case counters no large one."""
    who = _who(claim)
    names = ", ".join(facts.label(str(one)) for one in (who if isinstance(who, list) else [who]))
    model, count = known(claim, "model"), known(claim, "accelerators")
    when = claim.get("as_of") or claim.get("said_on")
    work = f", {facts.label(model)}" if isinstance(model, str) else ""
    scale = f", {count} accelerators" if count is not None else ", scale not stated"
    return f"{names}{work}{scale}{f', {when}' if when else ''} [{claim['id']}]"


def _counters(example: ClaimRecord, denial: ClaimRecord) -> bool:
    """Whether an example is by someone else, not of later than the denial, and of the same kind of work."""
    if example["asserted_by"] == denial["asserted_by"]:
        return False
    until, of = denial.get("as_of"), example.get("as_of") or example.get("said_on")
    if until and of and span(of)[0] > span(until)[1]:
        return False
    denied, done = is_training(denial), is_training(example)
    if done is None and example["metric"] not in DENIED:
        return False  # a figure of a machine that somebody has says nothing of the work it does
    return denied is None or denied == done  # of what work it was is not guessed: access is no training run


def _alone(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] == "deployment" and claim.get("direction") == "present" and "same_as" not in claim:
        # tags: an "only" meets examples of other texts; those of one text alone
        # have one tag and are not judged
        yield "deployment", bool(_ONLY.search(str(claim.get("cue") or ""))) or claim["source"]


def _only(facts: Facts) -> Iterator[Finding]:
    """What is said to be the only one to do a work, next to another that somebody names for the same work."""
    sets: dict[tuple[str, bool | None], list[ClaimRecord]] = defaultdict(list)
    for claim in filter(_is_only, facts.by_metric.get("deployment", ())):
        sets[claim["source"], is_training(claim)].append(claim)
    others = [one for one in _examples(facts, facts.by_metric.get("deployment", ())) if not _is_only(one)]
    for (source, work), only in sorted(sets.items(), key=str):
        if work is None:
            continue
        roots = {facts.root(one["subject"]) for one in only}
        elsewhere = [one for one in others if one["source"] != source and is_training(one) == work]
        against = [one for one in elsewhere if facts.root(one["subject"]) not in roots]
        if against:
            named = (f"{facts.label(one['subject'])} ({_in_words(facts, one)})" for one in against)
            examples = first_of(list(dict.fromkeys(named)), _SHOWN, joined="; ")
            yield Finding(
                "opposition.not-only",
                "tension",
                "info",
                f"says that only {', '.join(sorted(map(facts.label, roots)))} do it, where others name {examples}",
                (
                    (only[0]["id"], "only"),
                    *involved(only[1:], "only"),
                    *involved(against, "counter-example"),
                ),
            )


def _is_only(claim: ClaimRecord) -> bool:
    # who repeats it says it of one of them at a time: the set is that of the first place
    return (
        claim.get("direction") == "present"
        and "restates" not in claim
        and _ONLY.search(str(claim.get("cue") or "")) is not None
    )


PARTS: Final = (
    AuditPart("opposition/denial", _speaks, _countered),
    AuditPart("opposition/only", _alone, _only, ("deployment",)),
)
ALONE: Final = ()
