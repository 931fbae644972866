"""`kg serve`: the graph in a browser."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import StoreOptions, open_for_reading, stop_deadline, user_name
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.cli.served_app import ServedApp
    from kg.session import Graph
    from kg.web.door import FrontDoor
    from kg.web.review_door import ReviewDesk
    from kg.web.site import Site


@dataclass(frozen=True, slots=True)
class ServeOptions(StoreOptions):
    """Where is listened, who may ask, and what is served besides the pages."""

    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="port to listen on; 0 takes a free one")] = 8000
    host: Annotated[str, typer.Option("--host", help="address to listen on")] = "127.0.0.1"
    hosts: Annotated[
        list[str] | None, typer.Option("--allow-host", help="a further name of the server, as behind a proxy")
    ] = None
    origins: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin", help="a site whose scripts may read /sparql, /id, /data, /dcat and /mcp; * for all"
        ),
    ] = None
    query_seconds: Annotated[
        float, typer.Option("--timeout", min=0.1, help="seconds for a query at /sparql, which ends then")
    ] = 30.0
    workers: Annotated[
        int,
        typer.Option(
            "--workers", min=1, max=64, help="processes that share the port; several for many readers on many cores"
        ),
    ] = 1
    review: Annotated[
        Path | None,
        typer.Option(
            "--review", metavar="PROPOSALS.yaml", help="decide on a file of kg read at /review, as kg review does"
        ),
    ] = None
    publisher: Annotated[
        str | None, typer.Option("--publisher", metavar="NAME", help="with --review: who published the report")
    ] = None
    published: Annotated[
        str | None, typer.Option("--published", metavar="DATE", help="with --review: the date that is printed")
    ] = None


def serve(*, options: ServeOptions) -> None:
    """Pages of the graph on this machine, read-only but for --review: numbers, claims, things, comparisons, sources, problems, questions.

    A SPARQL endpoint is at /sparql, tools for assistant programs at /mcp, the things themselves at /id/…, the data set at
    /dcat. Runs until it is stopped with Ctrl-C; loads and builds beside it are followed.

    Example: kg serve --port 8000
    """
    import uvicorn

    from kg.web.connection import bounded_config
    from kg.web.listening import bound_socket, url_of
    from kg.web.processes import serve_in_processes

    if options.review is not None and options.workers > 1:
        raise _one_process_for_a_review(options.workers)
    graph = open_for_reading(options.store, options.content, quiet=options.quiet)
    # Opening had to end in time; serving ends with Ctrl-C.
    stop_deadline()
    app = _app(graph, options)
    with ExitStack() as stack:
        desk = None if options.review is None else stack.enter_context(_opened_review(options.review, options))
        listening = bound_socket(options.host, options.port)
        listening.listen()  # who reads the next line may ask at once
        options.tell(f"serving on {url_of(listening)} (Ctrl-C stops)")
        if desk is not None:
            print(f"review at {url_of(listening).rstrip('/')}{desk.start}", file=sys.stderr, flush=True)
        if options.workers > 1:
            graph.close()
            serve_in_processes(app, listening, options.workers)
        else:
            doors = [] if desk is None else [_review(desk)]
            uvicorn.Server(bounded_config(app.on(graph, doors))).run(sockets=[listening])


def _app(graph: "Graph", options: ServeOptions) -> "ServedApp":
    """What each process serves: the store, who may read it, and how many queries run at once."""
    from kg.cli.served_app import ServedApp
    from kg.web.query_pool import PoolLimits
    from kg.web.safety import AccessRules

    most = PoolLimits().processes
    # each of several workers has a pool of its own: together they run about as many queries as one server would
    most = most if options.workers == 1 else max(2, most // options.workers)
    store = str(graph.folder) if graph.server is None else options.store or ""
    access = AccessRules(tuple(options.hosts or ()), tuple(options.origins or ()))
    return ServedApp(store, options.content, access, PoolLimits(processes=most, seconds=options.query_seconds))


def _one_process_for_a_review(workers: int) -> UsageError:
    return UsageError(
        field="--workers",
        given=f"{workers} with --review",
        expected="one process for a review, whose decisions are made one after another",
        next_step="serve the pages with --workers, and the review by a second kg serve with another --port",
    )


@contextmanager
def _opened_review(path: Path, options: ServeOptions) -> "Iterator[ReviewDesk]":
    """The review of a file, which nobody else reviews meanwhile."""
    from kg.build.locate import content_in_use
    from kg.build.reviewed import open_keeper
    from kg.build.source_details import SourceDetails
    from kg.cli.review import alone_in_review
    from kg.reading.proposals_file import read_proposals
    from kg.reading.review import open_review
    from kg.reading.review_log import log_of
    from kg.web.review_door import ReviewDesk

    given = read_proposals(path)
    about = SourceDetails(publisher=options.publisher, published=options.published)
    keeper = open_keeper(content_in_use(options.store, options.content), given, details=about)
    with alone_in_review(log_of(path)):
        yield ReviewDesk(open_review(path, keeper, who=user_name(), proposals=given), keeper)


def _review(desk: "ReviewDesk") -> "Callable[[Site], FrontDoor]":
    from kg.web.review_door import review_door

    return lambda _: review_door(desk)
