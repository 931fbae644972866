"""The command `kg`. `--help` and `--version` are answered before anything heavy is imported."""

import gc
import os
import sys
from pathlib import Path

from kg.__about__ import __version__
from kg.cli.shown import shown_streams

__all__ = ["main"]

_OBJECTS_BETWEEN_SEARCHES = 50_000


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with the code of the contract."""
    given = sys.argv[1:] if arguments is None else arguments
    _replace_closed()
    # nearly all that a command makes it keeps: a search for cycles every 700 objects took a twentieth of a build or an answer
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    with shown_streams():
        try:
            code = _main(given)
        except KeyboardInterrupt:  # before there is a command that could say so: the imports take a moment
            sys.stderr.write("stopped\n")
            code = 130
        if "_duckdb" not in sys.modules:  # its binding reports at the end, at length, what was not collected
            gc.freeze()  # the interpreter would search everything for cycles before it ends: a seventh of a short command
        sys.exit(code)


def _replace_closed() -> None:
    """A place for each standard stream that was closed: the next file would get its number.

    That of standard output takes nothing, so that an answer that nobody can get is an error and no success.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR)
            os.set_inheritable(handle, True)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))


def _main(given: list[str]) -> int:
    if not given or given == ["--help"] or given == ["-h"] or given == ["help"]:
        return _say((Path(__file__).parent / "help.txt").read_text(encoding="utf-8"))
    if given in (["--version"], ["-V"], ["version"]):
        return _say(f"kg {__version__}\n")
    # a program has no plugins of its models; looking for them reads what every installed package says of itself
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from kg.cli.app import run
    from kg.cli.process_limits import survived

    return survived(lambda: run(given))


def _say(text: str) -> int:
    """Write to standard output; a reader that has gone away is no mistake."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        from kg.errors import out_of_reach

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        refused = out_of_reach(error)
        sys.stderr.write(f"{refused}\n")
        return refused.exit_code
    return 0
