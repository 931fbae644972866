"""All rows of the property graph in memory that does not grow with the claims: what the exports for Neo4j write.

They are the rows that the embedded property graph is loaded from. Each node comes once; a node that is only named comes
at the end, without properties.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from heapq import merge
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

from kg.content.vocabulary import read_vocabulary
from kg.export.exchange import REMEMBERED, Groups, Progress, Records, silent
from kg.export.part import EVERYTHING, Selection
from kg.model.derived import Deriver
from kg.model.derived_records import DerivedRecord
from kg.model.names import all_names
from kg.projection.graph_rows import RowWriter, claim_extras, derived_rows, meta_row, name_rows, vocabulary_rows
from kg.projection.rows import NodeRow, Row

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_FRESH: Final = 4096
"""A row writer remembers what records share; after this many claims a new one forgets it."""
_SHARED: Final = frozenset({"Passage", "Conditions", "Snapshot", "Statement", "Bucket"})
"""Nodes that records share, and edges from them."""
_NAMED: Final = frozenset({"Claim", "Entity", "Source", "Snapshot", "Metric", "Unit", "QuantityKind"})
"""Tables of nodes that a relationship may name although no row describes them."""


class SeenIds:
    """Which ids came before, in eight bytes each.

    >>> seen = SeenIds(recent=2)
    >>> [seen.is_new(one) for one in ("a", "b", "c", "a")]
    [True, True, True, False]
    """

    def __init__(self, *, recent: int = 1 << 16) -> None:
        self._recent: set[int] = set()
        self._old = array("q")
        self._most = recent

    def __contains__(self, name: object) -> bool:
        wanted = hash(name)
        if wanted in self._recent:
            return True
        at = bisect_left(self._old, wanted)
        return at < len(self._old) and self._old[at] == wanted

    def is_new(self, name: str) -> bool:
        """Whether it comes for the first time; from now on it is known."""
        if name in self:
            return False
        self._recent.add(hash(name))
        if len(self._recent) >= self._most:
            # Eight bytes an id in an array; in a set a number takes about ten times as much.
            self._old = array("q", merge(self._old, sorted(self._recent)))
            self._recent.clear()
        return True


def property_rows(graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING) -> Iterator[Row]:
    """Every row: claims with what they share, what is derived, registry, names, vocabulary, the state of the store."""
    described, named = SeenIds(), dict[tuple[str, str], None]()
    later: dict[tuple[str, str], None] = {}
    for row in _rows(graph, progress, part):
        if isinstance(row, NodeRow):
            if row.table in _NAMED:
                described.is_new(f"{row.table}\t{row.uid}")
            yield row
            continue
        yield row
        for table, uid in ((row.from_table, row.from_uid), (row.to_table, row.to_uid)):
            # Claims come first and are too many to be remembered by name: an edge to one that is
            # still to come waits, and what waits is looked through when it gets long.
            if table in _NAMED and table != "Claim" and (table, uid) not in named:
                named[table, uid] = None
            elif table == "Claim" and f"{table}\t{uid}" not in described:
                later[table, uid] = None
                if len(later) > _FRESH:
                    later = {one: None for one in later if "\t".join(one) not in described}
    for table, uid in chain(named, later):
        if f"{table}\t{uid}" not in described:
            yield NodeRow(table, uid, {})


def _rows(graph: "Opened", progress: Progress, part: Selection) -> Iterator[Row]:
    vocabulary = read_vocabulary(graph.content)
    seen = SeenIds()
    with Records(graph, progress, part) as records, records.sorted_derived("advice", "origins") as extras:
        about = Groups(extras.items())
        deriver = Deriver(vocabulary.units, remember=REMEMBERED)
        writer = RowWriter(deriver)
        for number, record in enumerate(records.claims(), 1):
            # The writer keeps what records share, so it would grow with them; `seen` knows what was
            # written.
            if number % _FRESH == 0:
                writer = RowWriter(deriver)
            rows = _first_time(writer.record(record), seen)
            first = next(rows)
            assert isinstance(first, NodeRow)
            first.properties.update(
                claim_extras(cast(list[DerivedRecord], about.of(record["id"]))).get(record["id"], {})
            )
            yield first
            yield from rows
        writer = RowWriter(deriver)
        for thing in records.things():
            yield from _first_time(writer.record(thing), seen)
        yield from derived_rows(one for one in records.derived() if one["record"] not in ("advice", "origins"))
        yield from name_rows(all_names(records.registry))
        yield from vocabulary_rows(vocabulary.metric_mapping, vocabulary.unit_mapping)
        yield meta_row(graph.stamp, records.number)


def _first_time(rows: Iterator[Row], seen: SeenIds) -> Iterator[Row]:
    """Rows without the shared nodes that came before, and without the edges from them."""
    skipped = ""
    for row in rows:
        if isinstance(row, NodeRow):
            if row.table in _SHARED and not seen.is_new(row.uid):
                skipped = row.uid
                continue
        elif row.from_table in _SHARED and row.from_uid == skipped:
            continue
        yield row
