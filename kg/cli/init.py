"""`kg init`: a folder of one's own, laid over the shipped content."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import NewStoreOption, QuietOption, named_path, talker


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="the folder, new or one that kg init made", parser=named_path)
    ],
    git: Annotated[bool, typer.Option("--git", help="put it under version control with git")] = False,
    store: NewStoreOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make a folder of your own for entities, sources and claims; the store lays it over the shipped content from now on.

    Updating the package never touches it. --content DIR or KG_CONTENT name it to another store.

    Example: kg init my-claims
    """
    from kg.build.locate import remember_folder
    from kg.content.own_folder import make_own_folder

    tell = talker(quiet)
    made = make_own_folder(folder)
    if git:
        _under_git(folder)
    own = made.content.place
    tell(f"{own} {'made' if made.is_new else 'was there already; nothing in it is changed'}")
    place, before = remember_folder(store, own)
    if before is not None and before != own:
        tell(f"{place} was built from {before} before, which stays as it is: kg init {before} goes back to it")
    tell(f"{place} is built from it and the shipped content from now on")


def _under_git(folder: Path) -> None:
    from shutil import which
    from subprocess import run

    from kg.errors import UsageError

    program = which("git")
    if program is None:
        raise UsageError(field="--git", given="no git on this machine", expected="git, or kg init without --git")
    if not (folder / ".git").exists():
        run([program, "init", "--quiet", str(folder)], check=True)  # noqa: S603
