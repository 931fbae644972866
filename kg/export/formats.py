"""Exports: which formats there are, what each is made from, and writing one to a file, folder or stream."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import orjson

from kg.errors import ContentError, UsageError
from kg.export.exchange import Progress, Records, exchange_records, silent
from kg.export.part import EVERYTHING, Selection
from kg.export.target import write_file, write_folder, write_stream
from kg.export.whole_network import Network

if TYPE_CHECKING:
    from kg.ask.opened import Opened
    from kg.export.nanopub import CheckedNanopubs

Pieces = Iterator[tuple[str, bytes]]


class NoLedger(UsageError):
    """An export needs the ledger, and the folder does not hold one."""

    code = "store.server"


class NanopubDamaged(ContentError):
    """A file of nanopublications does not hold what its addresses promise."""

    code = "export.nanopub"


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One form of export: one file, or several that belong together."""

    name: str
    about: str
    file: "Callable[[Opened, Progress, Selection], Iterable[bytes]] | None" = None
    folder: "Callable[[Opened, Progress, Selection], Pieces] | None" = None


def _jsonl(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    for record in exchange_records(graph, progress, part):
        yield orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _turtle(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.rdf import readable_prefixes, turtle
    from kg.export.triples_out import triple_pieces

    return turtle(triple_pieces(graph, progress, part, grouped=False), readable_prefixes(graph))


def _trig(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.rdf import readable_prefixes, trig
    from kg.export.triples_out import triple_pieces

    return trig(triple_pieces(graph, progress, part), readable_prefixes(graph))


def _nquads(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.rdf import nquads
    from kg.export.triples_out import triple_pieces

    return nquads(triple_pieces(graph, progress, part))


def _jsonld(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.jsonld import jsonld
    from kg.export.triples_out import triple_pieces

    return jsonld(triple_pieces(graph, progress, part, grouped=False))


def _graphml(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.graphml import graphml

    with Network(graph, progress, part) as network:
        yield from graphml(network.nodes(), network.edges())


def _gexf(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.gexf import gexf

    with Network(graph, progress, part) as network:
        yield from gexf(network.nodes(), network.edges())


def _cytoscape(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.cytoscape import cytoscape

    with Network(graph, progress, part) as network:
        yield from cytoscape(network.nodes(), network.edges())


def _specs(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.specs import specs_csv

    return specs_csv(exchange_records(graph, progress, part))


def _ro_crate(graph: "Opened", progress: Progress, part: Selection) -> Pieces:
    from kg.export.ro_crate import ro_crate

    stamp = graph.stamp
    return ro_crate(
        exchange_records(graph, progress, part),
        version=stamp["version"],
        content=stamp["content"],
        title="Claims about AI accelerators, with their provenance" + ("" if part.is_all else " (a part)"),
    )


def _csv(graph: "Opened", progress: Progress, part: Selection) -> Pieces:
    from kg.export.csvw import described_csv_files

    return described_csv_files(exchange_records(graph, progress, part), version=graph.stamp["version"])


def _parquet(graph: "Opened", progress: Progress, part: Selection) -> Pieces:
    from kg.export.columnar import parquet_files

    return parquet_files(graph, progress, part)


def _duckdb(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.columnar import duckdb_file

    return duckdb_file(graph, progress, part)


def _datapackage(graph: "Opened", progress: Progress, part: Selection) -> Pieces:
    from kg.export.datapackage import datapackage

    stamp = graph.stamp
    return datapackage(exchange_records(graph, progress, part), version=stamp["version"], content=stamp["content"])


def _cypher(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.cypher import cypher
    from kg.export.property_rows import property_rows

    return cypher(property_rows(graph, progress, part))


def _neo4j_import(graph: "Opened", progress: Progress, part: Selection) -> Pieces:
    from kg.export.neo4j_import import neo4j_import
    from kg.export.property_rows import property_rows

    return neo4j_import(property_rows(graph, progress, part))


def _nanopub(graph: "Opened", progress: Progress, part: Selection) -> Iterator[bytes]:
    from kg.export.nanopub import nanopubs

    with Records(graph, progress, part) as records:
        yield from nanopubs(records.claims())


FORMATS: Final[dict[str, ExportFormat]] = {
    one.name: one
    for one in (
        ExportFormat("jsonl", "every record with what is derived from it; kg load claims reads it again", _jsonl),
        ExportFormat("turtle", "all triples, as one graph", _turtle),
        ExportFormat(
            "trig",
            "all triples, in a named graph for each source, the registry, the vocabulary and what is derived",
            _trig,
        ),
        ExportFormat("nquads", "the same, one quad a line", _nquads),
        ExportFormat("jsonld", "the triples of turtle as JSON-LD", _jsonld),
        ExportFormat("graphml", "claims, entities and sources as a network, for NetworkX, igraph, yEd", _graphml),
        ExportFormat("gexf", "the same network, for Gephi and sigma.js", _gexf),
        ExportFormat("cytoscape", "the same network as Cytoscape JSON, for Cytoscape and cytoscape.js", _cytoscape),
        ExportFormat(
            "specs", "one wide table as CSV: a row a thing, a column a metric, with verdict and claim", _specs
        ),
        ExportFormat("csv", "tables, one file each, described as CSV on the Web", folder=_csv),
        ExportFormat("cypher", "the property graph as a script for Neo4j", _cypher),
        ExportFormat(
            "neo4j-import", "the property graph as files for the offline importer of Neo4j", folder=_neo4j_import
        ),
        ExportFormat("nanopub", "each claim as a nanopublication with a Trusty URI, in TriG", _nanopub),
        ExportFormat("datapackage", "the tables as a Frictionless data package with its schema", folder=_datapackage),
        ExportFormat(
            "parquet", "the tables as Parquet files, with chains and one wide table of specs", folder=_parquet
        ),
        ExportFormat("ro-crate", "the tables as an RO-Crate, with metadata that repositories read", folder=_ro_crate),
        ExportFormat("duckdb", "the same tables as one DuckDB database", _duckdb),
    )
}


# Endings that name one file: `-o tables.csv` for a format of several files would make a folder of
# that name.
_NAMES_OF_FILES: Final = frozenset({".csv", ".tsv", ".txt", ".json", ".xlsx", ".parquet", ".gz", ".tar"})


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    format: str
    files: tuple[Path, ...]
    bytes: int


def get_format(name: str) -> ExportFormat:
    """A format by its name."""
    try:
        return FORMATS[name]
    except KeyError:
        near = _USUAL_NAMES.get(name.lower().lstrip("."))
        raise UsageError(
            "is not an export format.",
            given=name,
            expected=", ".join(FORMATS),
            next_step=None if near is None else f"Did you mean {near}?",
        ) from None


_USUAL_NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("xlsx", "xls", "excel"), "specs (one table) or csv (all of them), which spreadsheets open"),
    **dict.fromkeys(("ttl", "rdf", "owl"), "turtle"),
    **dict.fromkeys(("nt", "ntriples", "nq"), "nquads"),
    **dict.fromkeys(("json", "ndjson"), "jsonl"),
    "json-ld": "jsonld",
    "neo4j": "neo4j-import or cypher",
    "sql": "duckdb",
}
"""What people call the formats otherwise, or take for one."""


def export(
    graph: "Opened", name: str, target: Path, progress: Progress = silent, *, part: Selection = EVERYTHING
) -> Exported:
    """Write a file, or for formats of several files a folder (an archive where the name ends in `.zip`)."""
    form = get_format(name)
    _check_ledger(graph)
    if form.folder is not None:
        if target.suffix.lower() in _NAMES_OF_FILES and not target.is_dir():
            raise UsageError(
                f"names one file, and {name} has several.",
                field="-o",
                given=str(target),
                expected="a folder, or a name that ends in .zip",
                next_step=f"kg export {name} -o {target.with_suffix('')} or {target.with_suffix('.zip')}",
            )
        names = write_folder(target, form.folder(graph, progress, part))
        target = target.resolve()
        files = (target,) if target.is_file() else tuple(target / one for one in names)
    else:
        assert form.file is not None
        write_file(target, form.file(graph, progress, part))
        files = (target.resolve(),)
    return Exported(name, files, sum(one.stat().st_size for one in files if one.is_file()))


def export_to_stream(graph: "Opened", name: str, out: BinaryIO, *, part: Selection = EVERYTHING) -> None:
    """Write to an open stream; a format of several files has no single one."""
    form = get_format(name)
    _check_ledger(graph)
    if form.file is None:
        raise UsageError(
            "has several files.",
            given=name,
            expected="a folder, or a name that ends in .zip, with -o",
            next_step=f"kg export {name} -o {name}.zip",
        )
    write_stream(out, form.file(graph, silent, part))


def _check_ledger(graph: "Opened") -> None:
    if not (graph.ledger_folder() / "manifest.json").is_file():
        raise NoLedger(
            given=str(graph.folder),
            expected="a store with its ledger",
            next_step="kg pull brings the ledger of a server here",
        )


def check_nanopub_file(path: Path) -> "list[CheckedNanopubs]":
    """Compute the addresses of a file of nanopublications again; raises with every place that is not what it promises."""
    from kg.errors import Mistakes
    from kg.export.nanopub import Damaged, check_nanopubs

    found: list[CheckedNanopubs] = []
    mistakes: list[ContentError] = []
    try:
        with path.open("rb") as source:
            for one in check_nanopubs(source):
                found.append(one)
                if not one.is_whole:
                    about = f"claim {one.claim}, " if one.claim else ""
                    mistakes.append(
                        NanopubDamaged(
                            f"({about}{one.statements} statements) is not what it was.",
                            path=str(path),
                            line=one.line,
                            given=one.address,
                            expected=f"content with the digest of its address; it has {one.expected}",
                            next_step="export the claim again and compare, or get the file from its origin",
                        )
                    )
    except FileNotFoundError as cause:
        raise NanopubDamaged(path=str(path), given="no such file", expected="a file of kg export nanopub") from cause
    except Damaged as cause:
        mistakes.append(NanopubDamaged(path=str(path), line=cause.line, given=str(cause), expected="TriG"))
    if not found and not mistakes:
        mistakes.append(NanopubDamaged(path=str(path), line=1, given="no nanopublication", expected="at least one"))
    Mistakes.raise_any(mistakes)
    return found
