"""The Java artifacts of the servers: fetched with Maven into a cache folder, and compared with the list that is kept here.

Tests never fetch: `python -m tests.servers.prepare` does. A cache folder is complete or it is not there.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

HERE = Path(__file__).resolve().parent
FETCHED = ("neo4j", "fuseki", "prov", "schemas")


class Unavailable(Exception):
    """A server cannot be had here; the text says why."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """One server that Maven fetches."""

    name: str

    @property
    def pom(self) -> Path:
        return HERE / self.name / "pom.xml"

    @property
    def kept(self) -> Path:
        """The list of files and digests that a fetch must give."""
        return HERE / self.name / "resolved.txt"

    @property
    def version(self) -> str:
        found = re.search(r"\.version>([^<]+)</", self.pom.read_text(encoding="utf-8"))
        assert found is not None
        return found[1]

    @property
    def folder(self) -> Path:
        """Where the files lie; its name changes with the pom."""
        digest = sha256(self.pom.read_bytes()).hexdigest()[:8]
        return cache_folder() / f"{self.name}-{self.version}-{digest}"

    def jars(self) -> Path:
        """The folder of jars, if it was fetched whole."""
        if not self.folder.is_dir():
            raise Unavailable(f"{self.name} {self.version} is not fetched; run: make servers")
        return self.folder

    def fetch(self, *, update: bool = False) -> Path:
        """Fetch what is missing; a list that differs from the kept one is refused, or with `update` kept anew."""
        cache_folder().mkdir(parents=True, exist_ok=True)
        with FileLock(cache_folder() / f"{self.name}.lock"):
            if self.folder.is_dir() and not update:
                return self.folder
            maven = shutil.which("mvn")
            if maven is None:
                raise Unavailable("Maven is missing (Debian: maven)")
            with tempfile.TemporaryDirectory(dir=cache_folder()) as beside:
                lib = Path(beside) / "lib"
                done = subprocess.run(
                    [
                        maven,
                        "-B",
                        "-ntp",
                        "-q",
                        "-f",
                        str(self.pom),
                        "dependency:copy-dependencies",
                        "-DincludeScope=runtime",
                        f"-DoutputDirectory={lib}",
                    ],
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=900,
                )
                if done.returncode or not lib.is_dir():
                    told = [line for line in done.stdout.splitlines() if "ERROR" in line]
                    raise Unavailable(f"Maven could not fetch it: {(told or ['no reason given'])[0][:300]}")
                self._compare(lib, update=update)
                shutil.rmtree(self.folder, ignore_errors=True)
                lib.rename(self.folder)
        return self.folder

    def _compare(self, lib: Path, *, update: bool) -> None:
        given = [f"{one.name} {sha256(one.read_bytes()).hexdigest()}" for one in sorted(lib.glob("*.jar"))]
        if update:
            self.kept.write_text("\n".join(given) + "\n", encoding="utf-8")
        kept = self.kept.read_text(encoding="utf-8").splitlines()
        if given != kept:
            other = sorted(set(given) ^ set(kept))
            raise Unavailable(
                f"{len(other)} files differ from {self.kept.name}, first {other[0]}; look at them, then: python -m tests.servers.prepare --update"
            )


def told_fetch(fetch: Callable[[], object], what: str) -> int:
    """Fetch and say whether it is there; the exit code, 1 only where a missing program is a failure."""
    try:
        fetch()
    except Unavailable as why:
        print(f"not available: {why}")
        return 1 if os.environ.get("KG_REQUIRE_SERVERS") == "1" else 0
    print(f"ready: {what}")
    return 0


def cache_folder() -> Path:
    """Where fetched servers are kept between runs."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "accelkg" / "servers"


SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Options of Java: a program of a test runs for seconds or minutes, and the second compiler costs more than it saves there."""


def java() -> str:
    """A Java of version 17 or newer."""
    found = shutil.which("java")
    if found is None:
        raise Unavailable("java is missing (Debian: openjdk-17-jre-headless)")
    told = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', told)
    if version is None or int(version[1]) < 17:
        raise Unavailable(f"Java 17 or newer is needed, this is: {told.splitlines()[0] if told else 'unknown'}")
    return found


def fetch_all() -> None:
    """Fetch what is missing of all artifacts."""
    java()
    for name in FETCHED:
        Artifact(name).fetch()


if __name__ == "__main__":
    sys.exit(told_fetch(fetch_all, ", ".join(FETCHED)))
