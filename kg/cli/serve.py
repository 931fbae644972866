"""`kg serve`: the graph in a browser."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    StoreOptions,
    open_for_reading,
    spread,
    stop_deadline,
)

if TYPE_CHECKING:
    from kg.web.door import FrontDoor
    from kg.web.review_door import ReviewDesk
    from kg.web.site import Site


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(spread(serve))


def serve(
    *,
    options: StoreOptions,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="port to listen on; 0 takes a free one")] = 8000,
    host: Annotated[str, typer.Option("--host", help="address to listen on")] = "127.0.0.1",
    hosts: Annotated[
        list[str] | None, typer.Option("--allow-host", help="a further name of the server, as behind a proxy")
    ] = None,
    origins: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", help="a site whose scripts may read /sparql, /id, /dcat and /mcp; * for all"),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, help="seconds for a query at /sparql, which ends then")
    ] = 30.0,
    review: Annotated[
        Path | None,
        typer.Option(
            "--review", metavar="PROPOSALS.yaml", help="decide on a file of kg read at /review, as kg review does"
        ),
    ] = None,
    publisher: Annotated[
        str | None, typer.Option("--publisher", metavar="ID", help="with --review: who published the report")
    ] = None,
    published: Annotated[
        str | None, typer.Option("--published", metavar="DATE", help="with --review: the date that is printed")
    ] = None,
) -> None:
    """Pages of the graph on this machine, read-only but for --review: numbers, claims, things, comparisons, sources, problems, questions.

    A SPARQL endpoint is at /sparql, tools for assistant programs at /mcp, the things themselves at /id/…, the data set at
    /dcat. Runs until it is stopped with Ctrl-C; loads and builds beside it are followed.

    Example: kg serve --port 8000
    """
    import uvicorn
    from starlette.middleware import Middleware

    from kg.web.app import make_app
    from kg.web.connection import bounded_config
    from kg.web.endpoint import endpoint_door
    from kg.web.linked_data import linked_data_door
    from kg.web.listening import bound_socket, url_of
    from kg.web.query_pool import PoolLimits
    from kg.web.safety import AccessRules, RequestGuard
    from kg.web.warm_up import warm_door

    graph = open_for_reading(options.store, options.content, quiet=options.quiet)
    stop_deadline()
    rules = AccessRules(tuple(hosts or ()), tuple(origins or ()))
    limits = PoolLimits(seconds=timeout)
    with ExitStack() as stack:
        desk = None
        if review is not None:
            desk = stack.enter_context(_opened_review(review, (publisher, published), options.store, options.content))
        listening = bound_socket(host, port)
        listening.listen()  # who reads the next line may ask at once
        options.tell(f"serving on {url_of(listening)} (Ctrl-C stops)")
        doors = [lambda site: endpoint_door(graph, limits, site.current.state), warm_door, linked_data_door, *_tools()]
        if desk is not None:
            doors.append(_review(desk))
            print(f"review at {url_of(listening).rstrip('/')}{desk.start}", file=sys.stderr, flush=True)
        app = make_app(graph, doors=doors, middleware=[Middleware(RequestGuard, rules=rules)])
        uvicorn.Server(bounded_config(app)).run(sockets=[listening])


@contextmanager
def _opened_review(
    path: Path, details: tuple[str | None, str | None], store: str | None, content: str | None
) -> "Iterator[ReviewDesk]":
    """The review of a file, which nobody else reviews meanwhile."""
    import getpass

    from kg.build.locate import content_in_use
    from kg.build.reviewed import SourceDetails, open_keeper
    from kg.cli.review import alone_in_review
    from kg.reading.proposals_file import read_proposals
    from kg.reading.review import log_of, open_review
    from kg.web.review_door import ReviewDesk

    given = read_proposals(path)
    about = SourceDetails(publisher=details[0], published=details[1])
    keeper = open_keeper(content_in_use(store, content), given, details=about)
    with alone_in_review(log_of(path)):
        yield ReviewDesk(open_review(path, keeper, who=getpass.getuser(), proposals=given), keeper)


def _review(desk: "ReviewDesk") -> "Callable[[Site], FrontDoor]":
    from kg.web.review_door import review_door

    return lambda _: review_door(desk)


def _tools() -> "list[Callable[[Site], FrontDoor]]":
    """The tools for assistant programs at /mcp, where their package is installed."""
    try:
        from kg.mcp.over_http import http_tools
    except ModuleNotFoundError as cause:
        if (cause.name or "").partition(".")[0] != "mcp":
            raise
        return []
    from kg.web.door import FrontDoor

    return [lambda site: FrontDoor(*http_tools(site.read))]
