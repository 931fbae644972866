"""What a load did, for people and for programs."""

from collections.abc import Iterator, Sequence
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from kg.cli.load_options import LoadOptions
from kg.cli.options import Format
from kg.model.counting import counted, first_of

if TYPE_CHECKING:
    from kg.build.load import LoadedFile
    from kg.build.published import PublishedLoad
    from kg.ingest.load_report import Report

CLAIM_COUNTS = {"new claims": "claims", "changed": "superseded", "same": "same", "older": "older"}
"""What became of the claims of a load, by what they say: the titles, and the counts of a report."""
_MOST_NAMED = 6
_MOST_FILES = 20
_MOST_WARNED = 20


def show_loads(loads: "list[tuple[str, PublishedLoad]]", options: LoadOptions) -> None:
    """What it comes to, then one line a source without what is nought everywhere where it is wide; JSON has every file."""
    from kg.cli.render import write_json, write_rows
    from kg.ingest.load_report import Report

    if options.form is Format.json:
        write_json({name: one.to_json() for name, one in loads})
    else:
        summed = [(name, len(one.files), Report.summed(name, one.files)) for name, one in loads]
        rows = [(name, number, *_row_counts(one)) for name, number, one in summed]
        titles = ("source", "files", *_count_titles(dry_run=loads[0][1].dry_run))
        nought = [title for title, column in zip(titles, zip(*rows, strict=True), strict=True) if not any(column)]
        if options.form is Format.table:
            typer.echo(f"{_told_of_all([one for _, _, one in summed], dry_run=loads[0][1].dry_run)}\n")
        write_rows(titles, rows, options.form, spare=(*nought, "files"))
    for name, one in loads:
        for line in _corrections(Report.summed(name, one.files)):
            options.tell(f"{name}: {line}")
        for line in _warnings(one.files):
            options.tell(line)
        for line in _passed_lines(one.passed):
            options.tell(line)
    refused = sum(one.rejected for _, one in loads)
    if refused:
        options.tell(_rejected(refused, options.rejects))


def _told_of_all(reports: "Sequence[Report]", *, dry_run: bool) -> str:
    """What became of all rows of all sources, in a sentence."""
    read, new, changed, refused = (
        sum(getattr(one, name) for one in reports) for name in ("read", "claims", "superseded", "rejected")
    )
    would = "would be " if dry_run else ""
    return (
        f"{counted(read, 'row')} of {counted(len(reports), 'source')}: {counted(new, 'claim')} {would}new, "
        f"{changed:,} {would}changed; {counted(refused, 'row')} {would}rejected."
    )


def _passed_lines(passed: Sequence[str]) -> Iterator[str]:
    """The files that no source takes, folder by folder, folders with the same files in one line: none goes without a word."""
    folders: dict[Path, list[str]] = {}
    for name in passed:
        folders.setdefault(Path(name).parent, []).append(Path(name).name)
    if passed:
        yield f"{counted(len(passed), 'file')} that no source takes:"
    alike: dict[tuple[bool, tuple[str, ...]], list[Path]] = {}
    for folder, found in sorted(folders.items()):
        # An absolute and a relative folder have no common path.
        alike.setdefault((folder.is_absolute(), tuple(found)), []).append(folder)
    for (_, names), places in alike.items():
        below = f"{commonpath(places) or '.'}, in each of {len(places)} folders"
        where = below if len(places) > 1 else str(places[0])
        yield f"  {where}: {first_of(names, _MOST_NAMED)}"


def _row_counts(report: "Report") -> tuple[int, ...]:
    """What became of the rows, under `_count_titles`."""
    skipped = sum(report.skipped.values())
    claims = (getattr(report, name) for name in CLAIM_COUNTS.values())
    return (report.read, report.loaded, report.unchanged, skipped, report.rejected, *claims)


def _count_titles(*, dry_run: bool) -> tuple[str, ...]:
    verb = "would be loaded" if dry_run else "loaded"
    return ("rows", verb, "unchanged", "skipped", "rejected", *CLAIM_COUNTS)


