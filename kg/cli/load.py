"""`kg load`: published files through their mappings, any table with a mapping given, claims in the exchange form, and RDF."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    Format,
    FormatOption,
    StoreOptions,
    WaitOption,
    spread,
)
from kg.errors import UsageError
from kg.model.counting import counted

if TYPE_CHECKING:
    from kg.build.build import Progress
    from kg.build.load import LoadedFile
    from kg.build.published import PublishedLoad
    from kg.build.writing import WriteOptions
    from kg.ingest.intake import Report

GENERIC = {
    "claims": "claims, entities and sources: JSON Lines (the form of kg export jsonl), YAML (that form, or that of seeds/claims) or CSV (--template prints one)",
    "rdf": "claims, entities and sources: Turtle, TriG, N-Triples, N-Quads or JSON-LD in the terms of ontology/",
    "table": "any CSV, TSV, JSON, XLSX or Parquet table, with --mapping FILE (--draft-mapping prints one to correct)",
}
CLAIM_COUNTS = {"new claims": "claims", "changed": "superseded", "same": "same", "older": "older"}
"""What became of the claims of a load, by what they say: the titles, and the counts of a report."""
_MOST_NAMED = 6
_MOST_FILES = 20
_MOST_WARNED = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("load")(spread(load))


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
    wait: WaitOption = 120.0

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


_AllSourcesOption = Annotated[
    bool, typer.Option("--all", help="load every file of these folders through the source that takes it")
]
_TemplateOption = Annotated[
    bool, typer.Option("--template", help="print a CSV for kg load claims with a source and a claim to write over")
]


def load(
    source: Annotated[str | None, typer.Argument(help="claims, rdf, table, or a folder of loaders/")] = None,
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help="files or folders to load")] = None,
    *,
    all_sources: _AllSourcesOption = False,
    template: _TemplateOption = False,
    list_sources: Annotated[
        bool, typer.Option("--list", help="list what can be loaded, or the shapes of one source")
    ] = False,
    options: LoadOptions,
) -> None:
    """Load published files. Rows that cannot be read go to quarantine (exit 1); claims and RDF load whole or not at all.

    Loading the same file again changes nothing, and takes the rows that were rejected and are understood by now.

    Example: kg load --list
    """
    if list_sources:
        _list(source, options)
    elif template:
        _template(source)
    elif all_sources:
        _load_all(source, files or [], options)
    elif source is None or not files:
        raise UsageError(
            given="no file" if source else "nothing to load",
            expected="kg load SOURCE FILE, with at least one file",
            next_step="kg load --list shows what can be loaded",
        )
    elif options.draft:
        _draft(source, files, options)
    elif (options.mapping is not None) != (source == "table"):
        raise UsageError(
            field="--mapping", given=str(options.mapping or "nothing"), expected="kg load table FILE --mapping FILE"
        )
    elif source in GENERIC and source != "table":
        _load_claims(source, files, options)
    else:
        _load_published(source, files, options)


def _load_claims(form: str, files: list[Path], options: LoadOptions) -> None:
    """Load claims in the exchange form, or RDF: a file whole or not at all."""
    from kg.build.writing import load_files
    from kg.cli.progress import shown_progress

    if options.rejects is not None:
        raise UsageError(
            field="--rejects", given=str(options.rejects), expected=f"no such option: {form} load whole or not at all"
        )
    with shown_progress() as progress:
        written = options.writing(progress)
        loaded = load_files(files, edition=options.day, dry_run=options.dry_run, form=form, **written)
    _show_claims(files, loaded, options)


def _load_published(source: str, files: list[Path], options: LoadOptions) -> None:
    """Load published files row by row; exit code 1 where a row was refused."""
    from kg.build.writing import load_source
    from kg.cli.progress import shown_progress

    with shown_progress() as progress:
        published = load_source(
            source,
            files,
            edition=options.day,
            mapping=options.mapping,
            rejects=options.rejects,
            dry_run=options.dry_run,
            **options.writing(progress),
        )
    _show_published(published, options)
    if published.rejected:
        raise typer.Exit(1)


def _draft(source: str, files: list[Path], options: StoreOptions) -> None:
    """Print a mapping that reads the table, as far as its heads and cells tell."""
    from kg.cli.options import open_for_reading
    from kg.content.vocabulary import read_vocabulary
    from kg.ingest.draft import draft_mapping

    if source != "table" or len(files) != 1:
        raise UsageError(field="--draft-mapping", given=source, expected="kg load table FILE --draft-mapping, one file")
    graph = open_for_reading(options.store, options.content, quiet=options.quiet)

    def is_name(text: str) -> bool:
        return any(row["match"] == "named" for row in graph.ask("names/resolve", thing=[text]).dicts())

    typer.echo(draft_mapping(files[0], read_vocabulary(graph.content), is_name), nl=False)
    options.tell(f"put it into a file, correct what is marked, then: kg load table {files[0]} --mapping FILE --dry-run")


def _template(source: str | None) -> None:
    from kg.ingest.exchange_files import TEMPLATE

    if source not in (None, "claims"):
        raise UsageError(field="--template", given=source, expected="kg load claims --template; a source has a mapping")
    typer.echo(TEMPLATE, nl=False)


def _load_all(source: str | None, files: list[Path], options: LoadOptions) -> None:
    """Load every file of some folders through the source that takes it."""
    from kg.build.writing import load_all_sources
    from kg.cli.progress import shown_progress

    if source is None or options.mapping is not None:
        given = "--mapping" if options.mapping is not None else "nothing to load"
        raise UsageError(field="--all", given=given, expected="kg load --all FOLDER, without a source")
    with shown_progress() as progress:
        loads = load_all_sources(
            [Path(source), *files],
            edition=options.day,
            rejects=options.rejects,
            dry_run=options.dry_run,
            **options.writing(progress),
        )
    if not loads:
        raise UsageError(
            field="--all",
            given="folders in which no source takes a file",
            expected="kg load --list shows what can be loaded",
        )
    _show_loads(loads, options)
    if any(one.rejected for _, one in loads):
        raise typer.Exit(1)


def _show_loads(loads: "list[tuple[str, PublishedLoad]]", options: LoadOptions) -> None:
    """What it comes to, then one line a source without what is nought everywhere where it is wide; JSON has every file."""
    from kg.cli.render import write_json, write_rows
    from kg.ingest.intake import Report

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
        alike.setdefault((folder.is_absolute(), tuple(found)), []).append(folder)
    for (_, names), places in alike.items():
        below = f"{commonpath(places) or '.'}, in each of {len(places)} folders"
        where = below if len(places) > 1 else str(places[0])
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        yield f"  {where}: {', '.join(names[:_MOST_NAMED])}{more}"


def _list(source: str | None, options: LoadOptions) -> None:
    """What can be loaded: on a terminal a line or two each; of one source, and in other forms, its shapes and licence too."""
    from kg.cli.render import write_rows
    from kg.content.folders import find_content
    from kg.ingest.sources import get_loader, loader_names

    root = find_content(Path(options.content) if options.content else None)
    names = loader_names(root) if source is None else [source] if source not in GENERIC else []
    loaders = {name: get_loader(root, name).mapping for name in names}
    generic = {name: about for name, about in GENERIC.items() if source in (None, name)}
    if options.form is Format.table and source is None:
        listed = [
            *generic.items(),
            *((name, f"{one.title} ({', '.join(one.shapes)})") for name, one in loaders.items()),
        ]
        write_rows(("source", "loads (shapes of files)"), listed, options.form)
        options.tell("kg load SOURCE --list tells the shapes and the licence of one")
        return
    rows: list[tuple[str, str, str, str]] = [(name, "", about, "") for name, about in generic.items()]
    for name, mapping in loaders.items():
        rows.append((name, "", mapping.title, mapping.licence))
        rows.extend((name, shape, one.about, "") for shape, one in mapping.shapes.items())
    write_rows(("source", "shape", "loads", "licence"), rows, options.form)


def _row_counts(report: "Report") -> tuple[int, ...]:
    """What became of the rows, under `_count_titles`."""
    skipped = sum(report.skipped.values())
    claims = (getattr(report, name) for name in CLAIM_COUNTS.values())
    return (report.read, report.loaded, report.unchanged, skipped, report.rejected, *claims)


def _count_titles(*, dry_run: bool) -> tuple[str, ...]:
    verb = "would be loaded" if dry_run else "loaded"
    return ("rows", verb, "unchanged", "skipped", "rejected", *CLAIM_COUNTS)


def _show_published(loaded: "PublishedLoad", options: LoadOptions) -> None:
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
    from kg.ingest.intake import Report

    found: dict[tuple[str, str], list[Report]] = {}
    for one in files:
        found.setdefault((one.shape, one.edition), []).append(one)
    return [Report.summed(f"{len(group)} files", group) if len(group) > 1 else group[0] for group in found.values()]


def _show_claims(files: list[Path], loaded: "list[LoadedFile]", options: LoadOptions) -> None:
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
        yield f"the file {verb} what the store said of {_named(superseded)}"
    if older := [name for one in loaded for name in one.older]:
        yield f"the store keeps what it says of {_named(older)}: a later --edition of the file counts"
    if left := sum(one.left_out for one in loaded):
        yield (
            f"{counted(left, 'finding')} on citations {'is' if left == 1 else 'are'} left out: made from seeds/citations, "
            "which this content does not have for the source"
        )


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"
