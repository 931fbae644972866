"""The RO-Crate validator of others, in an environment of its own: it needs other versions of what we use."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from filelock import FileLock

from tests.servers.artifacts import Unavailable, cache_folder, told_fetch

PACKAGE: Final = "roc-validator==0.13.0"
_DRIVER: Final = Path(__file__).parent / "crate_driver.py"


class CrateReport(NamedTuple):
    """What was checked, and what does not hold: severity, check, message."""

    checks: int
    issues: list[tuple[str, str, str]]


def _folder() -> Path:
    return cache_folder().parent / PACKAGE.replace("==", "-")


def _python() -> Path:
    return _folder() / "bin" / "python"


def fetch() -> None:
    """Make the environment where it is not there."""
    folder, python = _folder(), _python()
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = python.with_name("done")
    with FileLock(folder.with_suffix(".lock")):
        if done.exists():
            return
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE)
        for command in ([sys.executable, "-m", "venv", "--clear", str(folder)], [str(python), *pip]):
            ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
            if ran.returncode:
                raise Unavailable(f"{PACKAGE} could not be fetched: {ran.stderr.strip()[:300]}")
        done.touch()


def judged(crate: Path) -> CrateReport:
    """What the validator says of a crate, by the rules that must hold and those that should."""
    python, library = _python(), find_spec("rocrate")
    if not python.with_name("done").exists():
        raise Unavailable(f"{PACKAGE} is not fetched; run: python -m tests.outside.crate_validator")
    assert library is not None and library.origin is not None
    context = Path(library.origin).parent / "data" / "ro-crate.jsonld"
    command = [str(python), str(_DRIVER), str(crate), str(context)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stderr[-2000:]
    told = json.loads(ran.stdout)
    return CrateReport(told["checks"], [tuple(one) for one in told["issues"]])


if __name__ == "__main__":
    sys.exit(told_fetch(fetch, PACKAGE))
