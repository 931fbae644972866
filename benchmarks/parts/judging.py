"""From runs to medians, from medians to goals met or not; a time counts only with the rows that the others give."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.parts.part import Goal, Part

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Medians:
    """The runs of a benchmark, with what was answered differently."""

    found: Mapping[int, Mapping[str, Json]]
    wrong: Mapping[tuple[int, str], str]
    """By size and step: why its times do not count."""

    @classmethod
    def of(cls, found: Mapping[int, Mapping[str, Json]]) -> "Medians":
        """Compare the answers of all steps at every size."""
        return cls(
            found, {(size, step): why for size, steps in found.items() for step, why in disagreeing(steps).items()}
        )

    @property
    def sizes(self) -> Sequence[int]:
        return sorted(self.found)

    def _median(self, size: int, step: str, kind: str, name: str) -> float | None:
        if (size, step) in self.wrong:
            return None
        runs = self.found.get(size, {}).get(step, {}).get("runs", ())
        values = [one[kind][name] for one in runs if name in one[kind]]
        return median(values) if values else None

    def seconds(self, size: int, step: str, name: str) -> float | None:
        return self._median(size, step, "seconds", name)

    def cpu(self, size: int, step: str, name: str) -> float | None:
        return self._median(size, step, "cpu", name)

    def count(self, size: int, step: str, name: str) -> float | None:
        return self._median(size, step, "counts", name)

    def answer(self, size: int, step: str, name: str) -> str | None:
        runs = self.found.get(size, {}).get(step, {}).get("runs", ())
        return runs[-1]["answers"].get(name) if runs and (size, step) not in self.wrong else None

    def is_bound(self, size: int, step: str) -> bool:
        return bool(self.found.get(size, {}).get(step, {}).get("bound"))

    def counts(self, size: int, step: str) -> dict[str, float]:
        """All counts of a step."""
        runs = self.found.get(size, {}).get(step, {}).get("runs", ())
        return dict(runs[-1]["counts"]) if runs else {}

    def memory(self, size: int, step: str) -> float | None:
        runs = self.found.get(size, {}).get(step, {}).get("runs", ())
        return median(one["memory"] for one in runs) if runs and (size, step) not in self.wrong else None


def disagreeing(steps: Mapping[str, Json]) -> dict[str, str]:
    """Steps that answered something otherwise than most of those who were asked it; where there is no most, all of them.

    >>> run = lambda rows: {"runs": [{"answers": {"q": rows}}]}
    >>> disagreeing({"a": run("1 rows"), "b": run("1 rows"), "c": run("2 rows")})
    {'c': 'q: 2 rows, but 1 rows from a, b'}
    >>> sorted(disagreeing({"a": run("1 rows"), "c": run("2 rows")}))
    ['a', 'c']
    """
    given: dict[str, dict[str, set[str]]] = {}
    for step, kept in steps.items():
        for run in kept.get("runs", ()):
            for name, answer in run["answers"].items():
                given.setdefault(name, {}).setdefault(step, set()).add(answer)
    wrong: dict[str, str] = {}
    for name, by_step in given.items():
        votes = Counter(answer for answers in by_step.values() for answer in answers)
        (most, count), *others = votes.most_common()
        is_tie = bool(others) and others[0][1] == count
        right = [step for step, answers in by_step.items() if answers == {most}]
        for step, answers in by_step.items():
            if is_tie or answers != {most}:
                shown, rest = " and ".join(sorted(answers)), [one for one in right if one != step]
                wrong[step] = f"{name}: {shown}" + (f", but {most} from {', '.join(rest)}" if rest else "")
    return wrong


def judged(parts: Iterable[Part], medians: Medians) -> list[Json]:
    """Every goal with its figure at every size, and a verdict at the size it is set for, or the largest one measured."""
    return [{"part": part.name, **_judged(goal, medians)} for part in parts for goal in part.goals]


def _judged(goal: Goal, medians: Medians) -> Json:
    figures = {size: found for size in medians.sizes if (found := goal.figure(medians, size)) is not None}
    cpu = {size: goal.cpu(medians, size) for size in figures} if goal.cpu else {}
    at = goal.size if goal.size in figures else max(figures, default=None)
    row: Json = {
        "what": goal.what, "against": goal.against, "goal": goal.goal, "stretch": goal.stretch, "size": goal.size, "unit": goal.unit,
        "remark": goal.remark, "figures": {str(size): figure for size, figure in figures.items()},
        "cpu": {str(size): figure for size, figure in cpu.items() if figure is not None}, "at": at,
    }  # fmt: skip
    if at is None:
        return {**row, "verdict": "not measured", "why": _why(goal, medians)}
    ended = [one for one in goal.steps if medians.is_bound(at, one)]
    bound = {"bound": "; ".join(str(medians.found[at][one]["failed"]) for one in ended)} if ended else {}
    return {**row, **bound, "verdict": verdict(figures[at], goal.goal, goal.stretch)}


def verdict(figure: float, goal: float | None, stretch: float | None) -> str:
    """How a figure stands to its goal; less is better.

    >>> verdict(1.0, 1.1, 0.8), verdict(0.7, 1.1, 0.8), verdict(1.2, 1.1, None), verdict(3.0, None, None)
    ('met', 'stretch met', 'missed', 'for comparison')
    """
    if goal is None:
        return "for comparison"
    if stretch is not None and figure <= stretch:
        return "stretch met"
    return "met" if figure <= goal else "missed"


def _why(goal: Goal, medians: Medians) -> str:
    """What stood in the way at the wanted size, or at the largest one."""
    size = goal.size if goal.size in medians.found else max(medians.sizes, default=0)
    steps = medians.found.get(size, {})
    told = [f"{one}: rows differ ({medians.wrong[size, one]})" for one in goal.steps if (size, one) in medians.wrong]
    told += [f"{one}: {steps[one]['failed']}" for one in goal.steps if "failed" in steps.get(one, {})]
    return "; ".join(told) or "too few sizes, or too few claims for a question"
