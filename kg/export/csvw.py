"""What the CSV tables hold, in the words of CSV on the Web (W3C): types, keys and the tables that columns lead to.

https://www.w3.org/TR/tabular-metadata/; the file has the name under which processors look for it next to a table.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import orjson

from kg.export.csv_tables import csv_files
from kg.export.tables import TABLES, ExportTable, TableColumn

METADATA: Final = "csv-metadata.json"
_NEUTRAL: Final = (
    "An apostrophe stands before a text that a spreadsheet would take for a formula; without it, it is the text."
)


def described_csv_files(records: Iterable[Mapping[str, object]], *, version: str) -> Iterator[tuple[str, bytes]]:
    """The tables, and the file that describes them all."""
    yield from csv_files(records)
    described = {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "dc:title": "Claims about AI accelerators, with their provenance",
        "dc:description": _NEUTRAL,
        "dc:license": {"@id": "https://www.apache.org/licenses/LICENSE-2.0"},
        "dc:hasVersion": version,
        "dialect": {"lineTerminators": ["\r\n"]},
        "tables": [_table(one) for one in TABLES.values()],
    }
    yield METADATA, orjson.dumps(described, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _table(table: ExportTable) -> dict[str, Any]:
    keys = [
        {
            "columnReference": one.name,
            "reference": {"resource": f"{one.refers[0]}.csv", "columnReference": one.refers[1]},
        }
        for one in table.columns
        if one.refers is not None
    ]
    schema: dict[str, Any] = {"columns": [_column(one, table) for one in table.columns], "primaryKey": list(table.key)}
    if keys:
        schema["foreignKeys"] = keys
    return {"url": f"{table.name}.csv", "dc:description": table.about, "tableSchema": schema}


def _column(column: TableColumn, table: ExportTable) -> dict[str, Any]:
    described: dict[str, Any] = {"name": column.name, "titles": column.name, "datatype": column.type}
    if column.about:
        described["dc:description"] = column.about
    if column.name in table.key:
        described["required"] = True
    return described
