"""What nobody does, or has, or sells, beside one who does: a denial against a named counter-example."""

from collections.abc import Iterator
from typing import Any, Final

from kg.audit.finding import Finding
from kg.audit.rules.dates import span
from kg.audit.rules.facts import Facts, Json, involved, is_gap, known
from kg.audit.rules.part import AuditPart, Scope

DENIED: Final = ("deployment", "availability", "suitability")
"""Metrics of statements that a single one who does it counters."""
_NAMED: Final = ("operator", "customer", "provider")
_WORK: Final = ("workload", "phase")
_MOST: Final = 8


def _speaks(facts: Facts, claim: Json) -> Iterator[Scope]:
    if "same_as" in claim or is_gap(claim):
        return
    if _denies(claim):
        yield facts.root(claim["subject"]), "denial"
    elif _is_example(claim):
        yield facts.root(claim["subject"]), "example"


def _denies(claim: Json) -> bool:
    """Whether a claim says that something is not there, as a fact and not as a hope or an order."""
    plain = claim.get("modality", "stated") == "stated"
    return claim.get("direction") == "absent" and claim["metric"] in DENIED and plain


def _is_example(claim: Json) -> bool:
    """Whether a claim names someone who uses, sells or has the thing."""
    if claim.get("polarity") == "negated" or claim.get("modality", "stated") != "stated":
        return False
    if claim.get("direction") == "present":
        return claim["metric"] in ("deployment", "availability") and _who(claim) is not None
    return (claim.get("quantity") or {}).get("value") is not None and _who(claim) is not None


def _who(claim: Json) -> Any:
    return next((value for name in _NAMED if (value := known(claim, name)) is not None), None)


def _countered(facts: Facts) -> Iterator[Finding]:
    """One finding for each denial that someone counters; whether the scale is the same is for a reader to see."""
    claims = list(facts.claims.values())
    examples = [claim for claim in claims if _is_example(claim)]
    for claim in claims:
        if not _denies(claim):
            continue
        against = [one for one in examples if _counters(one, claim)]
        if against:
            sizes = sorted({str(size) for one in against if (size := known(one, "accelerators")) is not None})
            scale = f"of {', '.join(sizes)} accelerators" if sizes else "of a scale that is not stated"
            names = " and ".join(dict.fromkeys(facts.label(str(_who(one))) for one in against))
            yield Finding(
                "opposition.counter-example",
                "tension",
                "warning",
                f"says that there is none, where others name {names}, {scale}",
                ((claim["id"], "denial"), *involved(against, "counter-example", _MOST)),
            )


def _counters(example: Json, denial: Json) -> bool:
    """Whether an example is by someone else, not of later than the denial, and of the same kind of work."""
    if example["asserted_by"] == denial["asserted_by"]:
        return False
    until, of = denial.get("as_of"), example.get("as_of") or example.get("said_on")
    if until and of and span(of)[0] > span(until)[1]:
        return False
    denied, done = _training(denial), _training(example)
    if done is None and example["metric"] not in DENIED:
        return False  # a figure of a machine that somebody has says nothing of the work it does
    return denied is None or denied == done  # of what work it was is not guessed: access is no training run


def _training(claim: Json) -> bool | None:
    """Whether a claim is about training; None where its work is not stated."""
    words = " ".join(str(known(claim, name) or "") for name in _WORK).lower()
    return None if not words.strip() else "train" in words


PARTS: Final = (AuditPart("opposition/denial", _speaks, _countered),)
ALONE: Final = ()
