"""Runs steps, each in a process of its own, peers in turn, and keeps what they measured."""

import gc
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.parts.build import KG
from benchmarks.parts.part import Meter, Part, Step, Unavailable, Work
from benchmarks.parts.registry import STEPS
from benchmarks.parts.world import IS_THERE, MAKERS, code_digest

ROOT: Final = Path(__file__).resolve().parents[2]
UNAVAILABLE: Final = 3
Tell = Callable[[str], None]
Json = dict[str, Any]
Measure = Callable[[Step, Work], Json]
"""Gives what was measured, or `failed` with the reason."""
ONCE_FROM: Final = 1_000_000
"""From so many claims on, everything runs once: a build takes longer than the noise between two."""


def run_here(name: str, work: Work, *, tries: int) -> int:
    """What the process of one step does: measure, and print it as one line of JSON."""
    meter = Meter(tries=tries, out=work.folder / f"{name}.partial.json")
    gc.set_threshold(50_000)  # as `kg` does, whose command line the steps go round; for the peers as well
    try:
        STEPS[name].run(work, meter)
    except Unavailable as why:
        sys.stderr.write(f"{why}\n")
        return UNAVAILABLE
    print(json.dumps(meter.to_json()))
    return 0


def ended(partial: Path, deadline_seconds: float) -> Json:
    """What is known of a step that was ended: its answers so far, and that the last question takes longer than it was given."""
    failed = f"ended after {deadline_seconds:,.0f} s"
    try:
        known: Json = json.loads(partial.read_bytes())
    except FileNotFoundError:
        return {"failed": failed}
    name, waited = known.pop("pending"), deadline_seconds - known.pop("since")
    known["seconds"][name] = waited
    return {"failed": f"{failed}: {name} had no answer after {waited:,.0f} s", "measured": known, "bound": name}


@dataclass(slots=True)
class Runner:
    """One benchmark: sizes, parts and what came out so far."""

    folder: Path
    parts: Sequence[Part]
    sizes: Sequence[int]
    repeats: int
    tries: int
    deadline_seconds: float
    keep: bool
    tell: Tell
    save: Callable[[], None] = lambda: None
    without: frozenset[str] = frozenset()
    """Steps that are left out."""
    measure: "Measure | None" = None
    """How a step is run; by default in a process of its own."""
    found: dict[int, dict[str, Json]] = field(default_factory=dict)
    """By size and step: `runs`, and `failed` where something went wrong."""

    def run(self) -> None:
        """Everything, smallest size first."""
        for size in self.sizes:
            work = Work(self.folder / str(size), size)
            work.folder.mkdir(parents=True, exist_ok=True)
            if (work.folder / "world.json").exists() and work.told().get("code") != code_digest():
                raise SystemExit(f"{work.folder}: made by other code than this; remove the folder")
            self.found.setdefault(size, {})
            for part in self.parts:
                self._part(part, work)
            if not self.keep:
                shutil.rmtree(work.folder, ignore_errors=True)

    def _part(self, part: Part, work: Work) -> None:
        done = {name for name, kept in self.found[work.claims].items() if kept.get("finished")}
        steps = [one for one in part.steps if one.name not in done]
        for turn in range(self.repeats if work.claims < ONCE_FROM else 1):
            for step in steps:
                kept = self.found[work.claims].setdefault(step.name, {"runs": []})
                if "failed" in kept or len(kept["runs"]) > (0 if step.once else turn):
                    continue
                if step.most is not None and work.claims > step.most:
                    kept["failed"] = f"not run beyond {step.most:,} claims: {step.why}"
                elif step.name in self.without:
                    kept["failed"] = "left out"
                elif self._is_ready(step, work, kept):
                    self._step(step, work, kept)
        for step in steps:
            self.found[work.claims][step.name]["finished"] = True

    def _is_ready(self, step: Step, work: Work, kept: Json) -> bool:
        for name in step.needs:
            if IS_THERE[name](work).exists():
                continue
            maker = KG if name == "store" else MAKERS[name]
            made = self.found[work.claims].setdefault(maker.name, {"runs": []})
            if "failed" not in made and self._is_ready(maker, work, made):
                self._step(maker, work, made)
            if not IS_THERE[name](work).exists():
                kept["failed"] = f"{name} could not be made: {made.get('failed', 'no reason given')}"
                return False
        return True

    def _step(self, step: Step, work: Work, kept: Json) -> None:
        self.tell(f"{work.claims:>9,} {step.name}")
        told = (self.measure or self.spawned)(step, work)
        if "measured" in told:
            kept["runs"].append(told.pop("measured"))
        if "failed" in told:
            kept.update(told)
            self.tell(f"{'':>9} {step.name}: {told['failed']}")
        else:
            kept["runs"].append(told)
        self.save()

    def spawned(self, step: Step, work: Work) -> Json:
        """Run a step in a process of its own."""
        command = [
            sys.executable,
            "-m",
            "benchmarks",
            "--step",
            step.name,
            "--work",
            str(work.folder),
            "--sizes",
            str(work.claims),
            "--tries",
            str(self.tries),
        ]
        environment = {**os.environ, "XDG_DATA_HOME": str(work.folder / "user"), "PYTHONHASHSEED": "0"}
        environment.pop("KG_STORE", None)
        deadline = min(self.deadline_seconds, step.deadline_seconds or self.deadline_seconds)
        partial = work.folder / f"{step.name}.partial.json"
        partial.unlink(missing_ok=True)
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, told = process.communicate(timeout=deadline)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return ended(partial, deadline)
        if process.returncode == 0:
            measured: Json = json.loads(out.splitlines()[-1])
            return measured
        if process.returncode < 0:
            return {"failed": f"broke: ended from outside by signal {-process.returncode}", "broke": True}
        last = (told.strip().splitlines() or ["no reason given"])[-1]
        if process.returncode == UNAVAILABLE:
            return {"failed": last}
        return {"failed": f"broke: {last}", "broke": True}
