"""No property without a reader: a view holds what a saved question reads, or a declaration says who else asks for it."""

import re
from collections.abc import Iterator
from pathlib import Path

from kg.ask.bind import COVERS, NAMES
from kg.model.kinds import KINDS
from kg.model.record import Claim
from kg.model.record_parts import Event
from kg.model.terms import Inner, below, declarations
from kg.projection.declared_terms import is_written, terms_of

QUERIES = Path(__file__).parents[2] / "queries"


def unread(cls: type, read: set[str]) -> Iterator[str]:
    """The terms of a class that a view is written with and no question reads."""
    left_out = {getattr(item, "term", "") for _, _, item in declarations(cls) if not is_written(item, "view")}
    free = {item.term for _, _, item in declarations(cls) if isinstance(item, Inner) and item.free}
    yield from (term for term, _ in terms_of(cls) if term not in read | left_out | free)


def test_what_a_view_holds_is_read() -> None:
    read = set(re.findall(r"\b[a-z]\w*:\w+", " ".join(one.read_text() for one in QUERIES.rglob("*.rq"))))
    read |= {COVERS, NAMES}
    free = {below(annotation) for _, annotation, item in declarations(Claim) if isinstance(item, Inner) and item.free}
    assert free == {Event}
    found = {kind.record.__name__: set(unread(kind.record, read)) for kind in KINDS if kind.record not in free}
    assert {name: terms for name, terms in found.items() if terms} == {}


def test_a_property_that_nobody_reads_is_seen() -> None:
    assert "k:subject" in set(unread(Claim, {"k:metric"})) and not set(unread(Event, {"k:eventType"})) & {"k:eventType"}
