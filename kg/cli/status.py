"""`kg status`: ledger and view."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from kg.cli.options import (
    Format,
    FormatOption,
    ReadingOptions,
    login_off_the_clock,
    start_deadline,
    talker,
)


def _verify(form: Format, store: str | None, content: str | None, *, quiet: bool) -> None:
    from kg.build.checking import check_store
    from kg.build.locate import local_folder
    from kg.cli.render import write_rows

    files = check_store(local_folder(store, content=content))
    write_rows(("file", "state"), [(one.file, one.state) for one in files], form)
    damaged = sum(not one.is_whole for one in files)
    talker(quiet)(f"{len(files) - damaged} of {len(files)} are whole")
    if damaged:
        raise typer.Exit(3)


def status(
    *,
    options: ReadingOptions,
    form: FormatOption = Format.table,
    verify: Annotated[bool, typer.Option("--verify", help="read every file of the store and compare digests")] = False,
) -> None:
    """The state of the ledger and of the view, and whether the view is up to date.

    With --verify everything is read and compared with what was written; damage ends with exit code 3.

    Example: kg status
    """
    if verify:
        _verify(form, options.store, options.content, quiet=options.quiet)
        return
    from kg.cli.render import write_json, write_rows
    from kg.sync.status import store_status

    start_deadline(options.timeout)
    found = store_status(options.store, content=options.content, ask_login=login_off_the_clock(options.timeout))
    if form is Format.json:
        write_json(found)
        return
    write_rows(("what", "state"), list(_state_rows(found)), form)
    if form is Format.table and found["segments"]:
        write_rows(
            ("segment", "origin", "edition", "scope", "records", "schema"),
            [
                (s["name"][:12], s["origin"], s["edition"], s["scope"], s["records"], s["schema"])
                for s in found["segments"]
            ],
            form,
        )


def _state_rows(found: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    from kg.model.counting import counted

    yield from ((key, value) for key, value in found.items() if key not in ("segments", "names moved", "load again"))
    for one in found.get("names moved", ()):
        moved = f"{one['source']}: {one['before']} to {one['after']} ({one['name']})"
        yield "names moved", f"{counted(one['records'], 'record')} of {moved}"
    for one in found.get("load again", ()):
        yield "load again", f"{one['command']}   ({counted(one['rows'], 'row')}: {', '.join(one['names'][:3])})"
