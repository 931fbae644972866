"""An RO-Crate (1.1, https://www.researchobject.org/ro-crate/1.1/): the tables with metadata that repositories read.

The metadata file comes last, since it says how large each file is and what its digest is.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

import orjson

from kg.export.csv_tables import csv_files
from kg.export.tables import TABLES
from kg.model.json_types import JsonMapping

METADATA: Final = "ro-crate-metadata.json"
_PROFILE: Final = "https://w3id.org/ro/crate/1.1"
_CURATORS: Final = "#curators"
_DESCRIPTION: Final = (
    "Claims about AI accelerators, systems and models, each with its figure as printed, its source, its position there and "
    "the verdict of the audit. Text cells that begin with a sign that a spreadsheet would run have an apostrophe before them."
)
_LICENCE: Final = "https://www.apache.org/licenses/LICENSE-2.0"


def ro_crate(
    records: Iterable[Mapping[str, object]], *, version: str, content: str, title: str
) -> Iterator[tuple[str, bytes]]:
    """The files of a crate: the tables of the CSV export and the metadata; its date is that of the newest claim or source."""
    sizes: dict[str, int] = {}
    digests: dict[str, Any] = {}
    # Neither a clock nor a file's time: the same state has to give the same bytes.
    dated = _Newest()
    for name, piece in csv_files(dated.watch(records)):
        sizes[name] = sizes.get(name, 0) + len(piece)
        digests.setdefault(name, sha256()).update(piece)
        yield name, piece
    files = [_file(name, sizes[name], digests[name].hexdigest()) for name in sizes]
    document = _metadata(files, title=title, published=dated.date, version=version, content=content)
    yield METADATA, orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _metadata(files: list[dict[str, Any]], *, title: str, published: str, version: str, content: str) -> dict[str, Any]:
    """The metadata document: the data set with its files, its licence and who made it."""
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": title,
        "description": _DESCRIPTION,
        "datePublished": published,
        "version": version,
        "identifier": f"content:{content}",
        "license": {"@id": _LICENCE},
        "hasPart": [{"@id": one["@id"]} for one in files],
        "author": {"@id": _CURATORS},
        "publisher": {"@id": _CURATORS},
        "mentions": {"@id": "#accelkg"},
    }
    graph = [
        {"@id": METADATA, "@type": "CreativeWork", "conformsTo": {"@id": _PROFILE}, "about": {"@id": "./"}},
        root,
        *files,
        {
            "@id": _LICENCE,
            "@type": "CreativeWork",
            "name": "Apache License 2.0",
            "identifier": "Apache-2.0",
            "description": "The licence of this data set; figures are facts with their sources.",
        },
        {"@id": _CURATORS, "@type": "Organization", "name": "Curators of accelkg"},
        {"@id": "#accelkg", "@type": "SoftwareApplication", "name": "accelkg", "softwareVersion": version},
    ]
    return {"@context": f"{_PROFILE}/context", "@graph": graph}


class _Newest:
    """Sees records go by and keeps the newest date that one of them carries."""

    date = "1970-01-01"
    """The metadata must have a date; a graph in which nothing is dated has the first one."""

    def watch(self, records: Iterable[JsonMapping]) -> Iterator[JsonMapping]:
        """The records as they come."""
        for one in records:
            self.date = max(self.date, one.get("published") or "", one.get("said_on") or "")
            yield one


def _file(name: str, size: int, digest: str) -> dict[str, Any]:
    table = TABLES[name.removesuffix(".csv")]
    return {
        "@id": name,
        "@type": "File",
        "name": table.name,
        "description": f"{table.about}; columns: {', '.join(one.name for one in table.columns)}",
        "encodingFormat": "text/csv",
        "contentSize": str(size),
        "sha256": digest,
    }
