"""`kg reset`: delete a store."""

from typing import Annotated

import typer

from kg.cli.options import StoreOptions, WaitOption


def reset(
    *,
    options: StoreOptions,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
    wait: WaitOption = 30.0,
) -> None:
    """Delete a store with everything that was loaded into it, after asking; files that no store wrote are left.

    Example: kg reset --store ./my-store
    """
    from kg.build.locate import local_folder
    from kg.build.writing import delete_store

    folder = local_folder(options.store, content=options.content)
    if not yes:
        typer.confirm(f"delete the store at {folder}, loaded data included?", abort=True, err=True)
    tell, others = options.tell, delete_store(options.store, content=options.content, wait_seconds=wait)
    tell(f"deleted the store in {folder}")
    if others:
        named = ", ".join(str(one.relative_to(folder)) for one in others[:3])
        tell(f"left what is not of the store: {named}{f' and {len(others) - 3:,} more' if len(others) > 3 else ''}")
