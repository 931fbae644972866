"""Commands that write, killed with -9 at any moment: the store is readable at once, and done again it is what it should be.

Of `documents detach` that was done, done again is that the folder is not attached.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from kg.content.attached import known_folders
from tests.hostile.damage import RIGHT, answers, apart, made
from tests.small_content import ROOT, claim, write_lines, write_text

COMMANDS = ("build", "load", "load more", "documents attach", "documents detach")
_NOT_ATTACHED = 2


def _kg(store: Path, content: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "KG_STORE": str(store), "KG_CONTENT": str(content), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "from kg.cli import main; main()", *words, "--quiet"]
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment, stdout=nothing, stderr=nothing, start_new_session=True)


def kill(folder: Path, *, count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Kill so many commands; counts by what a reader saw, and what failed."""
    content, fresh = folder / "content", folder / "store"
    assert apart(made_in, folder) == RIGHT
    words = _commands(folder)
    assert _kg(fresh, content, "documents", "attach", words["documents detach"][-1]).wait() == 0
    right: dict[str, tuple[str, str]] = {}
    seconds: dict[str, float] = {}
    for name in COMMANDS:
        trial = _copy(fresh, folder / "trial")
        before = _read(trial, content, folder)
        began = time.monotonic()
        assert _kg(trial, content, *words[name]).wait() == 0
        seconds[name] = time.monotonic() - began
        right[name] = (before, _read(trial, content, folder))
    counts: Counter[str] = Counter()
    failed: list[str] = []
    for number in range(count):
        chance = random.Random(seed * 1_000_003 + number)
        name = chance.choice(COMMANDS)
        trial = _copy(fresh, folder / "trial")
        process = _kg(trial, content, *words[name])
        time.sleep(chance.uniform(0.1, 1.1) * seconds[name])
        ended = process.poll() is not None
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        seen = _read(trial, content, folder)
        again = _kg(trial, content, *words[name]).wait()
        after = _read(trial, content, folder)
        if name == "documents detach" and seen == right[name][1] and again == _NOT_ATTACHED:
            again = 0
        state = "as before" if seen == right[name][0] else "as after" if seen == right[name][1] else "another"
        counts.update({"tried": 1, name: 1, "killed": not ended, f"read at once: {state}": 1})
        if state == "another" or again or after != right[name][1]:
            failed.append(
                f"{name} (number {number}): read {state}, again {again}, right after: {after == right[name][1]}"
            )
    return counts, failed


def _commands(folder: Path) -> dict[str, tuple[str, ...]]:
    """The words of each command, with the files that they name."""
    files = {
        "load": write_lines(folder / "few.jsonl", claim("900/few")),
        "load more": write_lines(folder / "more.jsonl", *(claim(f"900/more-{n}") for n in range(2000))),
    }
    return {
        "build": ("build",),
        "documents attach": ("documents", "attach", str(write_text(folder / "second"))),
        "documents detach": ("documents", "detach", str(write_text(folder / "first"))),
        **{name: ("load", "claims", str(path), "--edition", "2026-01-02") for name, path in files.items()},
    }


def made_in(folder: Path) -> int:
    """As an exit status."""
    made(folder)
    return RIGHT


def _copy(store: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(store, to)
    return to


def _read(store: Path, content: Path, folder: Path) -> str:
    """What readers are told, by a process of its own; an empty text where that failed."""
    told = folder / "told"
    told.unlink(missing_ok=True)
    apart(_tell, store, content, told)
    return told.read_text("utf-8") if told.exists() else ""


def _tell(store: Path, content: Path, told: Path) -> int:
    attached = "\n".join(map(str, known_folders(store)))
    return RIGHT if told.write_text(f"{attached}\n{answers(store, content)}", "utf-8") else 1
