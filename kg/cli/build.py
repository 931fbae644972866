"""`kg build`: the store again from the shipped content."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import ContentOption, Format, FormatOption, NewStoreOption, QuietOption, WaitOption, talker
from kg.model.waiting import WRITER_SECONDS

if TYPE_CHECKING:
    from kg.build.build import Built


_OnOption = Annotated[
    str | None,
    typer.Option("--on", help="a Spark cluster that does the work: spark://HOST:PORT (extra spark, Java 17)"),
]


def build(
    *,
    documents: Annotated[Path | None, typer.Option("--documents", help="folder with source texts to attach")] = None,
    on: _OnOption = None,
    form: FormatOption = Format.table,
    store: NewStoreOption = None,
    content: ContentOption = None,
    wait: WaitOption = WRITER_SECONDS,
    quiet: QuietOption = False,
) -> None:
    """Build the store from the shipped content; loaded data stays. With --documents, positions are checked in the texts.

    Example: kg build
    """
    from kg.build.documents import attach_documents
    from kg.build.locate import content_in_use
    from kg.build.writing import rebuild
    from kg.cli.progress import shown_progress

    tell = talker(quiet)
    with shown_progress() as progress:
        folder, built = rebuild(
            store,
            content=content,
            documents=documents,
            on=on,
            wait_seconds=wait,
            tell=tell,
            warn=talker(False),
            progress=progress,
        )
    attached: list[str] = []
    if documents is not None:
        used = str(content_in_use(store, content).place)
        found = attach_documents(folder, documents, content=used, wait_seconds=wait, tell=tell)
        attached = [one.sha256 for one in found]
    _told(folder, built, attached if documents is not None else None, form, tell)


def _told(folder: Path, built: "Built", attached: list[str] | None, form: Format, tell: Callable[[str], None]) -> None:
    """What was built, as JSON or in a line; `attached` are the digests of the texts, where a folder of them was given."""
    from kg.cli.render import write_json

    if form is Format.json:
        write_json(_built_json(folder, built, attached or []))
        return
    tell(
        f"{built.claims:,} claims, {built.findings:,} findings, {built.triples:,} triples in {sum(built.seconds.values()):.1f} s"
    )
    if attached is not None:
        tell(f"{len(attached)} source texts attached")


def _built_json(folder: Path, built: "Built", attached: list[str]) -> dict[str, object]:
    """What was built, in plain values; `attached` are the digests of the texts."""
    return {
        "store": str(folder),
        "claims": built.claims,
        "triples": built.triples,
        "findings": built.findings,
        "head": built.head,
        "documents": attached,
        "seconds": {name: round(seconds, 3) for name, seconds in built.seconds.items()},
    }
