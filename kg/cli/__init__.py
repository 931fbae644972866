"""The command `kg`. `--help` and `--version` are answered before anything heavy is imported."""

import os
import sys
from pathlib import Path

from kg.__about__ import __version__

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with the code of the contract."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given == ["--help"] or given == ["-h"] or given == ["help"]:
        sys.exit(_say((Path(__file__).parent / "help.txt").read_text(encoding="utf-8")))
    if given in (["--version"], ["-V"], ["version"]):
        sys.exit(_say(f"kg {__version__}\n"))
    from kg.cli.app import run

    sys.exit(run(given))


def _say(text: str) -> int:
    """Write to standard output; a reader that has gone away is no mistake."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
