"""What was measured on: a machine is described by its parts, never by its name."""

import os
import platform
import re
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = ("accelkg", "pyoxigraph", "ladybug", "rdflib", "duckdb", "orjson", "pydantic", "typer", "neo4j")


def machine() -> dict[str, Any]:
    """Processor, memory, system and versions."""
    return {
        "processor": _found("/proc/cpuinfo", r"model name\s*:\s*(.+)") or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": _memory(),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        "versions": {
            **{name: _version(name) for name in _PACKAGES},
            "sqlite": sqlite3.sqlite_version,
            "neo4j server": _neo4j(),
        },
    }


def load() -> float | None:
    """How many processes wanted a processor in the last minute."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def _found(path: str, pattern: str) -> str | None:
    try:
        found = re.search(pattern, Path(path).read_text(encoding="utf-8"))
    except OSError:
        return None
    return found[1].strip() if found else None


def _memory() -> float | None:
    kilobytes = _found("/proc/meminfo", r"MemTotal:\s*(\d+)")
    return round(int(kilobytes) / 1024**2, 1) if kilobytes else None


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _neo4j() -> str:
    from tests.servers.artifacts import Artifact

    found = Artifact("neo4j")
    return found.version if found.folder.is_dir() else "not fetched (make servers)"
