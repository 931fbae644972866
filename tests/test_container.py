"""The container file: built by an engine where there is one, else its steps are done one by one in a folder.

The steps are those of the file, read from it: the same files are copied, the same commands run, with each absolute path of
the image moved below the folder. What an engine does beside them (layers, the user, the network) is not tried that way.
"""

import json
import os
import re
import shlex
import shutil
import site
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "deploy" / "Containerfile"
_KNOWN = ("FROM", "COPY", "RUN", "ENV", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD")


def steps() -> list[tuple[str, str]]:
    """The instructions of the file with what is given to them."""
    lines = re.sub(r"\\\n", " ", FILE.read_text(encoding="utf-8")).splitlines()
    parted = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [(name, given.strip()) for name, _, given in parted]


@dataclass
class Image:
    """A folder that stands for the root of an image."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)
    last: dict[str, list[str]] = field(default_factory=dict)

    def moved(self, text: str) -> str:
        """A command or path with the absolute paths of the image below the folder."""
        return re.sub(r"(?<![\w.:/])/(src|dist|tools|opt)\b", lambda found: f"{self.root}/{found[1]}", text)

    def copy(self, given: str, stages: dict[str, "Image"]) -> None:
        words = shlex.split(given)
        origin = stages[words.pop(0).partition("=")[2]].root if words[0].startswith("--from=") else ROOT
        start, goal = origin / words[0].lstrip("/"), Path(self.moved(words[1]))
        goal.parent.mkdir(parents=True, exist_ok=True)
        if start == ROOT:
            tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
            for name in tracked.decode().split("\0"):
                if name and not name.startswith(("tests/", "benchmarks/")) and (ROOT / name).is_file():
                    (goal / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / name, goal / name)
        elif start.is_dir():
            shutil.copytree(start, goal, dirs_exist_ok=True)
        else:
            shutil.copy2(start, goal)

    def run(self, command: str) -> None:
        """A step; packages come from the environment of the tests, since no test asks a registry."""
        if command.startswith("useradd"):
            return
        command = self.moved(command)
        command = re.sub(
            r"(?<= )(?=hatchling$)|--quiet --constraint \S+ (?=\S+\.whl)", "--no-deps --no-index ", command
        )
        if command.endswith(" hatchling"):  # comes with the environment below
            command = command.partition(" && ")[0]
        made = re.sub(
            r"\bpython -m venv (\S+)", lambda one: f"{sys.executable} -m venv {one[1]} && {self._lend(one[1])}", command
        )
        environment = {**os.environ, **self.environment, "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(["sh", "-ec", made], env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{made}\n{done.stdout}\n{done.stderr}"
        self.ran.append(command)

    def _lend(self, venv: str) -> str:
        """A line that lets an environment see the packages of this one."""
        code = "import site, sys; open(site.getsitepackages()[0] + '/lent.pth', 'w').write(sys.argv[1])"
        return f"{venv}/bin/python -c {shlex.quote(code)} {shlex.quote(site.getsitepackages()[0])}"


# The steps make an environment, install the wheel and build a store, as `test_packaging` does: the file itself is read in
# every run, its steps are done in the long one.
@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """The last stage, after all steps."""
    stages: dict[str, Image] = {}
    current = Image(tmp_path_factory.mktemp("nothing"))
    for name, given in steps():
        if name == "FROM":
            words = given.split()
            current = Image(tmp_path_factory.mktemp("stage"))
            stages[words[2] if len(words) == 3 else ""] = current
        elif name == "COPY":
            current.copy(given, stages)
        elif name == "RUN":
            current.run(given)
        elif name == "ENV":
            key, _, value = given.partition("=")
            current.environment[key] = current.moved(value)
        elif name in ("ENTRYPOINT", "CMD"):
            current.last[name] = [current.moved(one) for one in json.loads(given)]
    return current


def test_the_file_has_no_instruction_that_the_test_does_not_do() -> None:
    assert {name for name, _ in steps()} <= set(_KNOWN)
    assert ("USER", "accelkg") in steps(), "it does not run as root"


def test_an_engine_builds_it() -> None:
    for engine in ("docker", "podman", "buildah"):
        if shutil.which(engine) and subprocess.run([engine, "info"], capture_output=True).returncode == 0:
            command = [engine, "build", "-f", str(FILE), "-t", "accelkg-test", str(ROOT)]
            assert subprocess.run(command, capture_output=True, timeout=900).returncode == 0
            return
    pytest.skip("no container engine runs here: its steps are done one by one instead")


@pytest.mark.long
def test_the_image_answers_from_the_store_that_is_in_it(image: Image) -> None:
    assert [one for one in image.ran if one.endswith("kg build --quiet")]
    environment = {**os.environ, **image.environment, "PYTHONPATH": ""}
    command = [*image.last["ENTRYPOINT"], "trace", "72428"]
    done = subprocess.run(command, cwd=image.root, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "wrong" in done.stdout.splitlines()[0]
    assert "building" not in done.stderr
    module = subprocess.run(
        [str(Path(command[0]).with_name("python")), "-c", "import kg; print(kg.__file__)"],
        cwd=image.root,
        env=environment,
        capture_output=True,
        text=True,
    ).stdout
    assert module.startswith(str(image.root)), "what was installed answers, not the checkout"


@pytest.fixture
def served(image: Image) -> Iterator[str]:
    port = str(free_port())
    command = [*image.last["ENTRYPOINT"], *image.last["CMD"]]
    command[command.index("--port") + 1] = port
    command[command.index("--host") + 1] = "127.0.0.1"
    environment = {**os.environ, **image.environment, "PYTHONPATH": ""}
    process = subprocess.Popen(
        command, cwd=image.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.long
def test_the_command_of_the_image_serves_pages(served: str) -> None:
    for _ in range(200):
        with suppress(OSError), urllib.request.urlopen(f"{served}/number/72428", timeout=5) as answer:
            assert answer.status == 200 and b"4,023.78" in answer.read()
            return
        time.sleep(0.1)
    pytest.fail("no page within twenty seconds")
