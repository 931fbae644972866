"""`kg pull`: the ledger of a server, restored into a local store."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    ContentOption,
    Format,
    FormatOption,
    NewStoreOption,
    QuietOption,
    ServerTimeoutOption,
    WaitOption,
    ask_login,
    talker,
)
from kg.model.waiting import WRITER_SECONDS

if TYPE_CHECKING:
    from kg.sync.pull import Pulled


_ReplaceOption = Annotated[bool, typer.Option("--replace", help="give up local segments that the server does not have")]


def pull(
    target: Annotated[str, typer.Argument(help="the address that was pushed to")],
    *,
    replace: _ReplaceOption = False,
    form: FormatOption = Format.table,
    store: NewStoreOption = None,
    content: ContentOption = None,
    wait: WaitOption = WRITER_SECONDS,
    timeout: ServerTimeoutOption = None,
    quiet: QuietOption = False,
) -> None:
    """Restore the ledger from a server, byte for byte and checked by digest; the next question builds the view from it.

    Example: kg pull neo4j://localhost:7687
    """
    from kg.build.locate import local_folder
    from kg.cli.progress import shown_progress
    from kg.stores.places import checked_address
    from kg.sync.pull import pull as run_pull
    from kg.sync.servers import known_login

    tell = talker(quiet)
    login = known_login(checked_address(target, field="TARGET"), ask_login, timeout)
    with shown_progress(quiet=quiet) as progress:
        pulled = run_pull(
            target,
            local_folder(store, content=content),
            replace=replace,
            wait_seconds=wait,
            timeout_seconds=timeout,
            ask_login=lambda _: login,
            tell=tell,
            progress=progress,
        )
    _told(pulled, form, tell)


def _told(pulled: "Pulled", form: Format, tell: Callable[[str], None]) -> None:
    """What was fetched, as JSON or in a line."""
    from kg.cli.render import write_json

    if form is Format.json:
        write_json(_plain(pulled))
        return
    fetched = pulled.fetched
    tell(
        f"{fetched.records:,} records in {pulled.folder}: {fetched.fetched} of {fetched.files} files fetched "
        f"({fetched.bytes_fetched / 1e6:.1f} MB), every digest right"
    )
    if pulled.given_up:
        tell(f"{len(pulled.given_up)} local segments are live no more")


def _plain(pulled: "Pulled") -> dict[str, object]:
    fetched = pulled.fetched
    return {
        "source": pulled.source,
        "store": str(pulled.folder),
        "head": pulled.head,
        "files": fetched.files,
        "fetched": fetched.fetched,
        "bytes_fetched": fetched.bytes_fetched,
        "records": fetched.records,
        "given_up": list(pulled.given_up),
    }
