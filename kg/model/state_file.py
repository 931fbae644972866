"""The small JSON files in which a store keeps its state: each has a class, and what does not fit it is named with its file."""

from errno import EISDIR, ELOOP
from pathlib import Path
from typing import TypeVar

from kg.__about__ import RULES_VERSION, __version__
from kg.errors import StoreError
from kg.model.plain_json import Misfit, read_plain
from kg.model.special_file import MOST_OF_STATE, is_special, is_too_large

State = TypeVar("State")


class StateDamaged(StoreError):
    """A state file of a store does not have the form that was written."""

    code = "store.state"


class StoreNewer(StoreError):
    """A store was written by a newer version."""

    code = "store.newer"


def read_state(path: Path, model: type[State]) -> State | None:
    """What a state file says; None where there is none. Raises StateDamaged."""
    if is_special(path):
        raise StateDamaged(
            path=str(path), given="a device or a pipe", expected="a file", next_step="move it away, then run kg build"
        )
    if is_too_large(path):
        raise StateDamaged(
            path=str(path),
            given=f"a file of {path.stat().st_size:,} bytes",
            expected=f"at most {MOST_OF_STATE:,}",
            next_step="run kg build",
        )
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as cause:
        if cause.errno not in (EISDIR, ELOOP):
            raise
        is_folder = cause.errno == EISDIR
        raise StateDamaged(
            path=str(path),
            given="a folder" if is_folder else "a link in a circle",
            expected="a file",
            next_step="move it away, then run kg build" if is_folder else "run kg build",
        ) from cause
    try:
        return read_plain(text, model)
    except Misfit as cause:
        raise StateDamaged(
            path=str(path),
            field=cause.field or None,
            given="damaged",
            expected=cause.expected,
            next_step="run kg build",
        ) from cause


def refuse_newer(path: Path, version: str, rules: int = 0) -> None:
    """Refuse what a newer version wrote: this one would lose what it does not know."""
    if _number(version) > _number(__version__) or (version == __version__ and rules > RULES_VERSION):
        raise StoreNewer(
            path=str(path),
            given=f"written by accelkg {version}" + (f" with rules {rules}" if version == __version__ else ""),
            expected=f"a store of accelkg {__version__} or older",
            next_step="install the newer accelkg, or name another folder with --store",
        )


def _number(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with.

    >>> _number("0.1.0"), _number("2.10.dev3"), _number("")
    ((0, 1, 0), (2, 10), ())
    """
    numbers: list[int] = []
    for part in version.split("."):
        if not (part.isascii() and part.isdigit()):
            break
        # Nine digits are more than any version has; thousands would be refused by Python.
        numbers.append(int(part[:9]))
    return tuple(numbers)
