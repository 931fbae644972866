"""`kg explain`: what a code means."""

import sys
from typing import Annotated

import typer

from kg.cli.options import ContentOption, Format, FormatOption
from kg.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain)


def explain(
    code: Annotated[str | None, typer.Argument(help="a code; without it all are listed")] = None,
    form: FormatOption = Format.table,
    content: ContentOption = None,
) -> None:
    """What an error or finding code means, and what to do.

    Example: kg explain arithmetic.inconsistent
    """
    from difflib import get_close_matches
    from pathlib import Path

    from kg.cli.render import write_json, write_rows
    from kg.content.codes import read_codes
    from kg.content.folders import find_content

    codes = read_codes(find_content(Path(content) if content else None))
    if code is None:
        write_rows(("code", "title"), [(name, one.title) for name, one in sorted(codes.items())], form)
        return
    if code not in codes:
        near = get_close_matches(code, codes, n=1)
        raise UsageError(
            "is not a known code.",
            given=code,
            expected="a code that kg explain lists",
            next_step=f"Did you mean {near[0]}?" if near else None,
        )
    one = codes[code]
    told = {"code": code, "title": one.title, "meaning": one.meaning, "do": one.do, "severity": one.severity}
    if form is Format.json:
        write_json(told)
        return
    if form is not Format.table:
        write_rows(tuple(told), [tuple(told.values())], form)
        return
    from kg.render.lines import wrapped

    said = [f"{code}: {one.title}", "", one.meaning, "", f"What to do: {one.do}"]
    said += [f"Severity: {one.severity}"] if one.severity else []
    sys.stdout.write("\n".join(line for part in said for line in wrapped(part)) + "\n")
