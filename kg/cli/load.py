"""`kg load`: published files through their mappings, any table with a mapping given, claims in the exchange form, and RDF."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.load_forms import show_claims, show_loads, show_published
from kg.cli.load_options import LoadOptions
from kg.cli.options import Format, StoreOptions, named_path
from kg.errors import UsageError

GENERIC = {
    "claims": "claims, entities and sources: JSON Lines (the form of kg export jsonl), YAML (that form, or that of seeds/claims) or CSV (--template prints one)",
    "rdf": "claims, entities and sources: Turtle, TriG, N-Triples, N-Quads or JSON-LD in the terms of ontology/",
    "table": "any CSV, TSV, JSON, XLSX or Parquet table, with --mapping FILE (--draft-mapping prints one to correct)",
}


_AllSourcesOption = Annotated[
    bool, typer.Option("--all", help="load every file of these folders through the source that takes it")
]
_TemplateOption = Annotated[
    bool, typer.Option("--template", help="print a CSV for kg load claims with a source and a claim to write over")
]
_FilesArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE...", help="files or folders to load", parser=named_path),
]
_ListSourcesOption = Annotated[
    bool, typer.Option("--list", help="list what can be loaded, or the shapes of one source")
]


def load(
    source: Annotated[str | None, typer.Argument(help="claims, rdf, table, or a folder of loaders/")] = None,
    files: _FilesArgument = None,
    *,
    all_sources: _AllSourcesOption = False,
    template: _TemplateOption = False,
    list_sources: _ListSourcesOption = False,
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
    show_claims(files, loaded, options)


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
    show_published(published, options)
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

    def ids_named(text: str) -> list[str]:
        rows = graph.ask("names/resolve", thing=[text]).dicts()
        return [str(row["entity"]) for row in rows if row["match"] == "named"]

    typer.echo(draft_mapping(files[0], read_vocabulary(graph.content), ids_named), nl=False)
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
    show_loads(loads, options)
    if any(one.rejected for _, one in loads):
        raise typer.Exit(1)


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
