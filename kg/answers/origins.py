"""Mentions against origins of a claim: its echo cluster with the hops, what each repetition changed, and where chains end."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from kg.answers.asking import Ask, Asker, JsonAnswer, Row, said, text, whole
from kg.answers.chains import DERIVED, Hop, end_states, read_chains
from kg.answers.claim import ClaimCard, bare, read_cards, shown_figure
from kg.answers.sameness import differing
from kg.answers.siblings import Sibling, read_sibling
from kg.answers.trace import UnknownClaim


@dataclass(frozen=True, slots=True)
class ClusterMention:
    """One claim of the echo cluster; `chain` leads hop by hop to what it, or an input of it, repeats."""

    claim: str
    printed: str | None
    statement: str | None
    asserted_by: str | None
    speaker: str | None
    source: str | None
    machine_written: bool
    said_on: str | None
    verdict: str
    chain: tuple[Hop, ...]
    end_states: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class OriginsOf(JsonAnswer):
    """How often something is said, and the number of independent speakers."""

    asked: str
    claim: ClaimCard
    mentions: int
    origins: int
    cluster: str | None
    cluster_mentions: int
    cluster_origins: int
    echo_of: str | None
    end_states: tuple[str, ...]
    members: tuple[ClusterMention, ...]
    others: tuple[Sibling, ...]
    """Claims outside the cluster that give the same value for the same thing."""
    questions: tuple[str, ...]

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return self.asked, self.claim.verdict, f"{self.mentions} mentions, {self.origins} origins"


def find_origins(ask: Ask, claim: str) -> OriginsOf:
    """The origins of one claim; an unknown id is refused."""
    asker = Asker(ask)
    card = _card_of(asker, claim)
    rows = asker.rows("audit/origins", claim=(claim,))
    first = rows[0]
    members = _members(asker, claim)
    own = [one for one in members if one.claim == claim]
    stated = set(filter(None, (said(row, "end_state") for row in rows)))
    # a claim outside any cluster has no end state in the audit's rows: its own chain says where it
    # ends
    ends = stated or {end for one in own for end in one.end_states}
    below = {hop.end_state for one in own for hop in one.chain if hop.end_state}
    once = 1 if _counts(asker, card, ends | below) else 0
    mentions, origins = whole(first, "mentions"), whole(first, "origins")
    if mentions is None or origins is None:  # said once: what is said more often is counted by the build
        mentions, origins = len(members), once
    return OriginsOf(
        claim,
        card,
        mentions,
        origins,
        said(first, "cluster"),
        whole(first, "cluster_mentions") or len(members),
        whole(first, "cluster_origins") if said(first, "cluster") else once,  # type: ignore[arg-type]
        said(first, "echo_of"),
        tuple(sorted(ends)),
        members,
        _others(asker, card, members),
        asker.used,
    )


def _card_of(asker: Asker, claim: str) -> ClaimCard:
    cards = read_cards(asker, [claim]) if "/" in claim and not claim.startswith("source/") else {}
    if claim not in cards:
        raise UnknownClaim(
            "is not the id of a claim.",
            given=claim,
            expected="an id such as 000/mistral.impact.training-speed.h200",
            next_step="kg find TEXT lists claims that match",
        )
    return cards[claim]


def _others(asker: Asker, card: ClaimCard, members: Iterable[ClusterMention]) -> tuple[Sibling, ...]:
    """The claims outside the cluster that give the same value for the same thing."""
    inside, value = {one.claim for one in members}, card.figure.canonical_value
    siblings = map(read_sibling, asker.rows("claims/same-statement", claim=(card.id,)))
    same = (
        one
        for one in siblings
        if value is not None and one.canonical_value == value and not differing(card.conditions, one.conditions)
    )
    return tuple(one for one in same if one.claim not in inside)


def _members(asker: Asker, claim: str) -> tuple[ClusterMention, ...]:
    """The cluster of a claim; a claim outside any is the only one of its own."""
    rows = {text(row, "member"): row for row in asker.rows("audit/cluster", claim=(claim,))}
    chains = read_chains(asker, tuple(rows) or (claim,))
    if rows:
        return tuple(_mention(name, row, _cited(chains.get(name, ()))) for name, row in rows.items())
    return (_alone(asker, claim, _cited(chains.get(claim, ()))),)


def _mention(name: str, row: Row, hops: tuple[Hop, ...]) -> ClusterMention:
    return ClusterMention(
        name,
        shown_figure(said(row, "printed"), bare(said(row, "unit"))),
        said(row, "statement"),
        said(row, "asserted_by"),
        said(row, "speaker"),
        said(row, "source"),
        text(row, "machine_written") == "yes",
        said(row, "said_on"),
        text(row, "verdict"),
        hops,
        end_states(hop for hop in hops if not hop.through),
    )


def _alone(asker: Asker, claim: str, hops: tuple[Hop, ...]) -> ClusterMention:
    """A claim that no other repeats."""
    card = read_cards(asker, [claim])[claim]
    return ClusterMention(
        claim,
        card.figure.shown,
        card.statement,
        card.asserted_by.id,
        card.asserted_by.label,
        card.source.id,
        _is_machine(asker, card),
        card.said_on,
        card.verdict,
        hops,
        end_states(hop for hop in hops if not hop.through),
    )


def _cited(chain: Iterable[Hop]) -> tuple[Hop, ...]:
    """The hops that lead to what is repeated, by the claim or by an input; inputs that lead to nothing are left out."""
    hops = tuple(chain)
    passed = {one for hop in hops for one in hop.through}
    kept = (hop for hop in hops if hop.via != DERIVED or hop.reached in passed)
    return tuple(sorted(kept, key=lambda hop: (hop.hop, hop.via != DERIVED, hop.reached)))


def _is_machine(asker: Asker, card: ClaimCard) -> bool:
    return any(text(row, "machine_written") == "yes" for row in asker.rows("sources/card", source=(card.source.id,)))


def _counts(asker: Asker, card: ClaimCard, ends: Collection[str]) -> bool:
    """Whether a claim that is said once counts: it, or what it is computed from, ends well, or it is first-hand and not by a program."""
    if ends:
        return bool({"primary", "unopened"} & set(ends))
    agent = any(
        text(row, "kind") == "software-agent" for row in asker.rows("entities/card", thing=(card.asserted_by.id,))
    )
    return not agent and not _is_machine(asker, card)
