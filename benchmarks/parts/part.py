"""What a benchmark is made of: steps that measure in processes of their own, and goals that divide what they measured.

A step names what it needs (`world`, `store`, `triples`, `graph`, `tables`); whoever runs it makes that first. What it
measures and what it was answered go into a `Meter`: times count only where all who were asked the same gave the same rows.
"""

import resource
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, Protocol

import orjson

Rows = Iterable[Sequence[object]]
TRIES: Final = 7
"""How often one process asks a question, after a first time that does not count."""
PATIENCE_SECONDS: Final = 20.0
"""A question is not asked again when its tries took so long in all."""
LONGEST_SECONDS: Final = 600.0
"""A question that took so long the first time is not asked again: that time counts."""


class Unavailable(Exception):
    """A peer cannot be had here; the text says why."""


@dataclass(frozen=True, slots=True)
class Work:
    """The folder of one size, and where in it lies what the steps share."""

    folder: Path
    claims: int

    @property
    def records(self) -> Path:
        """The records of the world, one a line, without revisions."""
        return self.folder / "records.jsonl"

    @property
    def store(self) -> Path:
        """A built store, with the property graph where a step needed it."""
        return self.folder / "store"

    @property
    def triples(self) -> Path:
        """The finished RDF view as N-Triples."""
        return self.folder / "view.nt"

    @property
    def tables(self) -> Path:
        """The same facts as tables, for SQL."""
        return self.folder / "tables"

    def told(self) -> dict[str, Any]:
        """What the maker of the world says about it: counts, and what to ask."""
        value: dict[str, Any] = orjson.loads((self.folder / "world.json").read_bytes())
        return value


def digest(rows: Rows) -> str:
    """How many rows there are, and a digest of them in any order; figures with twelve digits.

    >>> digest([("a", 1), ("b", 2.0)]) == digest([("b", 2), ("a", 1.0000000000001)])
    True
    """
    lines = sorted("\t".join(_plain(cell) for cell in row) for row in rows)
    return f"{len(lines)} rows {sha256(chr(10).join(lines).encode()).hexdigest()[:16]}"


def _plain(cell: object) -> str:
    if cell is None or isinstance(cell, bool):
        return str(cell)
    return f"{float(cell):.12g}" if isinstance(cell, int | float) else str(cell)


def megabytes(folder: Path) -> float:
    """What the files of a folder, or a file, take on disk."""
    files = folder.rglob("*") if folder.is_dir() else iter((folder,))
    return sum(one.stat().st_size for one in files if one.is_file()) / 1e6


def consumed() -> float:
    """Processor seconds of this process and of the children it waited for."""
    both = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in both)


