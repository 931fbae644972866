"""`kg content`: checks, format and coverage of the content folders."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from kg.cli.options import Format, FormatOption, StoreOptions
from kg.errors import UsageError
from kg.model.columns import columns, read_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.build.content_review import LeftOverFigures, Texts
    from kg.content.coverage import Coverage
    from kg.content.folders import Content

_COUNTS: Final = columns("source numerals captured ignored in_tables=table_numerals left_in_tables left_in_prose")
_WhatArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="DIR or ID", help="copy: a new or empty folder; resolve: an id of conflicts; coverage: a source"
    ),
]
_StandsArgument = Annotated[
    str | None, typer.Argument(metavar="shipped or own", help="resolve: which of the two stands")
]
_OtherOption = Annotated[
    str | None, typer.Option("--as", metavar="ID or NAME", help="resolve own: the id or label it has from now on")
]


def content(
    action: Annotated[str, typer.Argument(help="check, format, coverage, copy, conflicts or resolve")] = "check",
    what: _WhatArgument = None,
    stands: _StandsArgument = None,
    *,
    options: StoreOptions,
    other: _OtherOption = None,
    documents: Annotated[Path | None, typer.Option("--documents", help="folder with the source texts")] = None,
    form: FormatOption = Format.table,
) -> None:
    """Check the content folders, rewrite them in the one layout, count the numerals of the documents, or copy them to change them.

    What a folder of your own (kg init) and the shipped content both claim is listed by conflicts and settled by resolve.

    Example: kg content check
    """
    from kg.build.content_review import format_content
    from kg.build.locate import content_in_use
    from kg.content.attached import known_folders
    from kg.sync.locate import store_folder

    root = content_in_use(options.store, options.content)
    tell = options.tell
    if action in _ABOUT_FOLDERS:
        _ABOUT_FOLDERS[action](root, _Asked(what, stands, other), form, tell)
        return
    if what is not None and action != "coverage":
        raise UsageError(given=what, expected=f"kg content {action} takes no folder here")
    attached = known_folders(store_folder(options.store, content=options.content))
    folder = documents or [one for one in attached if one.is_dir()] or None
    if action == "check":
        _check(root, folder, form, tell)
    elif action == "format":
        changed = format_content(root, folder, tell=tell)
        tell(f"{len(changed)} files rewritten")
    elif action == "coverage":
        _coverage(root, folder, what, form, tell)
    else:
        raise UsageError(given=action, expected="check, format, coverage, copy, conflicts or resolve")


def _check(root: "Content", folder: "Texts | None", form: Format, tell: Callable[[str], None]) -> None:
    from kg.build.content_review import check_content
    from kg.cli.render import write_rows

    found = check_content(root, folder)
    write_rows(("what", "count"), list(found.counts.items()), form)
    texts = f"{found.documents} source texts" if found.documents else "nothing: no source texts attached"
    tell(f"positions compared with {texts}")


def _coverage(
    root: "Content", folder: "Texts | None", source: str | None, form: Format, tell: Callable[[str], None]
) -> None:
    """The counts of every document; of one that is named, the figures that are left and the patterns proposed."""
    from kg.build.content_review import figures_left_over
    from kg.cli.render import write_json

    if folder is None:
        raise UsageError(given="no source texts", expected="--documents DIR, or kg documents attach DIR before")
    found = {one.coverage.source: one for one in figures_left_over(root, folder)}
    if source is not None:
        source = source if source in found else f"source/{source}"
        if source not in found:
            raise UsageError(given=source, expected=f"a source whose text is at hand: {', '.join(sorted(found))}")
        found = {source: found[source]}
    if form is Format.json:
        write_json([_coverage_json(one) for one in found.values()])
        return
    if source is None:
        _show_counts([one.coverage for one in found.values()], form, tell)
    else:
        _show_left(found[source], form, tell)


def _show_counts(counts: "Sequence[Coverage]", form: Format, tell: Callable[[str], None]) -> None:
    """One row a document, and where to look next."""
    from kg.cli.render import write_rows

    head = [name.replace("_", " ") for name in _COUNTS]
    write_rows(head, [[*row[:3], sum(row[3].values()), *row[4:]] for row in read_columns(_COUNTS, counts)], form)
    most = max(counts, key=lambda one: len(one.left_over))
    if most.left_over:
        tell(f"Next: kg content coverage {most.source} shows what is left and proposes patterns")


def _show_left(left: "LeftOverFigures", form: Format, tell: Callable[[str], None]) -> None:
    """The figures of one document that are left, and the patterns that would explain them."""
    from kg.cli.render import write_rows
    from kg.model.counting import counted

    write_rows(("at", "figure", "words"), [(one.start, one.text, one.words) for one in left.figures], form)
    found = f"{counted(len(left.figures), 'figure')} left" if left.figures else "no figure is left"
    if not left.patterns:
        tell(f"{found}; no pattern would explain one: each has to be looked at" if left.figures else found)
        return
    tell(f"{found}; patterns that would explain them, for seeds/coverage once you agree:")
    for proposed in left.patterns:
        pattern = proposed.pattern.replace("'", "''")
        why = f"{proposed.explains}: {' '.join(proposed.example.split())}; {proposed.why}"
        tell(f"  - {{pattern: '{pattern}', reason: {proposed.reason}}}  # {why}")


def _coverage_json(one: "LeftOverFigures") -> dict[str, object]:
    [counts] = read_columns(_COUNTS, [one.coverage])
    return {
        **dict(zip(_COUNTS, counts, strict=True)),
        "left_over": [each.to_json() for each in one.figures],
        "patterns": [each._asdict() for each in one.patterns],
    }


class _Asked(NamedTuple):
    """What stands behind the action."""

    what: str | None
    stands: str | None
    other: str | None


def _copy(root: "Content", asked: _Asked, _: Format, tell: Callable[[str], None]) -> None:
    from kg.content.folders import copy_content

    if asked.what is None:
        raise UsageError(given="no folder", expected="kg content copy DIR")
    made = copy_content(root, Path(asked.what))
    tell(f"copied to {made.root}; use it with --content {asked.what}")


def _conflicts(root: "Content", asked: _Asked, form: Format, tell: Callable[[str], None]) -> None:
    from kg.cli.render import write_rows
    from kg.content.own_folder import content_conflicts, ways_out

    if asked.what is not None:
        raise UsageError(given=asked.what, expected="kg content conflicts")
    found = content_conflicts(root)
    rows = [
        (one.kind, one.id, one.name, one.shipped, f"{one.path}:{one.line}", " or ".join(ways_out(one))) for one in found
    ]
    write_rows(("conflict", "id", "name", "shipped", "where", "resolve with"), rows, form)
    if root.own is None:
        tell("no folder of your own lies over the shipped content; kg init DIR makes one")
    elif not found:
        tell(f"{root.own} and the shipped content agree")
    else:
        tell("what is shipped stands until you decide")


def _resolve(root: "Content", asked: _Asked, _: Format, tell: Callable[[str], None]) -> None:
    from kg.build.alone import alone_in_own
    from kg.content.own_folder import resolve_conflict

    if asked.what is None or asked.stands is None:
        raise UsageError(given="no id or no decision", expected="kg content resolve ID shipped, or own --as ID")
    with alone_in_own(root):
        changed = resolve_conflict(root, asked.what, asked.stands, other=asked.other)
    for path in changed:
        tell(f"rewrote {root.shown(path)}")


_ABOUT_FOLDERS: Final = {"copy": _copy, "conflicts": _conflicts, "resolve": _resolve}
