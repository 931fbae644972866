"""An input over which a process does not end, or that ends it, is found and kept."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.endings import ends, raises, sleeps
from tests.fuzz.targets import TARGETS, Target
from tests.fuzz.watch import fuzz


@pytest.mark.parametrize(
    ("target", "told"),
    [(sleeps, "did not end in 2 s"), (ends, "ended the process with 9"), (raises, "ValueError at endings.py")],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_does_not_end_well_is_kept(
    target: Target, told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    counts = fuzz({"printed": target}, 1, 7_000_000, most=2, corpus=tmp_path)
    assert counts["printed: failed"] == counts["printed"] > 0
    assert told in capfd.readouterr().out
    assert list((tmp_path / "printed").glob("*.json"))


def test_every_target_can_be_handed_to_a_process() -> None:
    assert pickle.loads(pickle.dumps(dict(TARGETS))).keys() == TARGETS.keys()


def test_the_program_tries_inputs() -> None:
    command = [sys.executable, "-m", "tests.fuzz", "printed", "--seconds", "1", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["printed"] > 0 == counts["printed: failed"]
