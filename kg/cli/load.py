"""`kg load`: claims of a file into the ledger."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import ContentOption, Format, FormatOption, QuietOption, StoreOption, WaitOption, talker
from kg.errors import UsageError

SOURCES = {"claims": "claims, entities and sources as JSON Lines (the form of kg export jsonl)"}

_MOST_NAMED = 6


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("load")(load)


def load(
    source: Annotated[str | None, typer.Argument(help="claims")] = None,
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help="files to load")] = None,
    list_sources: Annotated[bool, typer.Option("--list", help="list what can be loaded")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="check only, write nothing")] = False,
    edition: Annotated[str | None, typer.Option("--edition", help="date of the file; later editions supersede (default: today)")] = None,
    form: FormatOption = Format.table, store: StoreOption = None, content: ContentOption = None, wait: WaitOption = 120.0,
    quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Load claims: all of a file or nothing of it. Loading the same file again changes nothing.

    Example: kg load claims mine.jsonl
    """
    from kg.cli.progress import shown_progress
    from kg.cli.render import write_json, write_rows

    if list_sources:
        write_rows(("source", "loads"), list(SOURCES.items()), form)
        return
    if source not in SOURCES or not files:
        given = "no file" if source in SOURCES else source or "nothing to load"
        raise UsageError(
            given=given,
            expected="kg load claims FILE, with at least one file",
            next_step="kg load --list shows what can be loaded",
        )
    from kg.graph.graph import load_files

    tell = talker(quiet)
    with shown_progress() as progress:
        loaded = load_files(
            files,
            store=store,
            content=content,
            edition=_edition(edition),
            dry_run=dry_run,
            wait_seconds=wait,
            tell=tell,
            progress=progress,
        )
    if form is Format.json:
        write_json([
            {"file": str(path), "origin": one.origin, "lines": one.lines, "added": dict(one.added), "unchanged": one.unchanged,
             "superseded": list(one.superseded), "derived_lines": one.derived_lines, "dry_run": dry_run}
            for path, one in zip(files, loaded, strict=True)
        ])  # fmt: skip
        return
    rows = [
        (str(path), one.lines, sum(one.added.values()), len(one.superseded), one.unchanged, one.derived_lines)
        for path, one in zip(files, loaded, strict=True)
    ]
    added, replaced = ("would be added", "would supersede") if dry_run else ("added", "supersede")
    write_rows(("file", "lines", added, replaced, "unchanged", "derived, recomputed"), rows, form)
    superseded = [name for one in loaded for name in one.superseded]
    if superseded:
        more = f" and {len(superseded) - _MOST_NAMED} more" if len(superseded) > _MOST_NAMED else ""
        verb = "would replace" if dry_run else "replaces"
        tell(f"the file {verb} what the store said of {', '.join(superseded[:_MOST_NAMED])}{more}")


def _edition(given: str | None) -> str:
    if given is None:
        return date.today().isoformat()
    try:
        return date.fromisoformat(given).isoformat()
    except ValueError as cause:
        raise UsageError(field="--edition", given=given, expected="a date such as 2026-11-21") from cause
