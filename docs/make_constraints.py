"""Renew `constraints.txt`: the versions that a fresh environment with the base and the test extra gets today.

Name and version only, never an address: the file works with whatever package index a machine is set up for.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = """\
# Versions that accelkg is tested with, for the base and the test extra; renewed by: make constraints
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python")
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", f"{ROOT}[test]"], check=True, cwd=folder)
        frozen = subprocess.run(
            [*pip, "freeze", "--exclude", "accelkg"], check=True, capture_output=True, text=True
        ).stdout
    pins = sorted(frozen.split(), key=str.lower)
    odd = [pin for pin in pins if pin.count("==") != 1]
    if odd:
        sys.exit(f"not a plain name==version: {', '.join(odd)}")
    (ROOT / "constraints.txt").write_text(HEADER + "\n".join(pins) + "\n", encoding="utf-8")
    print(f"{len(pins)} versions written to constraints.txt")


if __name__ == "__main__":
    main()
