"""Programs of others that npm has: Comunica, and the inspector and conformance checks of MCP's authors. Kept in the user's cache."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tests.servers.artifacts import Unavailable, cache_folder, told_fetch


class NpmPackage(NamedTuple):
    """A package in the version that the tests run, each the newest that runs on Node 18 to 20."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    def is_installed(self, folder: Path) -> bool:
        """Whether it is there in this version."""
        try:
            told = json.loads((folder / "node_modules" / self.name / "package.json").read_text(encoding="utf-8"))
        except OSError:
            return False
        return bool(told["version"] == self.version)


PACKAGES: Final = {
    "mcp-inspector": NpmPackage("@modelcontextprotocol/inspector", "2.12.0"),
    "conformance": NpmPackage("@modelcontextprotocol/conformance", "0.1.13"),
    "comunica-sparql": NpmPackage("@comunica/query-sparql", "4.5.0"),
}
"""By the name of the program."""


def _folder() -> Path:
    return cache_folder().parent / "npm"


def npm_program(name: str) -> Path:
    """The program, if it was fetched."""
    if not PACKAGES[name].is_installed(_folder()):
        raise Unavailable(f"{PACKAGES[name]} is not fetched; run: python -m tests.servers.npm_programs")
    return _folder() / "node_modules" / ".bin" / name


def fetch() -> None:
    """Fetch what is missing."""
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is missing (Debian: npm)")
    folder = _folder()
    if all(one.is_installed(folder) for one in PACKAGES.values()):
        return
    folder.mkdir(parents=True, exist_ok=True)
    quietly = ("--no-audit", "--no-fund", "--no-package-lock", "--silent", "--prefix", ".")
    command = [npm, "install", *quietly, *map(str, PACKAGES.values())]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise Unavailable(f"npm could not fetch them: {done.stderr.strip()[:300]}")


if __name__ == "__main__":
    sys.exit(told_fetch(fetch, ", ".join(map(str, PACKAGES.values()))))
