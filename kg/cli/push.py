"""`kg push`: a server brought up to date with the local store."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    Format,
    FormatOption,
    ServerTimeoutOption,
    StoreOptions,
    WaitOption,
    ask_login,
)
from kg.model.waiting import WRITER_SECONDS

if TYPE_CHECKING:
    from kg.sync.push import Pushed

_TargetArgument = Annotated[
    str, typer.Argument(help="neo4j://host:port, bolt://host:port, sparql+http://host:port/dataset …")
]
_AnewOption = Annotated[
    bool, typer.Option("--anew", help="remove what is ours on the server first, then send everything")
]


def push(
    target: _TargetArgument,
    *,
    options: StoreOptions,
    anew: _AnewOption = False,
    form: FormatOption = Format.table,
    wait: WaitOption = WRITER_SECONDS,
    timeout: ServerTimeoutOption = None,
) -> None:
    """Bring a server up to date with the local store: only what differs is sent, and a push that was cut off goes on.

    Example: kg push neo4j://localhost:7687
    """
    from kg.cli.progress import shown_progress
    from kg.session import push as run_push
    from kg.stores.places import checked_address
    from kg.sync.servers import known_login

    tell = options.tell
    login = known_login(
        checked_address(target, field="TARGET"), ask_login, timeout
    )  # asked before a bar moves on the terminal
    with shown_progress(quiet=options.quiet) as progress:
        pushed = run_push(
            target,
            store=options.store,
            content=options.content,
            anew=anew,
            wait_seconds=wait,
            timeout_seconds=timeout,
            ask_login=lambda _: login,
            tell=tell,
            progress=progress,
        )
    _told(pushed, form, tell)


def _told(pushed: "Pushed", form: Format, tell: Callable[[str], None]) -> None:
    """What was sent, as JSON or in a line."""
    from dataclasses import asdict

    from kg.cli.render import write_json

    if form is Format.json:
        write_json({**asdict(pushed), "seconds": {key: round(value, 3) for key, value in pushed.seconds.items()}})
        return
    if pushed.up_to_date:
        tell(f"{pushed.target} is up to date")
        return
    tell(
        f"{pushed.target}: {pushed.added:,} lines added and {pushed.removed:,} removed in {pushed.parts_changed:,} parts, "
        f"{pushed.files_sent:,} ledger files ({pushed.bytes_sent / 1e6:.1f} MB) sent, in {pushed.seconds['all']:.1f} s"
    )
