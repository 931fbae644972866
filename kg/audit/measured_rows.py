"""Rows derived from published results: the best of each accelerator, gains between systems, cost and work per energy.

Each row names the claims it was computed from, so that no figure of it stands alone. What has to be divided is divided here,
because no saved question computes. One pass over the claims; kept are only the results that may be the best of each accelerator
(`kg.audit.kept_results`) and the two ends of its rental prices.

Claims fall into groups, so that a load computes again only what it touches: `rows|` results of one benchmark and scenario,
`cost|` results of one accelerator, `price|` prices of one thing. The costs of an accelerator hang on the prices of everything
above it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final, cast

from kg.audit.comparability import ComparableResult, judge
from kg.audit.kept_results import Contenders, Kept
from kg.audit.result_conditions import Cell, cell_of, count_of, is_limited, run_of, stated_text, stated_word
from kg.audit.subjects import Subjects
from kg.model.comparability import Comparability, base_division, benchmark_of, measures_power, round_order
from kg.model.derived import Deriver
from kg.model.derived_records import MeasuredRecord
from kg.model.identifiers import short_hash
from kg.model.recorded import ClaimRecord, ThingRecord

_HOUR: Final = Fraction(3600)
# A price by the month says nothing of the hours: its price by the hour is a range, given
# with the rate of the mean month.
_MONTHS: Final = (Fraction(28 * 24), Fraction(36525, 1200) * 24, Fraction(31 * 24))
"""The hours of the shortest, the mean and the longest month."""
_MILLION: Final = 10**6
_OTHER_RULES: Final = frozenset({"open", "network"})
"""Divisions whose results are no record of the hardware: the model may be another one, or a network is between."""

_Chosen = dict[Cell, dict[str, Kept]]


@dataclass(frozen=True, slots=True)
class Price:
    """What one accelerator costs in an hour; a monthly price lies between those of the longest and the shortest month."""

    claim: str
    subject: str
    hour: Fraction
    lower: Fraction
    upper: Fraction


class MeasuredRows:
    """Takes claims one by one in any order, gives the derived rows at the end."""

    def __init__(self, registry: Mapping[str, ThingRecord], deriver: Deriver, rules: Comparability) -> None:
        self._registry, self._deriver, self._rules = registry, deriver, rules
        self._subjects = Subjects(registry)
        self._contenders: dict[Cell, dict[str, Contenders]] = defaultdict(lambda: defaultdict(Contenders))
        self._results: dict[tuple[Cell, str], Counter[str]] = defaultdict(Counter)
        self._prices: dict[str, tuple[Price, Price]] = {}
        self._powers: dict[tuple[str, str, str, str], tuple[str, Fraction]] = {}
        self._powered: dict[tuple[str, str, str, str], tuple[Cell, Kept]] = {}

    def groups(self, record: ClaimRecord) -> tuple[str, ...]:
        """The groups of a claim; none where no row is computed from it."""
        conditions = record.get("conditions") or {}
        match _kind(record):
            case "price":
                subject = self._priced(record)[0]
                return () if subject is None else (f"price|{subject}",)
            case "power":
                return (rows_group(str(conditions["task"]), str(conditions["scenario"])),)
            case "result" if (cell := cell_of(conditions)) is not None:
                return rows_group(cell[0], cell[1]), f"cost|{record['subject']}"
        return ()

    def pricing(self, accelerator: str) -> tuple[str, ...]:
        """The groups of prices that bear on the costs of an accelerator."""
        return tuple(f"price|{name}" for name in (accelerator, *sorted(self._subjects.above(accelerator))))

    def add(self, record: ClaimRecord) -> None:
        """Look at one claim."""
        match _kind(record):
            case "result":
                self._result(record)
            case "price":
                self._price(record)
            case "power":
                self._power(record)

    def _power(self, record: ClaimRecord) -> None:
        key, canonical = run_of(record), self._deriver.canonical(record)
        if key is not None and canonical is not None and canonical.value > 0:
            power = (record["id"], canonical.value)
            # the smallest id: of two prints of one power the order of loading must not choose
            self._powers[key] = min(power, self._powers.get(key, power))

    def _result(self, record: ClaimRecord) -> None:
        conditions = record.get("conditions") or {}
        cell, canonical = cell_of(conditions), self._deriver.canonical(record)
        if cell is None or canonical is None or canonical.value <= 0 or not self._is_of_accelerator(record):
            return
        division = stated_text(conditions.get("division"))
        powered = conditions.get("includes") == "power" or measures_power(division)
        count = count_of(conditions)
        result = ComparableResult(
            suite=stated_text(conditions.get("benchmark")),
            task=cell[0],
            scenario=cell[1],
            round=cell[2],
            division=base_division(division),
            category=cell[3] or None,
            availability=stated_word(conditions.get("availability")),
            unit=canonical.unit,
            accelerators=count,
            power=powered,
        )
        kept = Kept(
            claim=record["id"],
            source=record["source"],
            accelerator=record["subject"],
            value=canonical.value,
            accelerators=count,
            unit=canonical.unit,
            model=str(conditions.get("model") or ""),
            submitter=record["asserted_by"],
            entry=str(conditions.get("entry") or ""),
            system=str(conditions.get("tested_on") or ""),
            result=result,
        )
        # an entry with lowered power limits shows efficiency, not what the accelerator can do
        if not is_limited(str(conditions.get("boundary", "")), str(conditions.get("tested_on", ""))):
            self._results[cell, kept.accelerator][record["source"]] += 1
            self._contenders[cell][kept.accelerator].add(kept)
        if powered and (key := run_of(record)) is not None:
            # the smallest id wins, so that the order of loading does not choose
            self._powered[key] = min((cell, kept), self._powered.get(key, (cell, kept)), key=lambda one: one[1].claim)

    def _is_of_accelerator(self, record: ClaimRecord) -> bool:
        """Whether a result represents its accelerator: one entry, on a known number of one accelerator, under the closed
        rules of a system by itself."""
        conditions = record.get("conditions") or {}
        # a mean over submissions is no entry that somebody ran
        if count_of(conditions) < 1 or "statistic" in record:
            return False
        thing = self._registry.get(record["subject"]) or {}
        if (thing.get("count") or 0) > 1 or thing.get("parts") and thing.get("kind") == "configuration":
            return False  # several kinds, or several of one kind taken as one thing
        return base_division(stated_text(conditions.get("division"))) not in _OTHER_RULES

    def _price(self, record: ClaimRecord) -> None:
        canonical = self._deriver.canonical(record)
        if canonical is None or canonical.value <= 0 or canonical.unit not in ("USD/h", "USD/month"):
            return
        subject, count = self._priced(record)
        if subject is None:
            return
        # divided by the longest month it is the lowest rate, by the shortest the highest
        hours = (Fraction(1),) * 3 if canonical.unit == "USD/h" else _MONTHS
        low, mean, high = (canonical.value / count / one for one in (hours[2], hours[1], hours[0]))
        price = Price(record["id"], subject, mean, low, high)
        known = self._prices.get(subject, (price, price))
        self._prices[subject] = (
            min(known[0], price, key=lambda one: (one.hour, one.claim)),
            max(known[1], price, key=lambda one: (one.hour, one.claim)),
        )

    def _priced(self, record: ClaimRecord) -> tuple[str | None, int]:
        """Which accelerator a price is for, and how many of them; None where it is no price of accelerators."""
        subject, count = record["subject"], 1
        thing = self._registry.get(subject) or {}
        normaliser = record.get("normaliser", "unstated")
        if thing.get("kind") == "configuration" and normaliser in ("per-node", "per-server", "total", "unstated"):
            subject, count = thing.get("of") or subject, thing.get("count") or 0
        # a price that does not say of what it is may be of a machine
        elif normaliser not in ("per-chip", "per-gpu-hour"):
            return None, 0
        if not subject.startswith(("accelerator/", "family/", "superchip/")) or count < 1:
            return None, 0
        return subject, count

    def records(self) -> Iterator[MeasuredRecord]:
        """The rows as records of the derived set, sorted by id."""
        yield from sorted((*self.results(), *self.costs()), key=_id)

    def results(self) -> list[MeasuredRecord]:
        """Best rows, gains and efficiencies: what follows from the groups `rows|`, sorted by id."""
        best = self._chosen(Contenders.best)
        return sorted((*self._bests(best), *self._gains(best), *self._efficiencies()), key=_id)

    def costs(self) -> list[MeasuredRecord]:
        """What follows from the groups `cost|` and `price|`, sorted by id."""
        return sorted(self._costs(), key=_id)

    def _chosen(self, choose: Callable[[Contenders], Kept]) -> _Chosen:
        """One result of each accelerator in each cell."""
        return {
            cell: {name: choose(some) for name, some in contenders.items()}
            for cell, contenders in self._contenders.items()
        }

    def _bests(self, chosen: _Chosen) -> Iterator[MeasuredRecord]:
        earlier = self._earlier(chosen)
        for cell, best in chosen.items():
            for accelerator, one in best.items():
                listed = self._results[cell, accelerator]  # two tables of a round list the same results
                row = self._row("best", cell, one) | {
                    "value": float(one.value),
                    "unit": one.unit,
                    "results": max(listed.values()),
                }
                before = earlier.get((cell, accelerator))
                if before is not None:
                    row["previous_claim"], row["previous_round"] = before.claim, before.result.round or ""
                    row["change"] = float(one.value / before.value)
                yield row

    def _earlier(self, chosen: _Chosen) -> dict[tuple[Cell, str], Kept]:
        """The best of the round before, where the rules let the two be compared."""
        found: dict[tuple[Cell, str], Kept] = {}
        last: dict[tuple[str, str, str, str], Kept] = {}
        # in the order of rounds: `last` then holds the nearest round before in
        # which the accelerator was entered
        for cell in sorted(chosen, key=lambda cell: (round_order(cell[2]), cell)):
            for accelerator, one in chosen[cell].items():
                key = (cell[0], cell[1], cell[3], accelerator)
                before = last.get(key)
                if before is not None and self._may_compare(before, one):
                    found[cell, accelerator] = before
                last[key] = one
        return found

    def _may_compare(self, one: Kept, other: Kept) -> bool:
        return judge(one.result, other.result, self._rules).allowed

    def _gains(self, chosen: _Chosen) -> Iterator[MeasuredRecord]:
        largest = self._chosen(Contenders.best_of_largest)
        for cell, best in chosen.items():
            if self._superseded(cell):
                continue
            # a rack is compared as a system, even where a smaller one has more per accelerator
            systems = {one.claim: one for some in (best, largest[cell]) for one in some.values() if one.model}
            for name, other in combinations(sorted(systems), 2):
                one, two = systems[name], systems[other]
                if one.accelerator == two.accelerator or one.unit != two.unit or not self._may_compare(one, two):
                    continue
                # ids decide between equals, so that a row has the same id after every build
                fast, slow = (one, two) if (one.value, one.claim) >= (two.value, two.claim) else (two, one)
                yield self._row("gain", cell, fast, slow) | {
                    "value": float(fast.value / slow.value),
                    "unit": "1",
                    "per_system": float(fast.total / slow.total),
                    "inverse": float(slow.value / fast.value),
                    "inverse_per_system": float(slow.total / fast.total),
                    "against": slow.accelerator,
                    "against_accelerators": slow.accelerators,
                    "against_claim": slow.claim,
                }

    def _superseded(self, cell: Cell) -> bool:
        """Whether the same benchmark asks for more accuracy in another cell, which then speaks for both; edge systems are left out."""
        name, target = benchmark_of(cell[0])
        strict = cell[0][: -len("99")] + "99.9" if target == "99" else None
        return cell[3] == "edge" or (strict is not None and (strict, *cell[1:]) in self._contenders and bool(name))

    def _costs(self) -> Iterator[MeasuredRecord]:
        for cell, best in self._chosen(Contenders.best).items():
            for one in best.values():
                if one.unit != "token/s":
                    continue
                # one price has no high end: the shorter list decides, hence not strict
                for bound, price in zip(("low", "high"), self._price_of(one.accelerator), strict=False):
                    tokens = one.value * _HOUR / _MILLION
                    yield self._row("cost", cell, one, bound) | {
                        "value": float(price.hour / tokens),
                        "lower": float(price.lower / tokens),
                        "upper": float(price.upper / tokens),
                        "unit": "USD/Mtoken",
                        "price_claim": price.claim,
                        "bound": bound,
                    }

    def _price_of(self, accelerator: str) -> tuple[Price, ...]:
        """The lowest and the highest price of an accelerator, else of the series it belongs to."""
        for name in (
            accelerator,
            *sorted(self._subjects.above(accelerator), key=lambda one: self._subjects.kind(one) != "chip-family"),
        ):
            if name in self._prices and self._subjects.kind(name) != "architecture":
                low, high = self._prices[name]
                return (low,) if low == high else (low, high)
        return ()

    def _efficiencies(self) -> Iterator[MeasuredRecord]:
        measured = {key: run for key, run in self._powered.items() if key in self._powers}
        # a list that MLCommons made of a round repeats its entries without their ids
        entered = {(cell, *one.run) for cell, one in measured.values() if one.has_entry_id}
        for key, (cell, one) in measured.items():
            if one.unit == "token/s" and (one.has_entry_id or (cell, *one.run) not in entered):
                claim, watts = self._powers[key]
                yield self._row("efficiency", cell, one, claim) | {
                    "value": float(one.total / watts),
                    "unit": "token/J",
                    "power_claim": claim,
                }

    def _row(self, kind: str, cell: Cell, one: Kept, *more: object) -> MeasuredRecord:
        """What all rows say: of which accelerator, in which cell, from which claim."""
        distinct = [item.claim if isinstance(item, Kept) else str(item) for item in more]
        task, scenario, round_, category = cell
        row = {
            "record": "measured",
            "id": f"derived/{kind}/{short_hash([kind, *cell, one.accelerator, one.claim, *distinct])}",
            "kind": kind,
            "claim": one.claim,
            "accelerator": one.accelerator,
            "task": task,
            "model": one.model,
            "scenario": scenario,
            "round": round_,
            "category": category,
            "division": one.result.division,
            "availability": one.result.availability,
            "accelerators": one.accelerators,
            "submitter": one.submitter,
            "entry": one.entry,
        }
        return cast(MeasuredRecord, {name: value for name, value in row.items() if value not in (None, "")})


def _kind(record: ClaimRecord) -> str | None:
    """Whether a claim is a result, a price, or power measured with a result: what rows are computed from."""
    metric = record.get("metric")
    if metric == "rental-price":
        return "price" if record.get("relation", "absolute") == "absolute" else None
    if record.get("kind") != "measurement":
        return None
    if metric == "power":
        return "power" if run_of(record) is not None else None
    return "result" if metric == "throughput" and record.get("normaliser") == "per-chip" else None


def rows_group(task: str, scenario: str) -> str:
    """The group of results that are ranked and compared; a task that asks for more accuracy is of the group of the other.

    >>> rows_group("task/mlperf-llama2-70b-99.9", "scenario/offline")
    'rows|task/mlperf-llama2-70b|scenario/offline'
    """
    return f"rows|{task.removesuffix('-99.9').removesuffix('-99')}|{scenario}"


def group_of(row: MeasuredRecord) -> str:
    """The group that a row is computed in: that of its accelerator for a cost, else that of its benchmark."""
    return f"cost|{row['accelerator']}" if row["kind"] == "cost" else rows_group(row["task"], row["scenario"])


def _id(row: MeasuredRecord) -> str:
    return row["id"]
