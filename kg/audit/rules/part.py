"""Parts: a rule with the scopes it judges, so that a change is judged again only where it matters.

A scope is a set of claims that a rule looks at together. Every claim a finding can depend on is in its scope, reached
by a link from it, or in the registry; so the findings of a scope are a pure function of it, no matter what else is loaded.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, Sort
from kg.model.recorded import ClaimRecord

ALWAYS: Final = object()
"""The tag of a claim on which a finding may be made without any other claim of its scope."""
Scope = tuple[str, object]
"""The name of a scope, and a tag: a scope whose claims all have one tag holds nothing to find and is not judged.

The tag is what two claims must differ in for a finding: the figure, the level, `ratio` beside `side`. A tag that is too
fine costs time, one that is too coarse hides findings.
"""


def finds(tags: AbstractSet[object]) -> bool:
    """Whether in a scope of claims with these tags something may be found."""
    return len(tags) > 1 or ALWAYS in tags


SINGLE: Final[tuple[Sort, ...]] = ("single",)
RATIO: Final[tuple[Sort, ...]] = ("ratio",)


@dataclass(frozen=True, slots=True)
class AuditPart:
    """A rule over claims that are judged together. `scopes` says in which scopes a claim is looked at.

    `findings` is given the claims of one scope and no others: what `scopes` asks of a claim, and what the name of the
    scope holds, is the same for all of them and not asked again.
    """

    name: str
    scopes: Callable[[Facts, ClaimRecord], Iterable[Scope]]
    findings: Callable[[Facts], Iterator[Finding]]
    metrics: tuple[str, ...] = ()
    """Only claims of these metrics are looked at; none named: all."""
    sorts: tuple[Sort, ...] = ()
    """Only claims of these sorts are looked at; none named: all."""
    needs: str = ""
    """Only claims with this field are looked at."""
    owns: Callable[[Finding, str], bool] | None = None
    """Whether a finding belongs to a scope, for rules whose claims lie in several."""


@dataclass(frozen=True, slots=True)
class Alone:
    """A rule that looks at one claim, the registry, and what the claim links to."""

    name: str
    findings: Callable[[Facts, ClaimRecord], Iterator[Finding]]
    metrics: tuple[str, ...] = ()
    sorts: tuple[Sort, ...] = ()
    needs: str = ""


def is_looked_at(by: AuditPart | Alone, metric: str, sort: Sort) -> bool:
    """Whether a rule may have something to say of claims of a metric and a sort."""
    return (not by.metrics or metric in by.metrics) and (not by.sorts or sort in by.sorts)
