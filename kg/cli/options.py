"""The shared options, declared once; and the opening of the graph that every reading command does."""

import os
import shlex
import sys
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kg.errors import StoreError

if TYPE_CHECKING:
    from kg.session import Graph
    from kg.stores.http_client import Login


class Format(StrEnum):
    """The forms in which rows can be written."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    markdown = "markdown"


FormatOption = Annotated[Format, typer.Option("--format", help="table, json, jsonl, csv or markdown")]


def made_store(store: str | None) -> str | None:
    """What --store names, if a store is there: a typing error must not make one."""
    from pathlib import Path

    from kg.stores.places import is_server, named_store

    if (
        store is None
        or is_server(named_store(store))
        or any((Path(store) / name).exists() for name in ("rdf", "ledger"))
    ):
        return store
    raise StoreError(
        code="store.missing",
        field="--store",
        given=store,
        expected="the folder of a store, or the address of a server",
        next_step=f"kg build --store {shlex.quote(store)} makes one there",
    )


_STORE_HELP = "folder of the store, or the address of a server (default: KG_STORE, else the user's data directory)"
StoreOption = Annotated[str | None, typer.Option("--store", help=_STORE_HELP, callback=made_store)]
NewStoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="folder of the store, made where there is none (default: KG_STORE, else the user's data directory)",
    ),
]
ContentOption = Annotated[
    str | None, typer.Option("--content", help="folder with ontology, loaders, queries and seeds")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="say nothing on standard error but errors")]
LimitOption = Annotated[
    int | None, typer.Option("--limit", min=1, help="at most this many rows, in every form; a cut is told")
]
TimeoutOption = Annotated[float, typer.Option("--timeout", min=0.1, help="give up after this many seconds")]
ExplainOption = Annotated[bool, typer.Option("--explain", help="name the saved questions that gave the rows")]
MetricOption = Annotated[
    list[str] | None, typer.Option("--metric", metavar="METRIC", help="only claims of this metric; may be repeated")
]
PhaseOption = Annotated[
    list[str] | None, typer.Option("--phase", help="only claims that state this phase, such as training")
]
ModelOption = Annotated[
    list[str] | None, typer.Option("--model", metavar="NAME", help="only claims about this model; may be repeated")
]
OfSourceOption = Annotated[
    list[str] | None, typer.Option("--source", metavar="ID", help="only claims of this source, such as 002")
]
SinceOption = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="only claims said on this day or later, such as 2025-03")
]
PublishedOption = Annotated[
    bool, typer.Option("--published", help="list the rows of published files too, which are summed up otherwise")
]
WaitOption = Annotated[float, typer.Option("--wait", min=0, help="seconds to wait for another writer")]


def talker(quiet: bool) -> Callable[[str], None]:
    """Writes to standard error, unless asked to be quiet."""
    return (lambda _: None) if quiet else (lambda text: print(text, file=sys.stderr, flush=True))


def ask_login(address: str) -> "Login | None":
    """The user and password for a server, asked on the terminal and never shown; None where there is no terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    from getpass import getpass

    from kg.stores.http_client import Login

    sys.stderr.write(f"{address} asks for a login\nuser: ")
    sys.stderr.flush()
    user = sys.stdin.readline().strip()
    return Login(user, getpass("password: ", stream=sys.stderr)) if user else None


def open_for_reading(store: str | None, content: str | None, *, quiet: bool, timeout: float = 60.0) -> "Graph":
    """The graph, built first where it must be; from here on the deadline runs."""
    from kg.session import open_graph
    from kg.stores.places import is_server, named_store

    if is_server(named_store(store)):  # it may not even answer; a local store may have to be built first
        start_deadline(timeout)

        def asked(address: str) -> "Login | None":
            stop_deadline()  # nobody types against the clock
            try:
                return ask_login(address)
            finally:
                start_deadline(timeout)

        return open_graph(store, content=content, tell=talker(quiet), ask_login=asked)
    if quiet or not sys.stderr.isatty():
        graph = open_graph(store, content=content, tell=talker(quiet), ask_login=ask_login)
    else:
        from kg.cli.progress import shown_progress

        with shown_progress() as progress:
            graph = open_graph(store, content=content, tell=talker(quiet), progress=progress)
    start_deadline(timeout)
    return graph


def start_deadline(seconds: float) -> None:
    """End the process with exit code 3 when the time is over: the engine cannot be stopped from inside."""

    def stop() -> None:
        sys.stderr.write(
            f"no answer after {seconds:g} s. Accepted: a query that ends within its deadline. Ask for less, or give more time with --timeout\n"
            "  kg explain query.deadline\n"
        )
        sys.stderr.flush()
        os._exit(3)

    stop_deadline()
    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    _running.append(timer)


_running: list[threading.Timer] = []


def stop_deadline() -> None:
    """The command is over: a program that called it goes on."""
    while _running:
        _running.pop().cancel()
