"""A view brought up to date: what a load touches is concluded again, and only the difference is written.

The result is, triple by triple, what a build from nothing makes of the same ledger. Where that cannot be had from the
difference (other content, another rule set, a changed entity, most of the claims new), the view is built from nothing.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import orjson

from kg.audit.claim_links import repeated
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
    own_mark,
    own_unit,
    unit_of,
)
from kg.build.progress import Progress
from kg.build.record_changes import NotByDifference, RecordChange, changes, registry_after
from kg.build.refuted import refuting_lines
from kg.build.view_difference import DifferenceWriter, ViewDifference, split_lines
from kg.content.vocabulary import Vocabulary
from kg.ledger.index import ClaimIndex, On, kind_of, link_mark, mark
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.segment import SegmentInfo
from kg.model.derived import Deriver
from kg.model.names import all_names
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.view_stamp import ViewStamp
from kg.projection.derived import derived_lines, meta_lines
from kg.projection.names import name_lines
from kg.projection.shared import SharedNodes
from kg.projection.triples import TripleWriter


class Refresh:
    """Brings an index and a view up to date with a ledger that grew."""

    def __init__(
        self,
        ledger: Ledger,
        manifest: Manifest,
        index: ClaimIndex,
        vocabulary: Vocabulary,
        background: Background,
        *,
        before: ViewStamp,
        progress: Progress,
    ) -> None:
        self._index, self._before, self._progress = index, before, progress
        segments = tuple(SegmentInfo.from_json(one) for one in before["segments"])
        self._changes = changes(index, ledger, segments, manifest)
        old_registry = index.things()
        self._registry, self._old_registry = registry_after(old_registry, self._changes.values()), old_registry
        self._deriver = Deriver(vocabulary.units)
        self._deduction = Deduction(index, self._registry, vocabulary.units, self._deriver, background)
        self._moved = self._added_grounds(old_registry)
        self._redated = self._deduction.auditor.redated(old_registry)
        self.added_things = [name for name in self._registry if name not in old_registry]
        self._claims = [one for one in self._changes.values() if one.kinds == {"claim"}]
        self._done = ViewDifference(0, int(before["findings"]))
        self._units: dict[int, tuple[bytes, DeductionUnit]] = {}
        """Units that were concluded again: as they were, and as they are."""
        self._groups: set[str] = set()
        """Groups of published results with a claim that changed."""
        self._asked: set[str] = set()
        """Claims whose advice may change."""
        self._refuted: set[str] = set()
        """Claims that a unit refutes in other words than before, or no longer."""

    def run(self) -> ViewDifference:
        """Conclude again what is touched, and put it into the index."""
        # the scopes of the old state count too: a claim that leaves a group may end a conflict there
        old_scopes, seeds = self._take_out()
        seeds |= self._said_in(self._redated)
        new_scopes = self._put_in()
        changed = {one.name for one in self._differing()}
        self._progress("auditing", 0, len(changed))
        woken = self._woken()
        repeating = self._hanging(changed, On.REPEATS)
        # what repeats a computed claim reaches all that the claim is computed from, and so on in turn
        above = self._hanging(changed | woken, On.REPEATS, On.INPUT)
        touched = self._present(changed | above | woken)
        scopes = old_scopes | new_scopes
        # a claim that repeats a changed one is compared by what it repeats, in a scope that did not change itself
        for name in repeating - changed:
            record = self._deduction.lookup(name)
            scopes.update(self._deduction.conflict_scopes(record) if record is not None else ())
        for group in sorted(self._deduction.touched_groups(self._groups)):
            self._set(measured_mark(group), self._deduction.measured(group, self._index))
        self._judge_scopes(scopes)
        self._judge_claims(touched, {name for name in changed if name not in touched})
        self._echo(seeds, changed)
        self._flush()
        # what rests on a claim that others refute is judged by that, although nothing else was found about it
        self._asked |= self._present(self._hanging(self._refuted, On.REPEATS, On.INPUT))
        # only now, when findings and steps are in the index: advice is a function of both
        self._advise(touched, changed)
        self._flush()
        self._write_text()
        self._done.claims = self._index.count()
        return self._done

    def _added_grounds(self, old_registry: Mapping[str, ThingRecord]) -> Collection[str]:
        """What was added to the registry that claims already there may be judged by."""
        moved = self._deduction.auditor.moved(old_registry)
        if moved is None:
            # any claim may be judged by the kind, maker or family of its subject: there is no telling which are not
            raise NotByDifference("an entity or source changed")
        return moved

    def _differing(self) -> Iterator[RecordChange]:
        for one in self._claims:
            if one.before is None or one.after is None or one.before.record != one.after.record:
                yield one

    # --- the index

    def _take_out(self) -> tuple[set[int], set[int]]:
        """Forget the claims as they were; the scopes they were in, and numbers of those whose echo they were part of."""
        index, scopes, seeds = self._index, set[int](), set[int]()
        numbers = []
        for one in self._differing():
            if one.before is None or one.number is None:
                continue
            numbers.append(one.number)
            self._groups.update(self._deduction.groups(one.before.claim))
            scopes.update(index.scopes_of(one.number))
            for target in index.links_of(one.number):
                if kind_of(target) == On.SAID:
                    seeds.update(index.linked(target))
            for name in repeated(one.before.claim):
                there = index.number(name)
                if there is not None:
                    seeds.add(there)
        index.forget_claims(numbers)
        return scopes, seeds - set(numbers)

    def _said_in(self, sources: Collection[str]) -> set[int]:
        """The numbers of the claims of some sources."""
        if not sources:
            return set()
        claims = ((number, orjson.loads(body)) for number, _, body in self._index.all_claims())
        return {number for number, record in claims if record["source"] in sources}

    def _put_in(self) -> set[int]:
        """Enter the claims as they are; the scopes they are in."""
        self._put_in_things()
        index, last = self._index, self._index.last_number()
        scopes: set[int] = set()
        differing = {one.name for one in self._differing()}
        for one in self._claims:
            held = one.after
            if held is None:
                continue
            if one.name not in differing and one.number is not None:
                # the same record in another segment: it keeps its number, and with it everything concluded from it
                number = one.number
            else:
                last += 1
                number = last
                scopes |= self._enter(number, held.claim)
            body = orjson.dumps(held.record)
            index.add_claims([(number, one.name, held.segment, held.edition, held.number, body)])
        return scopes

    def _put_in_things(self) -> None:
        """Enter entities and sources as they are, and the revisions that are not current, which what comes back supersedes."""
        index, differences = self._index, self._changes.values()
        index.forget_others(one.name for one in differences)
        index.add_others((one.name, *other) for one in differences for other in one.others)
        index.add_things(
            (one.name, held.segment, held.edition, held.number, orjson.dumps(held.record))
            for one in differences
            if (held := one.after) is not None and held.record["record"] != "claim"
        )

    def _enter(self, number: int, record: ClaimRecord) -> set[int]:
        """Enter where a claim is judged and what it links to; the scopes among it."""
        mine, links = self._deduction.rows(number, record, self._deriver.keys(record))
        self._groups.update(self._deduction.groups(record))
        self._index.add_scopes(mine)
        self._index.add_links(links)
        return {scope for scope, _, _ in mine}

    def _present(self, names: Iterable[str]) -> set[str]:
        return {name for name in names if self._deduction.lookup(name) is not None}

    def _woken(self) -> set[str]:
        """The claims that are judged by what was added to the registry."""
        found: set[str] = set()
        for one in self._moved:
            found.update(self._names(self._index.linked(link_mark(On.REGISTRY, one))))
        return found

    def _names(self, numbers: Iterable[int]) -> Iterator[str]:
        for number in numbers:
            record = self._index.claim(number)
            if record is not None:
                self._deduction.remember(record["id"], record)
                yield record["id"]

    def _hanging(self, names: Iterable[str], *kinds: int) -> set[str]:
        """Claims that reach one of some names by links of some kinds, at any distance."""
        found: set[str] = set()
        todo = list(names)
        while todo:
            reached = todo.pop()
            above = (one for kind in kinds for one in self._index.linked(link_mark(kind, reached)))
            for name in self._names(above):
                if name not in found:
                    found.add(name)
                    todo.append(name)
        return found

    # --- concluding

    def _set(self, unit: int, after: DeductionUnit) -> None:
        before, exact = self._index.unit(unit)
        if before != after.body or exact != after.exact:
            self._units[unit] = before, after

    def _flush(self) -> None:
        """Put what was concluded into the index, and note what that makes new and gone."""
        rows = self._units
        self._index.forget_units([unit for unit, (before, _) in rows.items() if before])
        self._index.put_units((unit, after.body, after.exact) for unit, (_, after) in rows.items() if after.body)
        self._index.add_involved((mark(name), unit) for unit, (_, after) in rows.items() for name in after.involved)
        for before, after in rows.values():
            self._note(before, after.body)
        self._units = {}
        self._deduction.forget_units()

    def _note(self, before: bytes, after: bytes) -> None:
        """The lines and triples by which two states of a unit differ."""
        if before == after:
            return
        # Of a unit only the lines that differ: a scope of a thousand findings of which one changed is not
        # written anew.
        old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
        # a line may occur twice: a step is stated for a claim that repeats and is computed from the same source
        here, there = Counter(old), Counter(new)
        gone, came = list((here - there).elements()), list((there - here).elements())
        done = self._done
        done.lines_gone += gone
        done.lines_new += came
        done.findings += sum(b'"record":"finding"' in one for one in came) - sum(
            b'"record":"finding"' in one for one in gone
        )
        if any(b'"record":"step"' in one for one in (*gone, *came)):
            gone, came = old, new  # steps may share a node with others of their unit; no other records do
        for lines, records, aside in (
            (done.triples_gone, gone, done.shared_gone),
            (done.triples_new, came, done.shared_new),
        ):
            lines.update(split_lines(derived_lines(map(orjson.loads, records), "view", SharedNodes(apart=aside))))

    def _judge_scopes(self, scopes: set[int]) -> None:
        for scope in sorted(scopes):
            findings = self._deduction.scope(scope)
            after = unit_of(findings) if findings else EMPTY
            self._ask(scope, after)
            self._set(scope, after)

    def _ask(self, unit: int, after: DeductionUnit) -> None:
        """Note the claims that a unit was or is about: their advice may change."""
        before, exact = self._index.unit(unit)
        if before != after.body or exact != after.exact:
            old, new = refuting_lines(before), refuting_lines(after.body)
            self._refuted.update(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
            self._asked |= after.involved
            for line in before.splitlines():
                record = orjson.loads(line)
                # Notes bear on no advice, and their claims are not among the involved ones either (`unit_of`).
                if record["record"] == "finding" and record["severity"] != "info":
                    self._asked.update(one["claim"] for one in record["claims"])

    def _judge_claims(self, touched: set[str], gone: set[str]) -> None:
        for name in sorted(touched):
            record = self._deduction.lookup(name)
            after = own_unit(record, self._deduction.auditor.own(record)) if record is not None else EMPTY
            self._ask(own_mark(name), after)
            self._set(own_mark(name), after)
        for name in sorted(gone):
            self._ask(own_mark(name), EMPTY)
            self._set(own_mark(name), EMPTY)

    def _echo(self, seeds: set[int], changed: set[str]) -> None:
        """Count the echoes again of every claim connected with what changed, as it was and as it is."""
        index = self._index
        todo = set(seeds)
        for name in changed:
            number = index.number(name)
            if number is not None:
                todo.add(number)
            todo.update(index.linked(link_mark(On.REPEATS, name)))
        found: dict[str, ClaimRecord] = {}
        seen, groups = set(todo), set[int]()
        while todo:
            number = todo.pop()
            record = index.claim(number)
            if record is None:
                continue
            found[record["id"]] = record
            near = [there for name in repeated(record) if (there := index.number(name)) is not None]
            near += index.linked(link_mark(On.REPEATS, record["id"]))
            for target in index.links_of(number):
                if kind_of(target) == On.SAID and target not in groups:  # all of a group are near once one of them is
                    groups.add(target)
                    near += index.linked(target)
            fresh = set(near) - seen
            seen |= fresh
            todo |= fresh
        # the whole set again: one link more or less may split a cluster or join two
        units = echo_units(echo_records(self._deduction.echoes(found.values())))
        for name in sorted({*found, *changed}):
            self._set(echo_mark(name), units.get(name, EMPTY))

    def _advise(self, touched: set[str], changed: set[str]) -> None:
        before = {one.name: one.before.claim for one in self._differing() if one.before is not None}
        for name in sorted(self._asked | touched | changed):
            record, unit = self._deduction.lookup(name), advice_mark(name)
            old = before.get(name) if name in changed else record
            kept, _ = self._index.unit(unit)
            # The index holds no advice that follows from the record alone; what it was is worked out from the
            # record as it was.
            if not kept and old is not None:
                kept = advice_unit(name, self._deduction.quiet(old)).body
            advice = self._deduction.advice_now(record) if record is not None else None
            after = advice_unit(name, advice) if advice is not None else EMPTY
            is_quiet = record is not None and advice == self._deduction.quiet(record)
            self._note(kept, after.body)
            self._index.forget_units([unit])
            if after.body and not is_quiet:
                self._index.put_units([(unit, after.body, None)])

    # --- text

    def _write_text(self) -> None:
        """The triples of changed claims and added things; those of shared nodes are collected separately."""
        done = self._done
        aside: dict[str, list[str]] = {}
        old_writer, writer = TripleWriter("view", apart=aside), TripleWriter("view", apart=done.shared_new)
        for one in self._differing():
            before, after = (
                set() if held is None else set(split_lines([by.claim(held.claim, self._deriver.keys(held.claim))]))
                for held, by in ((one.before, old_writer), (one.after, writer))
            )
            if one.before is None:
                done.new_claims += before | after
                done.new_claim_triples += len(after)
            else:
                done.changed_before[one.name] = one.before.claim
                done.triples_gone |= before
                done.triples_new |= after
        for name in self.added_things:
            done.shared_new[name] = [writer.record(self._registry[name])]
        for name in self._redated:
            done.triples_gone.update(split_lines([old_writer.record(self._old_registry[name])]))
            done.triples_new.update(split_lines([writer.record(self._registry[name])]))
        if self._registry != self._old_registry:
            before_names, names = set(all_names(self._old_registry)), set(all_names(self._registry))
            moved = {(one.names, one.covers) for one in before_names ^ names}  # names of one group share a node
            for lines, known in ((done.triples_gone, before_names), (done.triples_new, names)):
                there = (one for one in known if (one.names, one.covers) in moved)
                lines.update(split_lines(name_lines(there, "view")))
        # What a changed record says as before is neither taken out nor put in.
        done.triples_gone, done.triples_new = done.triples_gone - done.triples_new, done.triples_new - done.triples_gone

    def derived_lines(self) -> Iterator[bytes]:
        """The whole derived set as lines."""
        yield from self._index.all_units()
        for _, name, body in self._index.all_claims():
            if not self._index.unit(advice_mark(name))[0]:
                yield advice_unit(name, self._deduction.quiet(orjson.loads(body))).body

    def apply(self, live: Path, path: Path) -> int:
        """Fill the folder of a new generation from the live one; how many triples it holds."""
        writer = DifferenceWriter(self._done, self._deriver, self._deduction.lookup)
        return writer.write(live, path, triples=int(self._before["triples"]), added_things=self.added_things)

    def meta(self, stamp: ViewStamp) -> None:
        """The node that says what the view was made from, as it was and as it is."""
        done = self._done
        out = set(split_lines([meta_lines(self._before, int(self._before["claims"]))]))
        into = set(split_lines([meta_lines(stamp, done.claims)]))
        done.triples_gone |= out - into
        done.triples_new |= into - out