def show_published(loaded: "PublishedLoad", options: LoadOptions) -> None:
    """What became of the rows of each file of one source; of many files, one line for those of a shape and edition."""
    from kg.cli.render import write_json, write_rows

    files = _summed(loaded.files) if len(loaded.files) > _MOST_FILES else list(loaded.files)
    if len(loaded.passed) > _MOST_NAMED:
        options.tell(
            f"{len(loaded.passed)} files of the folders fit no shape of this source, the first is {loaded.passed[0]}"
        )
    else:
        for name in loaded.passed:
            why = f": {loaded.unfit[name]}" if name in loaded.unfit else ""
            options.tell(f"{name}: no shape of this source takes it{why}")
    for one in files:
        for remark in _remarks(one):
            options.tell(f"{one.path}: {remark}")
    for line in _warnings(loaded.files):
        options.tell(line)
    if options.form is Format.json:
        write_json(loaded.to_json())
    else:
        listed = files if options.form is Format.table else loaded.files
        rows = [(one.path, one.shape, one.edition, *_row_counts(one)) for one in listed]
        write_rows(("file", "shape", "edition", *_count_titles(dry_run=loaded.dry_run)), rows, options.form)
    if loaded.rejected:
        names = any("names.unresolved" in one.codes for one in loaded.files)
        proposes = "; kg names unresolved proposes names" if names and not loaded.dry_run else ""
        options.tell(f"{_rejected(loaded.rejected, options.rejects)}{proposes}")


def _remarks(report: "Report") -> Iterator[str]:
    """What is to be said of the rows and columns of a file, apart from its counts."""
    if report.unknown_columns:
        yield f"columns that the mapping does not know, left out: {', '.join(report.unknown_columns)}"
    for what, counts in (
        ("skipped by rule", report.skipped),
        ("loaded with remark", report.remarks),
        ("rejected", report.codes),
    ):
        if counts:
            yield f"{what}: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}"
    if report.clashing:
        yield (
            f"{counted(report.clashing, 'claim')} of the edition {report.edition} said something else before; what was loaded"
            " last counts"
        )
    elif report.older:
        yield f"{counted(report.older, 'claim')} not taken, since a later edition is held; a later --edition of the file counts"
    yield from _corrections(report)


def _warnings(reports: "Sequence[Report]") -> Iterator[str]:
    """What is doubtful in the cells of files: their places, and how many more there are."""
    lines = [warning.told(one.path) for one in reports for warning in one.warnings]
    yield from (f"warning: {line}" for line in lines[:_MOST_WARNED])
    if len(lines) > _MOST_WARNED:
        yield f"warning: {len(lines) - _MOST_WARNED} more of this kind; --format json has all"


def _corrections(report: "Report") -> Iterator[str]:
    """How many figures each rule corrected."""
    for rule, count in sorted(report.corrections.items()):
        yield f"{count} corrected by rule, next to the print: {rule}"


def _rejected(count: int, rejects: Path | None) -> str:
    return f"{count} row(s) rejected; {f'see {rejects}' if rejects else 'give --rejects FILE to see them'}"


def _summed(files: "Sequence[Report]") -> "list[Report]":
    """One line for all files of a shape and edition."""
    from kg.ingest.load_report import Report

    found: dict[tuple[str, str], list[Report]] = {}
    for one in files:
        found.setdefault((one.shape, one.edition), []).append(one)
    return [Report.summed(f"{len(group)} files", group) if len(group) > 1 else group[0] for group in found.values()]


def show_claims(files: list[Path], loaded: "list[LoadedFile]", options: LoadOptions) -> None:
    """What became of the claims of each file, and of what the store said before."""
    from kg.cli.render import write_json, write_rows

    by_file, dry_run = list(zip(files, loaded, strict=True)), options.dry_run
    if options.form is Format.json:
        write_json([{"file": str(path), "dry_run": dry_run, **one.to_json()} for path, one in by_file])
        return
    changed = [(len(one.superseded), one.same, len(one.older), one.derived_lines) for one in loaded]
    rows = [(str(path), one.lines, one.fresh, *counts) for (path, one), counts in zip(by_file, changed, strict=True)]
    changes = ("would be new", "would change") if dry_run else ("new", "changed")
    write_rows(("file", "lines", *changes, "same", "older", "derived, recomputed"), rows, options.form)
    for line in _remarks_on_claims(loaded, dry_run=dry_run):
        options.tell(line)


def _remarks_on_claims(loaded: "list[LoadedFile]", *, dry_run: bool) -> "Iterator[str]":
    """What the files replace, what the store keeps, and what is not made again."""
    if superseded := [name for one in loaded for name in one.superseded]:
        verb = "would replace" if dry_run else "replaces"
        yield f"the file {verb} what the store said of {first_of(superseded, _MOST_NAMED)}"
    if older := [name for one in loaded for name in one.older]:
        yield f"the store keeps what it says of {first_of(older, _MOST_NAMED)}: a later --edition of the file counts"
    if left := sum(one.left_out for one in loaded):
        yield (
            f"{counted(left, 'finding')} on citations {'is' if left == 1 else 'are'} left out: made from seeds/citations, "
            "which this content does not have for the source"
        )
