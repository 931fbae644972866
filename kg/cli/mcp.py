"""`kg mcp`: the answers for an assistant program."""

from kg.cli.options import ContentOption, QuietOption, StoreOption, open_for_reading, stop_deadline, talker
from kg.render.display import MissingPackage


def mcp(store: StoreOption = None, content: ContentOption = None, quiet: QuietOption = False) -> None:
    """Answer an assistant program over standard input and output (Model Context Protocol), read-only, until it hangs up.

    Needs the extra `mcp`. `kg serve` gives the same tools over HTTP at /mcp.

    Example: kg mcp
    """
    try:
        from kg.mcp.server import make_server
    except ModuleNotFoundError as cause:
        raise missing_extra(cause) from cause
    from kg.web.current import current_graph
    from kg.web.site import Site

    graph = open_for_reading(store, content, quiet=quiet)
    stop_deadline()
    site = Site(current_graph(graph))
    talker(quiet)("answering on standard input and output")
    try:
        make_server(site.read).run("stdio")
    finally:
        site.current.close()


def missing_extra(cause: ModuleNotFoundError) -> MissingPackage:
    """The error for a package of the extra that is not installed; any other missing module is a mistake of the program."""
    if (cause.name or "").partition(".")[0] != "mcp":
        raise cause
    return MissingPackage(
        "needs the package mcp.", given="kg mcp", expected="the extra mcp", next_step="pip install 'accelkg[mcp]'"
    )
