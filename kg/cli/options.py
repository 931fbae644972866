"""The shared options, declared once; and the opening of the graph that every reading command does."""

import inspect
import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from errno import ENAMETOOLONG
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from kg.cli.shown import say
from kg.errors import StoreError, UsageError
from kg.model.waiting import LONGEST_WAIT

if TYPE_CHECKING:
    from kg.answers.published import Restriction
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
    from kg.stores.places import hindrance, is_server, named_store

    named = None if store is None else named_store(store)
    if named is None or is_server(named):
        return store
    if (reason := hindrance(Path(named))) is not None:
        raise UsageError(
            field="--store",
            given=named,
            expected="the folder of a store, or the address of a server",
            next_step=reason,
        )
    if any((Path(named) / name).exists() for name in ("rdf", "ledger")):
        return store
    raise StoreError(
        code="store.missing",
        field="--store",
        given=store,
        expected="the folder of a store, or the address of a server",
        next_step=f"kg build --store {shlex.quote(named)} makes one there",
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
    int | None, typer.Option("--limit", min=1, help="at most this many rows, in every form; a cut is reported")
]
TimeoutOption = Annotated[
    float, typer.Option("--timeout", min=0.1, max=LONGEST_WAIT, help="give up after this many seconds")
]
ServerTimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        min=0.1,
        max=LONGEST_WAIT,
        help="give up when the server leaves a request unanswered for this many seconds (default: 60, and 600 for many lines)",
    ),
]


def named_path(text: str) -> Path:
    """A file or folder that an argument names.

    `Path("")` is the current folder: a variable of a script that was never set would load, attach or claim all of it.
    """
    if not text:
        raise typer.BadParameter("the name of a file or folder is empty; a dot (.) names this folder")
    return Path(text)


def checked_output(output: Path | None) -> Path | None:
    """The file to write, unless its name is too long: the system says so before anything is computed for it."""
    if output is not None:
        try:
            output.lstat()
        except OSError as error:
            if error.errno == ENAMETOOLONG:
                raise
    return output


def output_to(about: str, *, metavar: str | None = None) -> Any:
    """The option of a command that writes a file."""
    return typer.Option("-o", "--output", callback=checked_output, metavar=metavar, help=about)


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


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """What every command takes that works on a store."""

    store: StoreOption = None
    content: ContentOption = None
    quiet: QuietOption = False

    def tell(self, text: str) -> None:
        """Write to standard error, unless asked to be quiet."""
        talker(self.quiet)(text)


@dataclass(frozen=True, slots=True)
class ReadingOptions(StoreOptions):
    """Of a command that only reads: it has a deadline."""

    timeout: TimeoutOption = 60.0

    def open(self) -> "Graph":
        """The graph, built first where it must be; from here on the deadline runs."""
        return open_for_reading(self.store, self.content, quiet=self.quiet, timeout=self.timeout)


@dataclass(frozen=True, slots=True)
class AnswerOptions(ReadingOptions):
    """Of a command that answers in any form."""

    form: FormatOption = Format.table
    explain: ExplainOption = False

    def name_questions(self, questions: Iterable[str]) -> None:
        """With --explain, the saved questions that gave the rows."""
        if self.explain:
            self.tell("questions: " + ", ".join(questions))


@dataclass(frozen=True, slots=True)
class ListOptions(AnswerOptions):
    """Of a command whose answer is a list."""

    limit: LimitOption = None


@dataclass(frozen=True, slots=True)
class ClaimOptions:
    """Which claims count, where a command can be asked about some only."""

    metric: MetricOption = None
    phase: PhaseOption = None
    model: ModelOption = None
    source: OfSourceOption = None
    since: SinceOption = None

    def restriction(self, graph: "Graph") -> "Restriction | None":
        """The same with ids instead of names; None where nothing is asked for."""
        return graph.restriction(
            metrics=self.metric or (),
            phases=self.phase or (),
            models=self.model or (),
            sources=self.source or (),
            since=self.since,
        )


_IN_HELP = ("form", "limit", "store", "content", "timeout", "explain", "quiet")
"""The shared options in the order in which help lists them, after the command's own."""


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer reads it: each parameter that is a class of options gives way to the fields of that class.

    Its default holds those of this command, where they differ from the ones of the class.
    """
    hints = get_type_hints(command, include_extras=True)
    parameters = inspect.signature(command).parameters
    groups: dict[str, Any] = {name: hints[name] for name in parameters if is_dataclass(hints[name])}
    own = [
        one.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, one in parameters.items()
        if name not in groups
    ]
    shared = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=getattr(parameters[name].default, one.name, one.default),
            annotation=get_type_hints(group, include_extras=True)[one.name],
        )
        for name, group in groups.items()
        for one in fields(group)
    ]
    # What is not listed is the command's own; the sort is stable, so it keeps its order.
    shared.sort(key=lambda one: _IN_HELP.index(one.name) if one.name in _IN_HELP else -1)

    @wraps(command)
    def run(**given: Any) -> None:
        options = {
            name: group(**{one.name: given.pop(one.name) for one in fields(group)}) for name, group in groups.items()
        }
        command(**given, **options)

    signature = inspect.Signature([*own, *shared])
    # Typer reads the signature for what there is, and the annotations for what it is.
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()}
    return run


def talker(quiet: bool) -> Callable[[str], None]:
    """Writes to standard error, unless asked to be quiet."""
    return (lambda _: None) if quiet else say


def ask_login(address: str) -> "Login | None":
    """The user and password for a server, asked on the terminal and never shown; None where there is no terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    from getpass import getpass

    from kg.sync.servers import login_of

    sys.stderr.write(f"{address} asks for a login\nuser: ")
    sys.stderr.flush()
    user = sys.stdin.readline().strip()
    if not user:
        return None
    return login_of(user, getpass("password: ", stream=sys.stderr), field="password")


def user_name() -> str:
    """Who decides: the name of the user, else the number, as in a container where that has no name."""
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError):  # which of the two depends on the version of Python
        return str(os.getuid())


def open_for_reading(store: str | None, content: str | None, *, quiet: bool, timeout: float = 60.0) -> "Graph":
    """The graph, built first where it must be; from here on the deadline runs."""
    from kg.session import open_graph
    from kg.stores.places import is_server, named_store

    if is_server(named_store(store)):  # it may not even answer; a local store may have to be built first
        start_deadline(timeout)
        return open_graph(store, content=content, tell=talker(quiet), ask_login=login_off_the_clock(timeout))
    if quiet or not sys.stderr.isatty():
        graph = open_graph(store, content=content, tell=talker(quiet), ask_login=ask_login)
    else:
        from kg.cli.progress import shown_progress

        with shown_progress() as progress:
            graph = open_graph(store, content=content, tell=talker(quiet), progress=progress)
    graph.ends_with_its_process()
    start_deadline(timeout)
    return graph


def login_off_the_clock(seconds: float) -> "Callable[[str], Login | None]":
    """Asks for a login as `ask_login` does, while the deadline rests: nobody types against the clock."""

    def asked(address: str) -> "Login | None":
        stop_deadline()
        try:
            return ask_login(address)
        finally:
            start_deadline(seconds)

    return asked


def start_deadline(seconds: float) -> None:
    """End the process with exit code 3 when the time is over: the engine cannot be stopped from inside."""

    def stop() -> None:
        say(
            f"no answer after {seconds:g} s. Accepted: a query that ends within its deadline. Ask for less, or give more time with --timeout\n"
            "  kg explain query.deadline"
        )
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
