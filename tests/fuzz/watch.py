"""Inputs tried in a process that is watched: one over which it does not end, or that ends it, is a failure too, and kept."""

import json
import multiprocessing
import random
import tempfile
import time
import traceback
from collections.abc import MutableSequence
from hashlib import sha256
from multiprocessing.sharedctypes import RawArray
from pathlib import Path

from tests.fuzz.targets import Bench, Target, again, made

CORPUS = Path(__file__).parent / "corpus"
_NONE = -1
_START = 120.0
"""Seconds a process may take until its first input: it builds a store."""
Shared = MutableSequence[int]
"""The seed of the input at hand and the number of its target, then for each target how many were tried and how many failed."""


def fuzz(
    targets: dict[str, Target], seconds: float, seed: int, *, most: float, corpus: Path = CORPUS
) -> dict[str, int]:
    """Try inputs until the time is over; returns how many of each target were tried and failed."""
    shared: Shared = RawArray("q", 2 + 2 * len(targets))
    shared[0] = seed
    until = time.monotonic() + seconds
    context = multiprocessing.get_context("spawn")  # a fork would lack the threads of an engine that is already open
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            shared[1] = _NONE
            process = context.Process(target=_try_until, args=(targets, until, shared, folder, corpus))
            process.start()
            before = (_NONE, _NONE)
            started = time.monotonic()
            while process.is_alive() and shared[1] == _NONE and time.monotonic() - started < _START:
                process.join(0.2)
            while process.is_alive() and before != (shared[0], shared[1]):
                before = shared[0], shared[1]
                process.join(most)
            if process.is_alive():
                process.kill()
                process.join()
                told = f"did not end in {most:g} s"
            elif process.exitcode:
                told = f"ended the process with {process.exitcode}"
            else:
                break
            _keep_failed(list(targets), shared, corpus, told)
    tried = {name: shared[2 + 2 * number] for number, name in enumerate(targets)}
    return tried | {f"{name}: failed": shared[3 + 2 * number] for number, name in enumerate(targets)}


def _try_until(targets: dict[str, Target], until: float, shared: Shared, folder: str, corpus: Path) -> None:
    seen: set[str] = set()
    bench = Bench(Path(tempfile.mkdtemp(dir=folder)))
    while True:  # once at least, however long the start took
        for number, (name, target) in enumerate(targets.items()):
            shared[1] = number
            shared[0] += 1
            shared[2 + 2 * number] += 1
            try:
                target(bench, _input(name, random.Random(shared[0]), corpus))
            except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
                place = traceback.extract_tb(error.__traceback__)[-1]
                what = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
                if what in seen:
                    shared[3 + 2 * number] += 1
                else:
                    seen.add(what)
                    _keep_failed(list(targets), shared, corpus, f"{what}: {str(error)[:200]}")
        if time.monotonic() >= until:
            return


def _keep_failed(names: list[str], shared: Shared, corpus: Path, told: str) -> None:
    """Count, tell and keep the input at hand."""
    seed, number = shared[0], shared[1]
    assert number != _NONE, f"before the first input: {told}"
    shared[3 + 2 * number] += 1
    print(f"{names[number]} seed {seed}: {told}", flush=True)
    keep(names[number], _input(names[number], random.Random(seed), corpus), corpus)


def _input(name: str, chance: random.Random, corpus: Path) -> object:
    """A new input, or at times one of the corpus that is changed."""
    kept = sorted((corpus / name).glob("*.json"))
    if kept and chance.random() < 0.2:
        return again(json.loads(chance.choice(kept).read_text("ascii")), chance)
    return made(name, chance)


def keep(name: str, given: object, corpus: Path = CORPUS) -> None:
    """Put an input into the corpus, where the tests find it."""
    text = json.dumps(given, indent=1, sort_keys=True) + "\n"
    folder = corpus / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{sha256(text.encode()).hexdigest()[:12]}.json").write_text(text, "ascii")
