"""`kg documents`: the source texts a reader has."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import Format, FormatOption, StoreOptions, WaitOption, named_path
from kg.errors import UsageError
from kg.model.waiting import WRITER_SECONDS


def documents(
    action: Annotated[str, typer.Argument(help="list, attach or detach")] = "list",
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="folder with the texts, for attach and detach", parser=named_path),
    ] = None,
    *,
    options: StoreOptions,
    form: FormatOption = Format.table,
    wait: WaitOption = WRITER_SECONDS,
) -> None:
    """List the source texts, or attach folders of them, one after the other: found by SHA-256, never copied.

    Example: kg documents attach ../texts
    """
    from kg.build.documents import attach_documents, detach_documents, list_documents
    from kg.build.locate import content_in_use
    from kg.cli.render import write_rows
    from kg.sync.locate import store_folder

    place = store_folder(options.store, content=options.content)
    used = str(content_in_use(options.store, options.content).place)
    if action == "attach":
        if folder is None:
            raise UsageError(given="attach", expected="kg documents attach DIR")
        found = attach_documents(place, folder, content=used, wait_seconds=wait, tell=options.tell)
        options.tell(f"{len(found)} source texts attached from {folder}")
    elif action == "detach":
        if folder is None:
            raise UsageError(given="detach", expected="kg documents detach DIR")
        detach_documents(place, folder, wait_seconds=wait, tell=options.tell)
        options.tell(f"{folder} is not looked into any more")
    elif action != "list":
        raise UsageError(given=action, expected="list, attach or detach")
    rows = [
        (one.source, one.document, one.sha256[:16], one.path or "not attached", one.label)
        for one in list_documents(place, content=used)
    ]
    write_rows(("source", "document", "sha256", "attached", "title"), rows, form)
