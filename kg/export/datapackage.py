"""A Frictionless data package: the CSV tables with a descriptor of their columns, keys, sizes and digests."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import orjson

from kg.export.csv_tables import csv_files
from kg.export.tables import TABLES, ExportTable, TableColumn

DESCRIPTOR = "datapackage.json"


def datapackage(records: Iterable[Mapping[str, object]], *, version: str, content: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package, the descriptor last: it knows how many bytes each table has and their digests."""
    digests = {name: sha256() for name in TABLES}
    sizes = dict.fromkeys(digests, 0)
    for name, piece in csv_files(records):
        table = name.removesuffix(".csv")
        digests[table].update(piece)
        sizes[table] += len(piece)
        yield name, piece
    resources = [_resource(table, sizes[name], digests[name].hexdigest()) for name, table in TABLES.items()]
    descriptor = {
        "profile": "tabular-data-package",
        "name": "accelkg",
        "title": "Claims about AI accelerators, with their provenance",
        "description": "Text cells that begin with = + - @ ' or a control character and are no numbers have an apostrophe before them; take it away to get the text.",
        "version": version,
        "id": f"content:{content}",
        "licenses": [
            {"name": "Apache-2.0", "path": "https://www.apache.org/licenses/LICENSE-2.0", "title": "Apache License 2.0"}
        ],
        "resources": resources,
    }
    yield DESCRIPTOR, orjson.dumps(descriptor, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _resource(table: ExportTable, size: int, digest: str) -> dict[str, Any]:
    keys = [
        {"fields": one.name, "reference": {"resource": one.refers[0], "fields": one.refers[1]}}
        for one in table.columns
        if one.refers is not None
    ]
    schema: dict[str, Any] = {"fields": [_field(one, table) for one in table.columns], "missingValues": [""]}
    schema["primaryKey"] = list(table.key)
    if keys:
        schema["foreignKeys"] = keys
    return {
        "name": table.name,
        "title": table.about,
        "path": f"{table.name}.csv",
        "profile": "tabular-data-resource",
        "scheme": "file",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "quoteChar": '"', "doubleQuote": True, "header": True},
        "bytes": size,
        "hash": f"sha256:{digest}",
        "schema": schema,
    }


def _field(column: TableColumn, table: ExportTable) -> dict[str, Any]:
    field: dict[str, Any] = {"name": column.name, "type": column.type}
    if column.about:
        field["description"] = column.about
    if column.name in table.key:
        field["constraints"] = {"required": True}
    return field
