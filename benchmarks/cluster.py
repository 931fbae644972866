"""A build on a Spark cluster beside the local build of the same ledger: time, processor time, shuffle, memory, skew.

    python -m benchmarks.cluster [--claims 10000 100000] [--executors 1 2] [--json FILE] [--folder FOLDER]

A master and workers run as processes on the loopback address, out of the pyspark wheel (extra `spark`, Java 17), with one
core and 2 GB each. Every build is a `kg build` of its own; the derived sets are compared, and a difference ends with exit 1.
Processor time is that of the driver, and of everything in the sessions of the workers: executors and their Python. Peak
memory is the largest resident size of an executor with its Python, looked at twice a second. Shuffle and tasks are read
from Spark's own event log. Workers and driver share this machine's cores: with more executors than cores nothing is gained.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.capacity import make_store
from kg.build.build import StorePlace
from kg.ledger.derived import derived_set
from tests.build.spark_cluster import Cluster, running_cluster

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE_MB: Final = os.sysconf("SC_PAGE_SIZE") / 2**20
_EVERY_SECONDS: Final = 0.5
_LEAST_TASKS: Final = 4
"""Stages of fewer tasks say nothing about skew."""


@dataclass(frozen=True, slots=True)
class BuildFigures:
    """One build. Seconds of the wall clock and of all processors; MB are 2^20 bytes for memory, 10^6 for shuffle."""

    claims: int
    executors: int
    """0: the local build."""
    seconds: float
    processor_seconds: float
    peak_memory_mb: float
    """Of one executor; of the whole process for the local build."""
    shuffle_mb: float = 0.0
    longest_task: float = 0.0
    """The longest task of a stage over the median of its stage, the worst of all stages."""
    equal: bool = True


@dataclass(slots=True)
class SessionWatch:
    """What the processes of a worker's session take."""

    session: int
    peak_mb: float = 0.0
    _ended: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        """Look again and again until told to end."""
        while not self._ended.wait(_EVERY_SECONDS):
            sizes = [one[1] for one in self._processes() if one[2] != self.session]
            self.peak_mb = max(self.peak_mb, sum(sizes))

    def end(self) -> None:
        self._ended.set()

    def processor_seconds(self) -> float:
        """Of all that runs in the session, and of what ended in it."""
        return sum(one[0] for one in self._processes())

    def _processes(self) -> Iterator[tuple[float, float, int]]:
        """Processor seconds, resident MB and the id of each process of the session."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, _, rest = path.read_text().rpartition(")")
            except OSError:
                continue  # it ended meanwhile
            cells = rest.split()
            if int(cells[3]) == self.session:
                # 11 to 14: user and system ticks of itself and of the children it waited for; 21: resident pages
                yield sum(map(int, cells[11:15])) / _TICKS, int(cells[21]) * _PAGE_MB, int(name.split()[0])


def kg_build(store: Path, events: Path | None = None, on: str | None = None) -> tuple[float, float, float]:
    """Seconds, processor seconds and peak MB of a `kg build` in a process of its own."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    if events is not None:
        environment["SPARK_CONF_DIR"] = str(_logging_to(events))
    command = [sys.executable, "-m", "kg", "build", "--quiet", "--store", str(store), *(["--on", on] if on else [])]
    started, before = perf_counter(), _children()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return perf_counter() - started, _children() - before, after.ru_maxrss / 1024


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _logging_to(events: Path) -> Path:
    """A folder of settings with which Spark writes what its tasks did as plain lines."""
    events.mkdir(parents=True)
    conf = events.with_name(f"{events.name}.conf")
    conf.mkdir()
    lines = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
    }
    (conf / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in lines.items()))
    return conf


def tasks_of(events: Path) -> tuple[float, float]:
    """MB that went through shuffles, and the longest task over the median of its stage."""
    shuffled, stages = 0, defaultdict[int, list[int]](list)
    for path in events.iterdir():
        for line in path.read_text("utf-8").splitlines():
            event = json.loads(line)
            metrics = event.get("Task Metrics") if event["Event"] == "SparkListenerTaskEnd" else None
            if metrics:
                shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                stages[event["Stage ID"]].append(metrics["Executor Run Time"])
    ratios = [max(some) / max(median(some), 1) for some in stages.values() if len(some) >= _LEAST_TASKS]
    return shuffled / 1e6, max(ratios, default=0.0)


@contextmanager
def watched(cluster: Cluster) -> Iterator[list[SessionWatch]]:
    """Watches over the workers of a cluster."""
    watches = [SessionWatch(worker.pid) for worker in cluster.workers]
    threads = [threading.Thread(target=one.watch, daemon=True) for one in watches]
    for thread in threads:
        thread.start()
    try:
        yield watches
    finally:
        for watch, thread in zip(watches, threads, strict=True):
            watch.end()
            thread.join()


def lines_of(store: Path) -> list[bytes]:
    """The derived set, in one order."""
    live = StorePlace(store).rdf.current()
    assert live is not None
    return sorted(derived_set(store / "ledger" / "derived", live[1]["head"], live[1]["rules"]))


def measure(claims: int, executors: list[int], folder: Path) -> Iterator[BuildFigures]:
    """The local build of a ledger of synthetic claims, then the same on clusters of so many executors."""
    ledger = folder / "made"
    make_store(ledger, claims)
    local = folder / "local"
    shutil.copytree(ledger, local)
    seconds, processor, peak = kg_build(local)
    yield BuildFigures(claims, 0, seconds, processor, peak)
    expected = lines_of(local)
    shutil.rmtree(local)
    for number in executors:
        store, events = folder / f"spread-{number}", folder / f"events-{number}"
        shutil.copytree(ledger, store)
        with running_cluster(folder / f"cluster-{number}", workers=number) as cluster, watched(cluster) as watches:
            idle = sum(one.processor_seconds() for one in watches)
            seconds, processor, _ = kg_build(store, events, cluster.address)
            processor += sum(one.processor_seconds() for one in watches) - idle
            peak = max(one.peak_mb for one in watches)
        shuffled, longest = tasks_of(events)
        yield BuildFigures(
            claims, number, seconds, processor, peak, shuffled, longest, equal=lines_of(store) == expected
        )
        shutil.rmtree(store)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--claims", type=int, nargs="+", default=[10_000])
    parser.add_argument("--executors", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--folder", type=Path, help="where stores are made; a temporary folder by default")
    given = parser.parse_args()
    rows: list[BuildFigures] = []
    for claims in given.claims:
        with tempfile.TemporaryDirectory(prefix="accelkg-cluster-", dir=given.folder) as folder:
            for row in measure(claims, given.executors, Path(folder)):
                rows.append(row)
                print(json.dumps(asdict(row)), flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in rows], indent=1) + "\n")
    return 0 if all(one.equal for one in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
