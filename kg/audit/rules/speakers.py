"""Interested speakers: figures measured on a machine of the maker that they judge, conclusions that rest on its word alone,
praise in the text of a seller."""

from collections.abc import Iterator
from typing import Final

from kg.audit.claim_links import grounds, repeated
from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, involved, is_gap, known
from kg.audit.rules.part import ALWAYS, Alone, AuditPart, Scope
from kg.model.counting import counted
from kg.model.recorded import ClaimRecord

_PRICES: Final = ("rental-price", "purchase-price")
_MERITS: Final = ("suitability", "adoption", "cost-effectiveness")
"""Metrics by which a text recommends a thing; what else it says of it may be a plain figure."""
_WITNESSED: Final = ("availability",)
"""Metrics of which the maker is the witness: nobody else knows what has been shipped."""


def _makers(facts: Facts, thing: str) -> frozenset[str]:
    """Who makes a thing, by the thing itself and by what it is a kind of."""
    records = (facts.registry.get(one, {}) for one in facts.lineage(thing))
    return frozenset(str(maker) for record in records if (maker := record.get("maker")) is not None)


def _on_own_machine(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    machine = known(claim, "tested_on")
    if not isinstance(machine, str):
        return
    operator = facts.registry.get(machine, {}).get("operator")
    # what a maker says of its own machine is no news; here another speaks in its own name
    if operator in _makers(facts, claim["subject"]) and claim["asserted_by"] != operator:
        yield f"{claim['source']}|{machine}", ALWAYS


def _measured(facts: Facts) -> Iterator[Finding]:
    # in the order of the text: the finding is about the place that a reader meets first
    claims = sorted(facts.claims.values(), key=lambda one: (int(one["anchor"].get("start") or 0), one["id"]))
    first, machine = claims[0], str(known(claims[0], "tested_on"))
    operator = facts.label(str(facts.registry[machine]["operator"]))
    yield Finding(
        "scope.makers-own-machine",
        "suspicious",
        "warning",
        f"{counted(len(claims), 'statement')} of {facts.label(first['asserted_by'])} on hardware of {operator} measured on "
        f"{facts.label(machine)}, a machine that {operator} runs",
        ((first["id"], "measured there"), *involved(claims[1:], "measured there")),
    )


def _on_its_word(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A conclusion of somebody else that rests on nothing but what the maker, or who rents it out, says."""
    if is_gap(claim) or "quantity" in claim or claim["metric"] in _WITNESSED:
        return
    makers = _makers(facts, claim["subject"])
    if not makers or claim["asserted_by"] in makers:
        return
    used = list(filter(None, map(facts.lookup, grounds(claim))))
    # results of a benchmark pass through the hands of its committee, whoever submits them
    unchecked = any(known(_origin(facts, one), "benchmark") is None for one in used)
    if unchecked and all(_is_interested(facts, one, makers) for one in used):
        who = ", ".join(dict.fromkeys(facts.label(_origin(facts, one)["asserted_by"]) for one in used))
        yield Finding(
            "direction.ground-of-maker",
            "weak",
            "info",  # read in one text only; a warning takes nine of ten in many
            f"rests on {counted(len(used), 'statement')} of who makes it or rents it out ({who}), and on nothing else",
            ((claim["id"], "conclusion"), *involved(used, "ground")),
        )


def _in_own_interest(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    """The seller in whose text or voice a claim praises a thing, or gives the price for which the seller has it."""
    provider, speaker = known(claim, "provider"), claim["asserted_by"]
    if provider is None and "direction" not in claim:  # neither the price of a seller nor praise
        return
    publisher = facts.registry.get(claim["source"], {}).get("publisher")
    if provider is not None and provider == publisher and claim["metric"] in _PRICES:
        yield f"{claim['source']}|{publisher}", "offer"
    # only what speaks for the thing; a figure over a baseline does so without a direction
    elif "same_as" in claim or claim.get("direction", "higher") != "higher":
        return
    elif speaker == provider and (claim.get("baseline") or "direction" in claim):
        yield f"{claim['source']}|{speaker}", ALWAYS
    elif publisher is not None and claim["metric"] in _MERITS and "direction" in claim:
        yield f"{claim['source']}|{publisher}", "praise"


def _recommended(facts: Facts) -> Iterator[Finding]:
    """One finding for what a text says in favour of things that its publisher, or who is quoted, rents out or sells."""
    claims = sorted(facts.claims.values(), key=lambda one: (int(one["anchor"].get("start") or 0), one["id"]))
    offers = [one for one in claims if one["metric"] in _PRICES]
    offered = {facts.root(one["subject"]) for one in offers}
    praise = [
        one
        for one in claims
        if one["metric"] not in _PRICES
        and (facts.root(one["subject"]) in offered or one["asserted_by"] == known(one, "provider"))
    ]
    if not praise:
        return
    praise.sort(key=lambda one: "quantity" not in one)  # a figure is what others take along
    seller = known(praise[0], "provider") or known(offers[0], "provider")
    things = ", ".join(dict.fromkeys(facts.label(facts.root(one["subject"])) for one in praise))
    prices = f" ({counted(len(offers), 'price')} in the same text)" if offers else ""
    yield Finding(
        "scope.sellers-own-goods",
        "suspicious",
        "warning",
        f"{counted(len(praise), 'statement')} in favour of {things}, which {facts.label(str(seller))} rents out or sells itself{prices}",
        ((praise[0]["id"], "in favour"), *involved(praise[1:], "in favour"), *involved(offers, "offer")),
    )


def _is_interested(facts: Facts, claim: ClaimRecord, makers: frozenset[str]) -> bool:
    origin = _origin(facts, claim)
    return origin["asserted_by"] in makers or origin["asserted_by"] == known(origin, "provider")


def _origin(facts: Facts, claim: ClaimRecord) -> ClaimRecord:
    """The claim that a claim says again, at the end of the chain."""
    seen = {claim["id"]}
    while True:
        name = claim.get("same_as") or next(repeated(claim), None)
        above = None if name is None or name in seen else facts.lookup(name)
        if above is None:
            return claim
        seen.add(above["id"])
        claim = above


PARTS: Final = (
    AuditPart("speakers/machine", _on_own_machine, _measured, needs="conditions"),
    AuditPart("speakers/seller", _in_own_interest, _recommended),
)
ALONE: Final = (Alone("speakers/word", _on_its_word, needs="derivations"),)
