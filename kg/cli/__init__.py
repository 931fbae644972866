"""The command `kg`. `--help` and `--version` are answered before anything heavy is imported."""

import sys
from pathlib import Path

from kg.__about__ import __version__

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with the code of the contract."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given == ["--help"] or given == ["-h"] or given == ["help"]:
        sys.stdout.write((Path(__file__).parent / "help.txt").read_text(encoding="utf-8"))
        sys.exit(0)
    if given in (["--version"], ["-V"], ["version"]):
        sys.stdout.write(f"kg {__version__}\n")
        sys.exit(0)
    from kg.cli.app import run

    sys.exit(run(given))