def peak_megabytes() -> float:
    """The most memory that this process, or one child of it, has held."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024


@dataclass(slots=True)
class Meter:
    """What one run of a step measured: seconds by name, processor seconds by name, digests of answers, counts."""

    seconds: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)
    tries: int = TRIES
    out: Path | None = None
    """Where to write what is known so far, for a process that may be ended."""
    started: float = field(default_factory=perf_counter)
    served: bool = False
    """Whether a server of another program does the work: its memory is not this process's, and not comparable."""

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Time what stands inside, once."""
        used, started = consumed(), perf_counter()
        yield
        self.seconds[name] = perf_counter() - started
        self.cpu[name] = consumed() - used

    def ask(self, name: str, question: Callable[[], Rows], *, warm_up_seconds: float = 0.0) -> None:
        """Ask once, or for so long, to warm up, and keep the digest; then time it: the median of some tries.

        With a single try nothing is warmed up for longer: such a run looks at rows, not at times.
        """
        self._keep(pending=name)
        began, used = perf_counter(), consumed()
        self.answers[name] = digest(list(question()))
        first, first_cpu = perf_counter() - began, consumed() - used
        while self.tries > 1 and perf_counter() - began < warm_up_seconds:
            for _ in question():
                pass
        used = consumed()
        warm: list[float] = []
        while len(warm) < self.tries and sum(warm) < PATIENCE_SECONDS and first < LONGEST_SECONDS:
            started = perf_counter()
            for _ in question():
                pass
            warm.append(perf_counter() - started)
        self.seconds[name] = median(warm or [first])
        self.cpu[name] = (consumed() - used) / len(warm) if warm else first_cpu

    def _keep(self, *, pending: str) -> None:
        """Write what is known, and since when a question waits for its answer."""
        if self.out is not None:
            told = {**self.to_json(), "pending": pending, "since": perf_counter() - self.started}
            self.out.write_bytes(orjson.dumps(told))

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "seconds": self.seconds,
            "cpu": self.cpu,
            "answers": self.answers,
            "counts": self.counts,
            "memory": None if self.served else peak_megabytes(),
        }


@dataclass(frozen=True, slots=True)
class Step:
    """One peer doing one thing in a process of its own."""

    name: str
    """`part.peer`; the peer is what a table shows."""
    run: Callable[[Work, Meter], None]
    needs: tuple[str, ...] = ()
    most: int | None = None
    """The largest size at which it is run; beyond, it would take hours or more memory than there is."""
    why: str = ""
    """Why there is a largest size."""
    deadline_seconds: float | None = None
    """A shorter deadline than that of the whole run."""
    once: bool = False
    """Whether one run is enough: it repeats by itself, or makes what others need."""


class Measured(Protocol):
    """The medians of a whole run."""

    @property
    def sizes(self) -> Sequence[int]:
        """The numbers of claims, smallest first."""
        ...

    def seconds(self, size: int, step: str, name: str) -> float | None:
        """Seconds, if the step was run and its answer holds."""
        ...

    def cpu(self, size: int, step: str, name: str) -> float | None:
        """The processor seconds of the same."""
        ...

    def memory(self, size: int, step: str) -> float | None:
        """The peak of memory in megabytes."""
        ...

    def answer(self, size: int, step: str, name: str) -> str | None:
        """The digest of an answer."""
        ...

    def count(self, size: int, step: str, name: str) -> float | None:
        """A count."""
        ...


@dataclass(frozen=True, slots=True)
class Goal:
    """One line of the list of goals; less is better in all of them."""

    what: str
    against: str
    goal: float | None
    """None: for comparison only."""
    stretch: float | None
    size: int
    """The number of claims for which the goal is set."""
    figure: Callable[[Measured, int], float | None]
    """The figure that is compared with the goal, at a size."""
    steps: tuple[str, ...]
    """What the figure is made of; the last one is what is divided by."""
    names: tuple[str, ...] = ()
    """The questions whose seconds the figure is made of; none: whatever the steps measure."""
    unit: str = ""
    cpu: Callable[[Measured, int], float | None] | None = None
    """The same of processor seconds, where it makes sense."""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What can be selected: steps and the goals that follow from them."""

    name: str
    title: str
    steps: tuple[Step, ...]
    goals: tuple[Goal, ...]
    curves: tuple[tuple[str, str], ...] = ()
    """What is drawn over the sizes: step and name of its seconds."""


def ratio(over: tuple[str, str], under: tuple[str, str]) -> Callable[[Measured, int], float | None]:
    """Seconds of one step over those of another: `("build.kg", "build")`."""

    def figure(measured: Measured, size: int) -> float | None:
        return quotient(measured.seconds(size, *over), measured.seconds(size, *under))

    return figure


def cpu_ratio(over: tuple[str, str], under: tuple[str, str]) -> Callable[[Measured, int], float | None]:
    """The same of processor seconds."""

    def figure(measured: Measured, size: int) -> float | None:
        return quotient(measured.cpu(size, *over), measured.cpu(size, *under))

    return figure


def quotient(over: float | None, under: float | None) -> float | None:
    """One figure over another, if both are there.

    >>> quotient(1.0, 4.0), quotient(None, 1.0), quotient(1.0, 0.0)
    (0.25, None, None)
    """
    return over / under if over is not None and under else None


def compared(
    what: str,
    against: str,
    over: tuple[str, str],
    under: tuple[str, str],
    *,
    goal: float | None,
    stretch: float | None,
    size: int,
    remark: str = "",
) -> Goal:
    """A goal for a plain ratio of two steps."""
    return Goal(
        what,
        against,
        goal,
        stretch,
        size,
        ratio(over, under),
        (over[0], under[0]),
        (over[1], under[1]),
        cpu=cpu_ratio(over, under),
        remark=remark,
    )
