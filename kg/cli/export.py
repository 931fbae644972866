"""`kg export`: the graph in an exchange form."""

from contextlib import nullcontext
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from kg.cli.options import StoreOptions, open_for_reading, output_to

if TYPE_CHECKING:
    from kg.model.recorded import ClaimRecord

FORMATS = "jsonl, turtle, trig, nquads, jsonld, graphml, gexf, cytoscape, specs, csv, cypher, neo4j-import, nanopub, datapackage, parquet, ro-crate, duckdb"
_TIMEOUT_SECONDS = 24 * 3600.0


_OutputOption = Annotated[
    Path | None,
    output_to(
        "file to write (default: standard output); a folder or a name ending in .zip for csv, neo4j-import, datapackage, parquet, ro-crate"
    ),
]
_SourceOption = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="ID", help="only claims of this source, and what they need; may be repeated"),
]
_ThingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--thing",
        metavar="NAME",
        help="only claims about or against this thing and its family, and what they need; may be repeated",
    ),
]
_CheckOption = Annotated[
    Path | None,
    typer.Option(
        "--check", metavar="FILE", help="write nothing; compute the addresses in a file of nanopublications again"
    ),
]


def export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=FORMATS)],
    *,
    options: StoreOptions,
    output: _OutputOption = None,
    source: _SourceOption = None,
    thing: _ThingOption = None,
    check: _CheckOption = None,
) -> None:
    """Write the graph, or a part of it, in a form that other tools open; jsonl loads again without loss (kg load claims).

    Example: kg export turtle -o accelkg.ttl
    """
    from kg.cli.progress import shown_progress
    from kg.cli.shown import data_bytes
    from kg.errors import UsageError
    from kg.export import formats as exports
    from kg.export.exchange import silent
    from kg.export.part import part_of

    tell = options.tell
    if check is not None:
        if form != "nanopub":
            raise UsageError(field="--check", given=form, expected="nanopub")
        tell(f"{len(exports.check_nanopub_file(check)):,} nanopublications are what their addresses promise")
        return
    kind = exports.get_format(form)
    graph = open_for_reading(options.store, options.content, quiet=options.quiet, timeout=_TIMEOUT_SECONDS)
    part = part_of(graph, sources=source or (), things=thing or ())
    claims = takewhile(lambda one: one["record"] == "claim", graph.records())
    if not part.is_all and not any(part.chooses(cast("ClaimRecord", one)) for one in claims):
        tell("no claim is in this part: no such source is about such a thing; what is written holds no record")
    if output is None or str(output) == "-":
        exports.export_to_stream(graph, kind.name, data_bytes(), part=part)
        return
    with nullcontext(silent) if options.quiet else shown_progress() as progress:
        written = exports.export(graph, kind.name, output, progress, part=part)
    files = f"{len(written.files)} files in {output}" if len(written.files) > 1 else str(output)
    tell(f"{written.bytes:,} bytes, {files}")
