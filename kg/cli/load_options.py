"""The options of `kg load` that say how files are read."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import Format, FormatOption, StoreOptions, WaitOption
from kg.model.waiting import WRITER_SECONDS

if TYPE_CHECKING:
    from kg.build.progress import Progress
    from kg.build.writing import WriteOptions


@dataclass(frozen=True, slots=True)
class LoadOptions(StoreOptions):
    """How files are read, and what is done with rows that are refused."""

    dry_run: Annotated[bool, typer.Option("--dry-run", help="check only, write nothing")] = False
    edition: Annotated[
        str | None,
        typer.Option(
            "--edition", help="day of the files; later editions supersede (default: what the mapping finds, else today)"
        ),
    ] = None
    mapping: Annotated[Path | None, typer.Option("--mapping", help="the mapping of kg load table")] = None
    draft: Annotated[
        bool, typer.Option("--draft-mapping", help="print a mapping of a table to correct, and load nothing")
    ] = False
    rejects: Annotated[
        Path | None, typer.Option("--rejects", help="write rejected rows to this .jsonl or .csv file")
    ] = None
    form: FormatOption = Format.table
    wait: WaitOption = WRITER_SECONDS

    def writing(self, progress: "Progress") -> "WriteOptions":
        """Where is loaded, and who hears of it."""
        return {
            "store": self.store,
            "content": self.content,
            "wait_seconds": self.wait,
            "tell": self.tell,
            "progress": progress,
        }

    @property
    def day(self) -> str | None:
        """The day of the files; raises UsageError where it is none."""
        from kg.ledger.edition import edition_day

        return edition_day(self.edition, field="--edition")
