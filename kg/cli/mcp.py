"""`kg mcp`: the answers for an assistant program."""

import os
import sys

from kg.cli.options import ContentOption, QuietOption, StoreOption, open_for_reading, stop_deadline, talker
from kg.cli.shown import say
from kg.render.display import MissingPackage


def mcp(store: StoreOption = None, content: ContentOption = None, quiet: QuietOption = False) -> None:
    """Answer an assistant program over standard input and output (Model Context Protocol), read-only, until it hangs up.

    Needs the extra `mcp`. `kg serve` gives the same tools over HTTP at /mcp.

    Example: kg mcp
    """
    try:
        from kg.mcp.over_stdio import SECONDS_AFTER_END, serve_stdio
    except ModuleNotFoundError as cause:
        raise missing_extra(cause) from cause
    from kg.web.current import current_graph
    from kg.web.site import Site

    graph = open_for_reading(store, content, quiet=quiet)
    stop_deadline()
    site = Site(current_graph(graph))
    talker(quiet)("answering on standard input and output")
    try:
        given_up = serve_stdio(site.read, sys.stdin.fileno(), _own_output())
    except KeyboardInterrupt:
        say("stopped")
        # A call that runs goes on in its thread, and the interpreter would wait for it.
        os._exit(130)
    if given_up:
        say(
            f"{given_up} of the calls had no answer {SECONDS_AFTER_END:g} s after the end of the input. Accepted: calls that end "
            "within this time, or an input that stays open\n  kg explain query.deadline"
        )
        os._exit(3)
    site.current.close()


def _own_output() -> int:
    """Standard output for answers alone: what anything else writes there goes to standard error."""
    answers = os.dup(sys.stdout.fileno())
    os.dup2(2, 1)
    return answers


def missing_extra(cause: ModuleNotFoundError) -> MissingPackage:
    """The error for a package of the extra that is not installed; any other missing module is a mistake of the program."""
    if (cause.name or "").partition(".")[0] != "mcp":
        raise cause
    return MissingPackage(
        "needs the package mcp.", given="kg mcp", expected="the extra mcp", next_step="pip install 'accelkg[mcp]'"
    )
