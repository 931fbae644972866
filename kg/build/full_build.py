"""A whole view from nothing: reads every record once, concludes everything, and yields N-Triples for the store on the way.

Claims are not held: they are read again from the index where something has to be judged.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import thread_time
from typing import Final, TypeVar, cast

import orjson

from kg.audit.advice import advice_record
from kg.audit.chains import step_record
from kg.audit.claim_links import repeated
from kg.audit.finding import Finding
from kg.audit.measured_rows import group_of
from kg.audit.origins import echo_records
from kg.build.deduction import Background, Deduction
from kg.build.deduction_units import (
    EMPTY,
    DeductionUnit,
    advice_mark,
    advice_unit,
    echo_mark,
    echo_units,
    measured_mark,
    measured_unit,
    own_mark,
    own_unit,
    unit_of,
)
from kg.build.progress import Progress
from kg.content.vocabulary import Vocabulary
from kg.ledger.index import ClaimIndex, On, mark
from kg.ledger.ledger import Ledger, Manifest, Standing, rank_of, retired
from kg.ledger.segment import read_segment
from kg.model.derived import Deriver, Keys
from kg.model.derived_records import DerivedRecord, MeasuredRecord
from kg.model.ledger_records import CurrentRecord
from kg.model.names import all_names
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.view_stamp import ViewStamp
from kg.projection.classes import class_lines
from kg.projection.derived import derived_lines, meta_lines
from kg.projection.measures import vocabulary_lines
from kg.projection.names import name_lines
from kg.projection.triples import TripleWriter

_Item = TypeVar("_Item")
_BATCH: Final = 1024
_STEP: Final = 64
"""Items between two reports of progress."""
_NOT_QUIET: Final = 255
"""In place of the number of an advice: this claim has one of its own, in the index. The largest number of a byte."""


class WholeView:
    """Streams the text of a view, fills the index, and audits the claims on the way."""

    def __init__(
        self,
        ledger: Ledger,
        manifest: Manifest,
        index: ClaimIndex,
        vocabulary: Vocabulary,
        background: Background,
        *,
        progress: Progress,
    ) -> None:
        self._ledger, self._manifest, self._index = ledger, manifest, index
        self._vocabulary, self._background, self._progress = vocabulary, background, progress
        self._expected = sum(info.records for info in manifest.segments)
        self._deriver = Deriver(vocabulary.units)
        self.claims = self.findings = 0
        self.audit_seconds = 0.0
        """Processor time: the engine works in a thread of its own meanwhile."""
        self._linked = array("q")
        """The numbers of the claims that link to others."""
        self._repeats = array("q")
        """The numbers of a claim and of one that it repeats, one after the other: read once, for what rests on them and for
        who repeats whom."""
        self._advice = bytearray()
        """By the number of a claim the number of its quiet advice, or `_NOT_QUIET`."""
        self._pending: list[tuple[int, DeductionUnit]] = []
        self._involved: set[int] = set()
        self._writer = TripleWriter("view")

    def chunks(self, stamp: ViewStamp, *, audited: Callable[[], None] = lambda: None) -> Iterator[str]:
        """The whole view as pieces of N-Triples text; `audited` is called when the derived set is known."""
        registry = self._ledger.things(self._manifest)
        self._deduction = Deduction(
            self._index,
            registry,
            self._vocabulary.units,
            self._deriver,
            self._background,
        )
        self._measured = self._deduction.measured_rows()
        yield from self._records()
        started = thread_time()
        self._progress("auditing", 0, 0)
        # the tables are indexed once, after the last row: keeping them in order row by row would cost more
        self._index.make_findable()
        self._index.add_others(self._gone(registry))
        # in this order, because each step reads what the ones before put into the index: advice rests on all findings
        yield from self._judged()
        yield from self._linked_claims()
        yield from self._echoes()
        self._flush()
        yield from self._advised()
        yield from self._measured_rows()
        self._flush()
        audited()
        self.audit_seconds += thread_time() - started
        yield from name_lines(all_names(registry), "view")
        yield from vocabulary_lines(self._vocabulary.metric_mapping, self._vocabulary.unit_mapping, "view")
        yield from class_lines()
        yield meta_lines(stamp, self.claims)

    def _gone(self, registry: Mapping[str, ThingRecord]) -> Iterator[tuple[str, int, str, int, str]]:
        """The revisions of records that only retired segments hold: one that comes back supersedes them."""
        segments = self._manifest.segments
        for place in sorted(retired(segments)):
            for record in read_segment(self._ledger.segments_folder, segments[place]):
                name = record["id"]
                if record["record"] != "rejected" and name not in registry and self._index.number(name) is None:
                    yield name, place, *rank_of(segments[place].edition, record)

    def _moving(self, what: str, items: Iterable[_Item], total: int) -> Iterator[_Item]:
        """The items as they come; progress is reported every `_STEP` of them."""
        for done, one in enumerate(items):
            if done % _STEP == 0:
                self._progress(what, done, total)
            yield one

    # --- reading

    def _records(self) -> Iterator[str]:
        batch: list[Standing] = []
        done = 0
        for standing in self._ledger.standing(self._manifest):
            # refused rows are shown by the ledger itself; a triple about one would let a query take it for a claim
            if standing.record["record"] == "rejected":
                continue
            batch.append(standing)
            if len(batch) == _BATCH:
                done += len(batch)
                self._progress("writing the view", done, self._expected)
                yield self._batch(batch)
                batch = []
        yield self._batch(batch)

    def _batch(self, batch: list[Standing]) -> str:
        text, writer = list[str](), self._writer
        claims, things, others, keyed = [], [], [], []  # type: ignore[var-annotated]
        for standing, segment, (edition, number, _), more in batch:
            record = cast(CurrentRecord, standing)  # rejected rows were left out
            keys = self._deriver.keys(record) if record["record"] == "claim" else None
            text.append(writer.record(record, keys))
            body = orjson.dumps(record)
            if more:
                others.extend((record["id"], place, *rank) for rank, place in more)
            if record["record"] != "claim" or keys is None:
                things.append((record["id"], segment, edition, number, body))
                continue
            self.claims += 1
            claims.append((self.claims, record["id"], segment, edition, number, body))
            keyed.append((self.claims, record, keys))
        index = self._index
        index.add_claims(claims)
        index.add_things(things)
        index.add_others(others)
        # all of a batch at once: to ask for the time twice a claim would take longer than many a rule
        started = thread_time()
        text.extend(self._entered(keyed))
        self.audit_seconds += thread_time() - started
        return "".join(text)

    def _entered(self, claims: Iterable[tuple[int, ClaimRecord, Keys]]) -> Iterator[str]:
        """Enter claims into the index with what they are judged with; the triples of what is found in one alone."""
        deduction = self._deduction
        scopes, links = [], []
        for number, record, keys in claims:
            mine, hangs = deduction.rows(number, record, keys)
            self._measured.add(record)
            scopes += mine
            links += hangs
            self._advice.append(deduction.quiet_code(record))
            # what a claim links to may come later in the stream, so that such claims wait until all are in the index
            if deduction.auditor.has_own(record):
                self._linked.append(number)
            else:
                own = deduction.auditor.own(record)
                if own.findings:
                    yield from self._keep(own_mark(record["id"]), own_unit(record, own), own.findings)
                    self._advice[-1] = _NOT_QUIET
        self._index.add_scopes(scopes)
        self._index.add_links(links)

    # --- concluding

    def _put(self, name: int, unit: DeductionUnit) -> None:
        """Put a unit into the index, where anything was concluded in it."""
        if unit.body:
            self._pending.append((name, unit))
            if len(self._pending) >= _BATCH:
                self._flush()

    def _keep(self, name: int, unit: DeductionUnit, findings: Iterable[Finding]) -> Iterator[str]:
        """Put a unit into the index; the triples of its findings."""
        self._put(name, unit)
        for one in findings:
            self.findings += 1
            yield from self._derived([one.to_json()])

    def _flush(self) -> None:
        if not self._pending:
            return
        self._index.put_units((name, unit.body, unit.exact) for name, unit in self._pending)
        # the advice on a claim is worked out from the units that name it, which must be found without reading all
        rows = [(mark(claim), name) for name, unit in self._pending for claim in unit.involved]
        self._index.add_involved(rows)
        self._involved.update(claim for claim, _ in rows)
        self._pending.clear()
        self._deduction.forget_units()

    def _judged(self) -> Iterator[str]:
        """The findings of the scopes in which something can be found, and of the source links of texts."""
        # Recorded source links are judged even where no claim is in their scope: a list may hold what no text
        # relies on.
        scopes = dict.fromkeys((*self._index.busy_scopes(), *self._deduction.lists))
        for scope in self._moving("auditing statements", scopes, len(scopes)):
            findings = self._deduction.scope(scope)
            if findings:
                yield "".join(self._keep(scope, unit_of(findings), findings))

    def _linked_claims(self) -> Iterator[str]:
        """What is concluded from claims that repeat others, are computed from them or rest on them."""
        for number in self._moving("auditing what rests on others", self._linked, len(self._linked)):
            record = self._index.claim(number)
            assert record is not None
            self._deduction.remember(record["id"], record)
            for name in repeated(record):
                if (there := self._index.number(name)) is not None:
                    self._repeats.extend((number, there))
            own = self._deduction.auditor.own(record)
            unit = own_unit(record, own)
            if unit is not EMPTY:
                self._advice[number - 1] = _NOT_QUIET
                steps = self._derived(map(step_record, (*own.citations, *own.derived)))
                yield "".join((*self._keep(own_mark(record["id"]), unit, own.findings), *steps))

    def _echoes(self) -> Iterator[str]:
        """Clusters and counts, for each connected set of claims."""
        for numbers in self._components():
            records = [record for number in numbers if (record := self._index.claim(number)) is not None]
            counted = list(echo_records(self._deduction.echoes(records)))
            for name, unit in echo_units(counted).items():
                self._put(echo_mark(name), unit)
            yield "".join(self._derived(counted))

    def _components(self) -> Iterator[list[int]]:
        """The numbers of claims that repeat one another or say the same, set by set."""
        # arrays of numbers and no objects: millions of claims have to fit into memory next to the engine
        above = array("q", range(self.claims + 1))

        def root(number: int) -> int:
            # Paths are halved on the way, and the smaller number is the root: a set is named by its first
            # claim, in whichever order its links came.
            while above[number] != number:
                above[number] = above[above[number]]
                number = above[number]
            return number

        def join(one: int, other: int) -> None:
            a, b = root(one), root(other)
            above[max(a, b)] = min(a, b)

        target = first = 0
        for other, number in self._index.shared_links(On.SAID):
            if other == target and first:
                join(first, number)
            else:
                target, first = other, number
        ends = iter(self._repeats)
        for number, there in zip(ends, ends, strict=True):
            join(number, there)
        sets: dict[int, array[int]] = {}
        for number in range(1, self.claims + 1):
            top = root(number)
            if top != number:
                sets.setdefault(top, array("q", (top,))).append(number)
        for numbers in sets.values():
            yield list(numbers)

    def _advised(self) -> Iterator[str]:
        """The advice on every claim; for those without findings or steps it was noted when they were read."""
        text: list[str] = []
        for number, name in self._moving("judging claims", self._index.all_names(), self.claims):
            code = self._advice[number - 1]
            record = self._index.claim(number) if code == _NOT_QUIET or mark(name) in self._involved else None
            if record is not None:
                advice = self._deduction.advice_now(record)
                if advice != self._deduction.quiet(record):
                    self._put(advice_mark(name), advice_unit(name, advice))
                    self._advice[number - 1] = _NOT_QUIET
                else:
                    # its findings change nothing: a number takes a byte where a unit takes a row of the index
                    self._advice[number - 1] = self._deduction.quiet_code(record)
            else:
                advice = self._deduction.quiet_of(code)
            text.extend(self._derived([advice_record(name, advice)]))
            if len(text) >= _BATCH:
                yield "".join(text)
                text.clear()
        yield "".join(text)

    def _measured_rows(self) -> Iterator[str]:
        """What is computed from published results: the best of each chip, gains, costs."""
        rows = list(self._measured.records())
        groups: dict[str, list[MeasuredRecord]] = {}
        for row in rows:
            groups.setdefault(group_of(row), []).append(row)
        for name, some in groups.items():
            self._put(measured_mark(name), measured_unit(some))
        yield from self._derived(rows)

    def _derived(self, records: Iterable[DerivedRecord]) -> Iterator[str]:
        """The triples of derived records."""
        return derived_lines(records, "view", self._writer.shared)

    # --- the derived set

    def derived_lines(self) -> Iterator[bytes]:
        """The derived set as lines: findings, steps, echoes and advice; enough to make any view without another audit."""
        yield from self._index.all_units()
        for number, name in self._index.all_names():
            code = self._advice[number - 1]
            if code != _NOT_QUIET:
                yield advice_unit(name, self._deduction.quiet_of(code)).body
