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
    wrong: Mapping[tuple[int, str], Mapping[str, str]]
    """By size and step: which of its answers were others than those of most, and what they were."""

    @classmethod
    def of(cls, found: Mapping[int, Mapping[str, Json]]) -> "Medians":
        """Compare the answers of all steps at every size."""
        return cls(
            found, {(size, step): why for size, steps in found.items() for step, why in disagreeing(steps).items()}
        )

    @property
    def sizes(self) -> Sequence[int]:
        return sorted(self.found)

    def turns(self) -> int:
        """How often peers took turns, at most."""
        return max((len(kept["runs"]) for steps in self.found.values() for kept in steps.values()), default=0)

    def turn(self, number: int) -> "Medians":
        """One turn alone; of a step that ran less often its last run."""
        found = {
            size: {step: {**kept, "runs": kept["runs"][: number + 1][-1:]} for step, kept in steps.items()}
            for size, steps in self.found.items()
        }
        return Medians(found, self.wrong)

    def _runs(self, size: int, step: str, name: str | None = None) -> Sequence[Json]:
        """The runs that count: none of a step that broke, and none where the answer was another one.

        An answer that is no question of its own (how many triples there are) speaks for the whole step.
        """
        kept = self.found.get(size, {}).get(step, {})
        runs: Sequence[Json] = () if kept.get("broke") else kept.get("runs", ())
        others = self.wrong.get((size, step), {})
        asked = {one for run in runs for one in run["seconds"]}
        return () if name in others or (others and (name is None or not set(others) <= asked)) else runs

    def _median(self, size: int, step: str, kind: str, name: str) -> float | None:
        values = [one[kind][name] for one in self._runs(size, step, name) if name in one[kind]]
        return median(values) if values else None

    def seconds(self, size: int, step: str, name: str) -> float | None:
        return self._median(size, step, "seconds", name)

    def cpu(self, size: int, step: str, name: str) -> float | None:
        return self._median(size, step, "cpu", name)

    def count(self, size: int, step: str, name: str) -> float | None:
        return self._median(size, step, "counts", name)

    def answer(self, size: int, step: str, name: str) -> str | None:
        runs = self._runs(size, step, name)
        return runs[-1]["answers"].get(name) if runs else None

    def bound(self, size: int, step: str, names: Sequence[str] = ()) -> str | None:
        """Why the seconds of a step are only known to be more: it was ended while it was asked one of these (none: anything)."""
        kept = self.found.get(size, {}).get(step, {})
        return str(kept["failed"]) if kept.get("bound") and (not names or kept["bound"] in (True, *names)) else None

    def counts(self, size: int, step: str) -> dict[str, float]:
        """All counts of a step."""
        runs = self.found.get(size, {}).get(step, {}).get("runs", ())
        return dict(runs[-1]["counts"]) if runs else {}

    def memory(self, size: int, step: str) -> float | None:
        values = [one["memory"] for one in self._runs(size, step) if one["memory"] is not None]
        return median(values) if values else None


def code_of(step: str) -> str:
    """Whose code makes the rows of a step: those in SQL are written apart, all others read what kg's questions give.

    >>> code_of("lookup.sqlite"), code_of("lookup.rdflib"), code_of("cold-start.all")
    ('sqlite', 'kg', 'kg')
    """
    peer = step.partition(".")[2]
    return peer if peer in ("sqlite", "duckdb", "orjson") else "kg"


