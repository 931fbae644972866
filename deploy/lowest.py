"""The lowest version that `pyproject.toml` allows of each dependency, as constraints for pip; with --check, what is installed.

Run by `make test-lowest`. Tools that only the tests need are not held: they are no promise to a user.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_BOUND = re.compile(r"(?P<name>[A-Za-z0-9._-]+)>=(?P<version>[0-9.]+)")
_APART = frozenset({"spark", "test"})
"""Extras that are not held: a cluster of its own, and the tools of the tests."""


def lowest() -> Iterator[tuple[str, str]]:
    """Name and lowest version of what the program and its extras need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    stated = [*project["dependencies"], *(one for name in sorted(extras) if name not in _APART for one in extras[name])]
    for one in sorted(set(stated)):
        bound = _BOUND.fullmatch(one)
        if bound is None:
            sys.exit(f"pyproject.toml: {one} has no lowest version")
        yield bound["name"], bound["version"]


def is_version(installed: str, wanted: str) -> bool:
    """Whether an installed version is the wanted one, which leaves out what is zero.

    >>> is_version("3.0.0", "3"), is_version("3.0.1", "3")
    (True, False)
    """
    one, other = ([int(part) for part in re.findall(r"\d+", text)] for text in (installed, wanted))
    return one[: len(other)] == other and not any(one[len(other) :])


def main() -> None:
    """Print, or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what this Python has installed")
    if not parser.parse_args().check:
        print("".join(f"{name}=={version}\n" for name, version in lowest()), end="")
        return
    other = [f"{name} {has}, not {low}" for name, low in lowest() if not is_version(has := metadata.version(name), low)]
    if other:
        sys.exit(f"not the lowest: {', '.join(other)}")


if __name__ == "__main__":
    main()
