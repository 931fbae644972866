"""The command `kg`. `--help` and `--version` are answered before anything heavy is imported."""

import codecs
import io
import os
import sys
from json import dumps
from pathlib import Path

from kg.__about__ import __version__

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with the code of the contract."""
    given = sys.argv[1:] if arguments is None else arguments
    _take_any_character()
    if not given or given == ["--help"] or given == ["-h"] or given == ["help"]:
        sys.exit(_say((Path(__file__).parent / "help.txt").read_text(encoding="utf-8")))
    if given in (["--version"], ["-V"], ["version"]):
        sys.exit(_say(f"kg {__version__}\n"))
    from kg.cli.app import run
    from kg.cli.process_limits import survived

    sys.exit(survived(lambda: run(given)))


def _take_any_character() -> None:
    """Characters that the encoding of an output does not have are written as JSON and Python escape them."""
    codecs.register_error("kg.escape", _escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="kg.escape")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    given = error.object[error.start : error.end]
    signs = ("-" if "\u2500" <= sign <= "\u257f" else dumps(sign)[1:-1] for sign in given)  # lines of tables are lines
    return "".join(signs), error.end


def _say(text: str) -> int:
    """Write to standard output; a reader that has gone away is no mistake."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
