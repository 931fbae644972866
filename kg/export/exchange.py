"""The exchange form: every record with what is derived from it, as `kg export jsonl` writes it and `kg load claims` reads it."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast

from kg.__about__ import RULES_VERSION
from kg.content.vocabulary import read_vocabulary
from kg.export.part import EVERYTHING, Selection, needed_things, stands_in, with_what_it_needs
from kg.ledger.derived import derived_files, read_concluded
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.sorting import Sorter
from kg.model.derived import Deriver, Keys
from kg.model.derived_records import DerivedRecord, FindingRecord
from kg.model.exchange_form import exchange_claim
from kg.model.json_types import JsonMapping
from kg.model.recorded import ClaimRecord, ThingRecord

if TYPE_CHECKING:
    from kg.ask.opened import Opened
    from kg.model.derived_records import AdviceRecord

Progress = Callable[[str, int, int], None]
REMEMBERED = 1 << 13
"""This many figures are remembered, so that memory does not grow with the claims."""


def silent(what: str, done: int, total: int) -> None:
    """A progress that tells nothing."""


def exchange_records(
    graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING
) -> Iterator[JsonMapping]:
    """Claims first, then findings, entities, sources; each kind sorted by id. Nothing is held whole."""
    with Records(graph, progress, part) as records:
        yield from records.exchange()


def recorded_state(graph: "Opened") -> Manifest:
    """What the records are read from: the state that was opened, where it can still be read; else that of now.

    A load may have come since, and one that was cut off before its view has nothing that was concluded.
    """
    folder = graph.ledger_folder()
    opened = Ledger(folder).manifest_at(graph.stamp["head"])
    if opened is not None and derived_files(folder / "derived", opened.head, RULES_VERSION):
        return opened
    return Ledger(folder).manifest()


class Records:
    """The records of a store in the order of the exchange form, kept in sorted runs on disk while they are needed."""

    def __init__(self, graph: "Opened", progress: Progress = silent, part: Selection = EVERYTHING) -> None:
        self._progress = progress
        self._folder = graph.ledger_folder()
        self._units = read_vocabulary(graph.content).units
        self._claims = Sorter()
        self.labels: dict[str, str] = {}
        self.registry: dict[str, ThingRecord] = {}
        """Entities and sources by id: few, compared with the claims."""
        ledger = Ledger(self._folder)
        manifest = recorded_state(graph)
        # of the very state whose claims are given
        self._derived = (self._folder / "derived", manifest.head, RULES_VERSION)
        self.number = 0
        """Of claims."""
        expected = sum(one.records for one in manifest.segments)
        for done, record in enumerate(ledger.current(manifest), 1):
            if record["record"] == "claim":
                self._claims.add(record["id"], record)
                self.number += 1
            else:
                self.registry[record["id"]] = record
                self.labels[record["id"]] = record["label"]
            if done % 4096 == 0:
                progress("reading the ledger", done, expected)
        self._kept: set[str] | None = None
        if not part.is_all:
            self._narrow(part)

    def _narrow(self, part: Selection) -> None:
        """Leave only what the part holds; what is sorted already is read again, not held."""
        whole = self._claims
        with whole:
            kept = with_what_it_needs(part, lambda: iter(whole), self.derived, self.registry)
            self._claims, self.number = Sorter(), 0
            for record in whole:
                if record["id"] in kept:
                    self._claims.add(record["id"], record)
                    self.number += 1
        self._kept = kept
        ends = ({"reaches": one["reaches"]} for one in self.derived() if one["record"] == "step")
        needed = needed_things(chain(iter(self._claims), ends), self.registry)
        self.registry = {name: one for name, one in self.registry.items() if name in needed}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Drop the temporary files."""
        self._claims.close()

    def claims(self) -> Iterator[ClaimRecord]:
        """Recorded claims by id."""
        for done, record in enumerate(self._claims, 1):
            yield record
            if done % 512 == 0:
                self._progress("writing", done, self.number)

    def things(self, *kinds: str) -> Iterator[ThingRecord]:
        """Entities, then sources, each by id."""
        for kind in kinds or ("entity", "source"):
            yield from (one for _, one in sorted(self.registry.items()) if one["record"] == kind)

    def derived(self) -> Iterator[DerivedRecord]:
        """What was concluded, as it was written down."""
        found = read_concluded(*self._derived)
        if self._kept is None:
            return found
        kept = self._kept
        return (one for one in found if stands_in(one, kept))

    def sorted_derived(self, *kinds: str) -> Sorter:
        """Derived records of some kinds, sorted by the claim they are about; to be closed."""
        sorter = Sorter()
        for one in self.derived():
            if one["record"] in kinds:
                about: Mapping[str, object] = one
                sorter.add(str(about["claim"]), one)
        return sorter

    def findings(self) -> Iterator[FindingRecord]:
        """Findings by id."""
        with Sorter() as sorter:
            for one in self.derived():
                if one["record"] == "finding":
                    sorter.add(one["id"], one)
            yield from sorter

    def keyed(self) -> Iterator[tuple[ClaimRecord, Keys]]:
        """Recorded claims by id with their derived keys."""
        deriver = Deriver(self._units, remember=REMEMBERED)
        for record in self.claims():
            yield record, deriver.keys(record)

    def exchange_claims(self) -> Iterator[JsonMapping]:
        """Claims with everything derived from them."""
        with Sorter() as sorter, self.sorted_derived("advice") as judged:
            for one in self.derived():
                if one["record"] == "finding":
                    kept = {"id": one["id"], "derivation": one["derivation"], "verdict": one["verdict"]}
                    sorter.add(one["claims"][0]["claim"], kept)
            about, verdicts = Groups(sorter.items()), Groups(judged.items())
            for record, keys in self.keyed():
                name = record["id"]
                judgement = cast("AdviceRecord | None", next(iter(verdicts.of(name)), None))
                yield exchange_claim(record, keys, self.labels, about.of(name), judgement)

    def exchange(self) -> Iterator[JsonMapping]:
        """Everything, in the order of the exchange form."""
        yield from self.exchange_claims()
        yield from self.findings()
        yield from self.things()


class Groups:
    """Records under their keys, both sorted: asked for in order of the keys."""

    def __init__(self, items: Iterator[tuple[str, Mapping[str, object]]]) -> None:
        self._items = items
        self._next = next(items, None)

    def of(self, key: str) -> list[JsonMapping]:
        """The records of a key; keys before it are passed over."""
        found: list[JsonMapping] = []
        while self._next is not None and self._next[0] <= key:
            if self._next[0] == key:
                found.append(self._next[1])
            self._next = next(self._items, None)
        return found
