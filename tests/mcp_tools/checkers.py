"""The inspector and the conformance checks of the protocol's authors: fetched with npm into the user's cache, never committed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.servers.artifacts import Unavailable, cache_folder

PACKAGES = {
    "mcp-inspector": "@modelcontextprotocol/inspector@2.12.0",
    "conformance": "@modelcontextprotocol/conformance@0.1.13",  # the newest that runs on Node 20
}


def _folder() -> Path:
    return cache_folder().parent / "npm"


def checker(name: str) -> Path:
    """The program, if it was fetched."""
    path = _folder() / "node_modules" / ".bin" / name
    if not path.exists():
        raise Unavailable(f"{PACKAGES[name]} is not fetched; run: python -m tests.mcp_tools.checkers")
    return path


def fetch() -> None:
    """Fetch what is missing."""
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is missing (Debian: npm)")
    if all((_folder() / "node_modules" / ".bin" / name).exists() for name in PACKAGES):
        return
    _folder().mkdir(parents=True, exist_ok=True)
    command = [
        npm,
        "install",
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
        "--silent",
        "--prefix",
        ".",
        *PACKAGES.values(),
    ]
    done = subprocess.run(command, cwd=_folder(), capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise Unavailable(f"npm could not fetch them: {done.stderr.strip()[:300]}")


if __name__ == "__main__":
    try:
        fetch()
        print(f"ready: {', '.join(PACKAGES.values())}")
    except Unavailable as why:
        print(f"not available: {why}")
        sys.exit(1 if os.environ.get("KG_REQUIRE_SERVERS") == "1" else 0)
