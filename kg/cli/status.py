"""`kg status`: ledger and view."""

import typer

from kg.cli.options import ContentOption, Format, FormatOption, QuietOption, StoreOption, ask_login


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("status")(status)


def status(
    form: FormatOption = Format.table,
    store: StoreOption = None,
    content: ContentOption = None,
    quiet: QuietOption = False,  # noqa: ARG001 - every command takes it
) -> None:
    """The state of the ledger and of the view, and whether the view is up to date.

    Example: kg status
    """
    from kg.build.reresolve import counted
    from kg.cli.render import write_json, write_rows
    from kg.sync.status import store_status

    found = store_status(store, content=content, ask_login=ask_login)
    if form is Format.json:
        write_json(found)
        return
    rows = [(key, value) for key, value in found.items() if key not in ("segments", "names moved", "load again")]
    rows += [("names moved", f"{counted(one['records'], 'record')} of {one['source']}: {one['before']} to {one['after']} ({one['name']})")
             for one in found.get("names moved", ())]  # fmt: skip
    rows += [("load again", f"{one['command']}   ({counted(one['rows'], 'row')}: {', '.join(one['names'][:3])})")
             for one in found.get("load again", ())]  # fmt: skip
    write_rows(("what", "state"), rows, form)
    if form is Format.table and found["segments"]:
        write_rows(
            ("segment", "origin", "edition", "scope", "records", "schema"),
            [(s["name"][:12], s["origin"], s["edition"], s["scope"], s["records"], s["schema"]) for s in found["segments"]], form,
        )  # fmt: skip