def disagreeing(steps: Mapping[str, Json]) -> dict[str, dict[str, str]]:
    """Answers that are others than those of most; where there is no most, all of them. By step and question.

    Each code has one vote, and steps of one code decide only where codes do not: five steps that run the same code are no
    five witnesses.

    >>> run = lambda rows: {"runs": [{"answers": {"q": rows}}]}
    >>> disagreeing({"a": run("1 rows"), "b": run("1 rows"), "c": run("2 rows")})
    {'c': {'q': '2 rows, but 1 rows from a, b'}}
    >>> sorted(disagreeing({"a": run("1 rows"), "c": run("2 rows")}))
    ['a', 'c']
    >>> sorted(disagreeing({"a": run("1"), "b": run("1"), "c": run("1"), "x.sqlite": run("2"), "x.duckdb": run("2")}))
    ['a', 'b', 'c']
    """
    given: dict[str, dict[str, set[str]]] = {}
    for step, kept in steps.items():
        for run in kept.get("runs", ()):
            for name, answer in run["answers"].items():
                given.setdefault(name, {}).setdefault(step, set()).add(answer)
    wrong: dict[str, dict[str, str]] = {}
    for name, by_step in given.items():
        codes = Counter(
            answer for _, answer in {(code_of(step), one) for step, some in by_step.items() for one in some}
        )
        alike = Counter(answer for answers in by_step.values() for answer in answers)
        votes = sorted(((codes[answer], alike[answer], answer) for answer in alike), reverse=True)
        most, is_tie = votes[0][2], len(votes) > 1 and votes[1][:2] == votes[0][:2]
        right = [step for step, answers in by_step.items() if answers == {most}]
        for step, answers in by_step.items():
            if is_tie or answers != {most}:
                shown, rest = " and ".join(sorted(answers)), [one for one in right if one != step]
                told = shown + (f", but {most} from {', '.join(rest)}" if rest else "")
                wrong.setdefault(step, {})[name] = told
    return wrong


def told_wrong(answers: Mapping[str, str]) -> str:
    """Wrong answers in one line."""
    return "; ".join(f"{name}: {why}" for name, why in answers.items())


def judged(parts: Iterable[Part], medians: Medians) -> list[Json]:
    """Every goal with its figure at every size, and a verdict at the size it is set for.

    At the largest one measured where that size was not run; where it was run and something went wrong there is no verdict.
    """
    return [{"part": part.name, **_judged(goal, medians)} for part in parts for goal in part.goals]


def _judged(goal: Goal, medians: Medians) -> Json:
    figures = {size: found for size in medians.sizes if (found := goal.figure(medians, size)) is not None}
    cpu = {size: goal.cpu(medians, size) for size in figures} if goal.cpu else {}
    at = goal.size if goal.size in figures or _went_wrong(goal, medians) else max(figures, default=None)
    turns = [medians.turn(number) for number in range(medians.turns())] if medians.turns() > 1 else []
    spread = {
        str(size): [min(each), max(each)]
        for size in figures
        if len(each := [one for turn in turns if (one := goal.figure(turn, size)) is not None]) > 1
    }
    row: Json = {
        "what": goal.what,
        "against": goal.against,
        "goal": goal.goal,
        "stretch": goal.stretch,
        "size": goal.size,
        "unit": goal.unit,
        "remark": goal.remark,
        "figures": {str(size): figure for size, figure in figures.items()},
        "cpu": {str(size): figure for size, figure in cpu.items() if figure is not None},
        "spread": spread,
        "at": at,
    }
    if at is None or at not in figures:
        return {**row, "at": None, "verdict": "not measured", "why": _why(goal, medians)}
    *over, under = ((medians.bound(at, step, goal.names), step) for step in goal.steps)
    told = verdict(figures[at], goal.goal, goal.stretch)
    if ended := "; ".join(why for why, _ in over if why and len(goal.steps) > 1):
        return {
            **row,
            "bound": ended,
            "sign": ">",
            "verdict": told if told in ("missed", "for comparison") else "not measured",
            "why": ended,
        }
    if under[0] and len(goal.steps) > 1:
        return {**row, "bound": under[0], "sign": "<", "verdict": told}
    return {**row, "verdict": told}


def _went_wrong(goal: Goal, medians: Medians) -> bool:
    """Whether the size that a goal is set for was run, and a step of it broke or gave other rows."""
    steps = medians.found.get(goal.size, {})
    return any((goal.size, one) in medians.wrong or steps.get(one, {}).get("broke") for one in goal.steps)


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
    told = [
        f"{one}: rows differ ({told_wrong(medians.wrong[size, one])})"
        for one in goal.steps
        if (size, one) in medians.wrong
    ]
    told += [f"{one}: {steps[one]['failed']}" for one in goal.steps if "failed" in steps.get(one, {})]
    return "; ".join(told) or "too few sizes, or too few claims for a question"
