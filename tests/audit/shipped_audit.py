"""The audit of a few claims against what is shipped: registry, units and references are read once, and so is all that follows from them."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from kg.audit.audit import _scopes
from kg.audit.auditor import Auditor
from kg.audit.finding import Finding
from kg.model.derived import Deriver
from tests.audit.test_rules import references, registry, vocabulary

Json = Any
_judged: dict[str, Json] = {}
"""The claims that are judged now."""


@cache
def auditor() -> Auditor:
    units = vocabulary().units
    return Auditor(dict(sorted(registry().items())), units, Deriver(units), references(), {}, _judged.get)


def findings(claims: Iterable[Json]) -> tuple[Finding, ...]:
    """What `kg.audit.audit` finds, sorted by id."""
    _judged.clear()
    _judged.update({one["id"]: one for one in claims})
    engine = auditor()
    engine.forget()
    found = [one for record in _judged.values() for one in engine.own(record).findings]
    for name, members in _scopes(engine, _judged):
        found.extend(engine.judge(name, members))
    return tuple(sorted(found, key=lambda one: one.id))
