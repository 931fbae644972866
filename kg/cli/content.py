"""`kg content`: checks, format and coverage of the content folders."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import ContentOption, Format, FormatOption, QuietOption, StoreOption, talker
from kg.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("content")(content)


def content(
    action: Annotated[str, typer.Argument(help="check, format, coverage or copy")] = "check",
    to: Annotated[Path | None, typer.Argument(metavar="DIR", help="copy: where to, a new or empty folder")] = None,
    documents: Annotated[Path | None, typer.Option("--documents", help="folder with the source texts")] = None,
    form: FormatOption = Format.table,
    store: StoreOption = None,
    content: ContentOption = None,
    quiet: QuietOption = False,
) -> None:
    """Check the content folders, rewrite them in the one layout, count the numerals of the documents, or copy them to change them.

    Example: kg content check
    """
    from kg.build.content_review import check_content, content_coverage, format_content
    from kg.cli.render import write_json, write_rows
    from kg.content.attached import known_folder
    from kg.content.folders import copy_content, find_content
    from kg.sync.locate import store_folder

    root = find_content(Path(content) if content else None)
    folder = documents or known_folder(store_folder(store, content=content))
    tell = talker(quiet)
    if action == "copy":
        if to is None:
            raise UsageError(given="no folder", expected="kg content copy DIR")
        made = copy_content(root, to)
        tell(f"copied to {made.root}; use it with --content {to}")
        return
    if to is not None:
        raise UsageError(given=str(to), expected=f"kg content {action} takes no folder here")
    if action == "check":
        found = check_content(root, folder)
        rows = list(found.counts.items())
        write_rows(("what", "count"), rows, form)
        tell(
            "positions compared with "
            + (f"{found.documents} source texts" if found.documents else "nothing: no source texts attached")
        )
    elif action == "format":
        changed = format_content(root, folder, tell=tell)
        tell(f"{len(changed)} files rewritten")
    elif action == "coverage":
        if folder is None:
            raise UsageError(given="no source texts", expected="--documents DIR, or kg documents attach DIR before")
        found_coverage = content_coverage(root, folder)
        if form is Format.json:
            write_json(
                [
                    {
                        "source": one.source,
                        "numerals": one.numerals,
                        "captured": one.captured,
                        "ignored": dict(one.ignored),
                        "in_tables": one.table_numerals,
                        "left_in_tables": one.left_in_tables,
                        "left_in_prose": one.left_in_prose,
                        "left_over": [{"start": left.start, "text": left.text} for left in one.left_over],
                    }
                    for one in found_coverage
                ]
            )
            return
        write_rows(
            ("source", "numerals", "captured", "ignored", "in tables", "left in tables", "left in prose"),
            [
                (
                    one.source,
                    one.numerals,
                    one.captured,
                    sum(one.ignored.values()),
                    one.table_numerals,
                    one.left_in_tables,
                    one.left_in_prose,
                )
                for one in found_coverage
            ],
            form,
        )
    else:
        raise UsageError(given=action, expected="check, format, coverage or copy")
