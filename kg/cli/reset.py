"""`kg reset`: delete a store."""

from typing import Annotated

import typer

from kg.cli.options import ContentOption, QuietOption, StoreOption, WaitOption, talker


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("reset")(reset)


def reset(
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    store: StoreOption = None, content: ContentOption = None, wait: WaitOption = 30.0, quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Delete a store with everything that was loaded into it, after asking.

    Example: kg reset --store ./my-store
    """
    from kg.build.locate import local_folder
    from kg.build.writing import delete_store

    folder = local_folder(store, content=content)
    if not yes:
        typer.confirm(f"delete the store at {folder}, loaded data included?", abort=True, err=True)
    delete_store(store, content=content, wait_seconds=wait)
    talker(quiet)(f"deleted {folder}")
