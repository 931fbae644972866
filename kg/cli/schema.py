"""`kg schema`: what a query can name."""

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import ContentOption, Format, LimitOption
from kg.cli.screen import WideOption, show_text
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.ask.schema_terms import SchemaTerm

PARTS = ("classes", "properties", "labels", "relationships", "prefixes")
COLUMNS = ("name", "kind", "about", "example")
Entry = tuple[str, str, str, str | None]


class SchemaFormat(StrEnum):
    """The forms in which rows can be written, and JSON Schema of records."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    markdown = "markdown"
    json_schema = "json-schema"


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[PART|TERM]", help=f"{', '.join(PARTS)}, or a term such as k:Claim or SUBJECT"),
    ] = None,
    form: Annotated[
        SchemaFormat, typer.Option("--format", help="table, json, jsonl, csv or markdown; json-schema: of records")
    ] = SchemaFormat.table,
    limit: LimitOption = None,
    content: ContentOption = None,
    wide: WideOption = False,
) -> None:
    """What a query can name: classes and properties of the RDF view, labels and relationships of the property graph, prefixes.

    With --format json-schema, JSON Schema of every kind of record, or of one (kg schema claim --format json-schema): of the
    lines of kg export jsonl and kg read --format jsonl.

    Example: kg schema k:Claim
    """
    if form is SchemaFormat.json_schema:
        sys.stdout.write(_record_schema(name))
        return
    from pathlib import Path

    from kg.ask.schema_terms import read_terms
    from kg.cli.render import write_rows
    from kg.content.folders import find_content

    terms = read_terms(find_content(Path(content) if content else None))
    parts = {part: entries(part, terms) for part in PARTS}
    if name is None and form is SchemaFormat.table:
        sys.stdout.write("".join(f"{line}\n" for line in _overview(parts)))
        return
    chosen = parts[name] if name in parts else _matching(parts, name)
    if form is SchemaFormat.table and name is not None:
        lines = [line for entry in chosen[:limit] for line in _lines(entry, brief=len(chosen) > 1)]
        show_text("".join(f"{line}\n" for line in lines), whole=wide or limit is not None)
    else:
        write_rows(COLUMNS, chosen[:limit], Format(form.value))


def _record_schema(name: str | None) -> str:
    """JSON Schema of all records, or of the kind of a name, as text."""
    import json

    from kg.projection.json_schema import json_schema
    from kg.reading.proposal_lines import ProposalLine

    schema = json_schema({"proposal": ProposalLine})
    if name is not None:
        if name not in schema["$defs"]:
            raise UsageError("is no kind of record.", given=name, expected=", ".join(schema["$defs"]))
        schema |= {"anyOf": [{"$ref": f"#/$defs/{name}"}]}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def entries(part: str, terms: "dict[str, SchemaTerm]") -> list[Entry]:
    """The entries of one part: name, kind, what it is, an example."""
    if part in ("classes", "properties"):
        kind = "class" if part == "classes" else "property"
        return [(one.name, kind, _about(one), one.example) for one in terms.values() if one.kind == kind]
    if part == "prefixes":
        from kg.model.vocabulary import PREFIXES

        example = (
            "id:org\\/nvidia; slashes and dots need a backslash, or write <https://w3id.org/accelkg/id/org/nvidia>"
        )
        return [(f"{one}:", "prefix", iri, example if one == "id" else None) for one, iri in PREFIXES.items()]
    from kg.projection.graph_schema import graph_schema

    if part == "labels":
        return [
            (
                table.name,
                "label",
                f"{table.about}; properties: {', '.join(table.names)}",
                f"MATCH (n:{table.name}) RETURN n.uid LIMIT 5",
            )
            for table in graph_schema().nodes
        ]
    return [
        (
            one.type,
            "relationship",
            "; ".join(f"(:{start})-[:{one.type}]->(:{end})" for start, end in one.pairs),
            f"MATCH (a:{one.pairs[0][0]})-[:{one.type}]->(b) RETURN a.uid, b.uid LIMIT 5",
        )
        for one in graph_schema().relationships
    ]


def _about(term: "SchemaTerm") -> str:
    joined = f" ({term.domain or 'anything'} to {term.range or 'anything'})" if term.kind == "property" else ""
    return f"{term.label}{joined}: {term.definition}"


def _overview(parts: dict[str, list[Entry]]) -> list[str]:
    from kg.render.lines import row, wrapped

    lines = wrapped("What a query can name. kg schema PART lists a part, kg schema TERM tells one.")
    for part, found in parts.items():
        names = [name for name, *_ in found]
        lines += row(part, f"{len(names)}: {', '.join(names[:6])}{', …' if len(names) > 6 else ''}")
    return [
        *lines,
        *row("SPARQL", 'kg query "SELECT ?c WHERE { ?c a k:ComparisonClaim } LIMIT 5"'),
        *row("Cypher", 'kg query "MATCH (c:Claim)-[:SUBJECT]->(s) RETURN c.uid, s.label LIMIT 5"'),
    ]


def _matching(parts: dict[str, list[Entry]], name: str | None) -> list[Entry]:
    """The entries of a term, with or without its prefix; without a name all."""
    from rapidfuzz import fuzz, process

    every = [entry for found in parts.values() for entry in found]
    if name is None:
        return every
    chosen = [one for one in every if name in (one[0], one[0].partition(":")[2], one[0].rstrip(":"))]
    if not chosen:
        near = process.extract(name, [one[0] for one in every], scorer=fuzz.WRatio, limit=4, score_cutoff=60)
        raise UsageError(
            "is no part of the schema and no term.",
            given=name,
            expected=f"{', '.join(PARTS)}, or a term that they list",
            next_step=f"Did you mean {', '.join(one for one, _, _ in near)}?" if near else None,
        )
    return chosen


def _lines(entry: Entry, *, brief: bool) -> list[str]:
    from kg.render.lines import row, wrapped

    name, kind, about, example = entry
    if brief:
        return wrapped(f"{name}  {about}", "    ", first="")
    return [f"{name} ({kind})", *row("is", about), *(row("example", example) if example else [])]
