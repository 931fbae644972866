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
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.web.door import FrontDoor
    from kg.web.review_door import ReviewDesk
    from kg.web.site import Site


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(spread(serve))


_HostsOption = Annotated[
    list[str] | None, typer.Option("--allow-host", help="a further name of the server, as behind a proxy")
]
_OriginsOption = Annotated[
    list[str] | None,
    typer.Option("--allow-origin", help="a site whose scripts may read /sparql, /id, /data, /dcat and /mcp; * for all"),
]
_TimeoutOption = Annotated[
    float, typer.Option("--timeout", min=0.1, help="seconds for a query at /sparql, which ends then")
]
_WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers", min=1, max=64, help="processes that share the port; several for many readers on many cores"
    ),
]
_ReviewOption = Annotated[
    Path | None,
    typer.Option(
        "--review", metavar="PROPOSALS.yaml", help="decide on a file of kg read at /review, as kg review does"
    ),
]
_PublisherOption = Annotated[
    str | None, typer.Option("--publisher", metavar="ID", help="with --review: who published the report")
]
_PublishedOption = Annotated[
    str | None, typer.Option("--published", metavar="DATE", help="with --review: the date that is printed")
]


def serve(
    *,
    options: StoreOptions,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="port to listen on; 0 takes a free one")] = 8000,
    host: Annotated[str, typer.Option("--host", help="address to listen on")] = "127.0.0.1",
    hosts: _HostsOption = None,
    origins: _OriginsOption = None,
    timeout: _TimeoutOption = 30.0,
    workers: _WorkersOption = 1,
    review: _ReviewOption = None,
    publisher: _PublisherOption = None,
    published: _PublishedOption = None,
) -> None:
    """Pages of the graph on this machine, read-only but for --review: numbers, claims, things, comparisons, sources, problems, questions.

    A SPARQL endpoint is at /sparql, tools for assistant programs at /mcp, the things themselves at /id/…, the data set at
    /dcat. Runs until it is stopped with Ctrl-C; loads and builds beside it are followed.

    Example: kg serve --port 8000
    """
    import uvicorn

    from kg.cli.served_app import ServedApp
    from kg.web.connection import bounded_config
    from kg.web.listening import bound_socket, url_of
    from kg.web.processes import serve_in_processes
    from kg.web.query_pool import PoolLimits
    from kg.web.safety import AccessRules

    if review is not None and workers > 1:
        raise _one_process_for_a_review(workers)
    graph = open_for_reading(options.store, options.content, quiet=options.quiet)
    stop_deadline()
    most = PoolLimits().processes
    most = most if workers == 1 else max(2, most // workers)
    store = str(graph.folder) if graph.server is None else options.store or ""
    app = ServedApp(
        store,
        options.content,
        AccessRules(tuple(hosts or ()), tuple(origins or ())),
        PoolLimits(processes=most, seconds=timeout),
    )
    with ExitStack() as stack:
        desk = None
        if review is not None:
            desk = stack.enter_context(_opened_review(review, (publisher, published), options.store, options.content))
        listening = bound_socket(host, port)
        listening.listen()  # who reads the next line may ask at once
        options.tell(f"serving on {url_of(listening)} (Ctrl-C stops)")
        if desk is not None:
            print(f"review at {url_of(listening).rstrip('/')}{desk.start}", file=sys.stderr, flush=True)
        if workers > 1:
            graph.close()
            serve_in_processes(app, listening, workers)
        else:
            doors = [] if desk is None else [_review(desk)]
            uvicorn.Server(bounded_config(app.on(graph, doors))).run(sockets=[listening])


def _one_process_for_a_review(workers: int) -> UsageError:
    return UsageError(
        field="--workers",
        given=f"{workers} with --review",
        expected="one process for a review, whose decisions are made one after another",
        next_step="serve the pages with --workers, and the review by a second kg serve with another --port",
    )


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
