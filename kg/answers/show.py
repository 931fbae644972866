"""One entity, claim, source or metric with all that is known of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from kg.answers.asking import Ask, Asker, JsonAnswer, Row, metric_named, near_names, said, text, whole
from kg.answers.claim import Thing
from kg.answers.trace import Trace, UnknownClaim, trace_claim
from kg.model.identifiers import ANY_ID, CLAIM_ID
from kg.model.names import name_key
from kg.model.vocabulary import pasted_id
from kg.stores.protocol import Cell

ShownKind = Literal["entity", "source", "metric", "claim", "several", "nothing"]
_THING = re.compile(ANY_ID)
_CLAIM = re.compile(CLAIM_ID)


_INSIDE: Final = frozenset({"contains", "accelerator inside", "configuration of"})
"""The links from a system to what is in it."""


class LinkTo(NamedTuple):
    """A link to another thing, in words."""

    link: str
    other: Thing


def has_results_of(link: str, other: str) -> bool:
    """Whether a link of a system leads to an accelerator in it: published results are of that one."""
    return link in _INSIDE and other.startswith(("accelerator/", "family/"))


class ClaimCount(NamedTuple):
    """How many claims of a kind the thing has in a role."""

    role: str
    kind: str
    claims: int


class _ShownFields(NamedTuple):
    asked: str
    kind: ShownKind
    id: str | None
    facts: Mapping[str, Cell]
    links: tuple[LinkTo, ...]
    counts: tuple[ClaimCount, ...]
    trace: Trace | None
    candidates: tuple[Thing, ...]
    near: tuple[str, ...]
    questions: tuple[str, ...]


class Shown(JsonAnswer, _ShownFields):
    """What is known; `several` and `nothing` list what may have been meant, and a thing what else has the name that was asked for."""

    __slots__ = ()

    def _what(self) -> str:
        """What was found: its label with its id, which can be typed."""
        label = self.facts.get("label")
        return f"{self.kind} {self.id}" if label is None else f"{label} [{self.id}]"

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return (
            self.asked,
            None if self.trace is None else self.trace.verdict,
            self.kind if self.id is None else self._what(),
        )


def show(ask: Ask, asked: str, *, counts: bool = True) -> Shown:
    """Look up an id, else a name; a name of several things or metrics lists them. How many claims a thing has takes longest,
    and is left out without `counts`."""
    asker, given = Asker(ask), pasted_id(asked.strip())
    thing = f"source/{given}" if given.isdigit() else given  # 002 is a source, as everywhere
    if _THING.fullmatch(thing):
        found = _thing(asker, thing, counts)
        if found is not None:
            return found
    if _CLAIM.fullmatch(given):
        # other words with a slash have the form of an id as well
        try:
            traced = trace_claim(ask, given)
        except UnknownClaim:
            traced = None
        if traced is not None:
            return Shown(asked, "claim", given, {}, (), (), traced, (), (), traced.questions)
    return _named(asker, asked, given, counts)


def _named(asker: Asker, asked: str, given: str, counts: bool) -> Shown:
    rows = asker.rows("names/resolve", thing=[given])
    named = [Thing(text(row, "entity"), said(row, "label")) for row in rows if row["match"] == "named"]
    if (metric := metric_named(asker, given)) is not None:
        named.append(Thing(f"metric/{metric}", metric.replace("-", " ")))
    # what bears the very words as its label is meant before what has them as a further name, as a task has that of its model
    own = [one for one in named if len(named) == 1 or (one.label and name_key(one.label) == name_key(given))]
    if len(own) == 1:
        found = _thing(asker, own[0].id, counts)
        if found is not None:
            return found._replace(candidates=tuple(one for one in named if one != own[0]))
    if named:
        return Shown(asked, "several", None, {}, (), (), None, tuple(named), (), asker.used)
    return Shown(asked, "nothing", None, {}, (), (), None, (), near_names(asker, given, metrics=True), asker.used)


def _thing(asker: Asker, identifier: str, counts: bool) -> Shown | None:
    kind: ShownKind = "entity"
    if identifier.startswith("metric/"):
        kind, rows = "metric", asker.rows("entities/metric", metric=identifier)
    else:
        rows = asker.rows("entities/card", thing=[identifier])
        if rows and rows[0]["kind"] in ("source", "unresolved-source"):
            kind, rows = "source", asker.rows("sources/card", source=[identifier])
    if not rows:
        return None
    links = tuple(
        LinkTo(text(row, "link"), Thing(text(row, "other"), said(row, "label")))
        for row in asker.rows("entities/links", thing=identifier)
    )
    counted = counts and asker.rows("entities/claim-counts", thing=identifier)
    claims = tuple(ClaimCount(text(row, "role"), text(row, "kind"), whole(row, "claims") or 0) for row in counted or ())
    return Shown(identifier, kind, identifier, _facts(rows[0]), links, claims, None, (), (), asker.used)


def _facts(row: Row) -> dict[str, Cell]:
    """The cells that say something."""
    return {name: cell for name, cell in row.items() if cell is not None}
