"""The derived set on disk: what was concluded from one state of the ledger, stamped with it; rebuilt at will."""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from kg.ledger import durable

Json = dict[str, Any]


def write_derived(
    folder: Path, stamp: Mapping[str, Any], records: Iterable[Mapping[str, Any]], *, keep: str | None = None
) -> Path:
    """Write the derived set of one stamp and drop the sets of older ones, but for the head to `keep`: it has readers."""

    def compressed() -> Iterator[bytes]:
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        yield packer.compress(orjson.dumps({"record": "derived", **stamp}, option=orjson.OPT_APPEND_NEWLINE))
        for record in records:
            yield packer.compress(orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE))
        yield packer.flush()

    path = folder / f"{stamp['head'][:16]}-{stamp['rules']}.jsonl.gz"
    durable.write_whole(path, compressed())
    for old in folder.glob("*.jsonl.gz"):
        if old != path and (keep is None or not old.name.startswith(f"{keep[:16]}-")):
            old.unlink(missing_ok=True)
    return path


def read_derived(folder: Path, head: str, rules: int) -> Iterator[Json]:
    """The records of the derived set of a state; nothing when it was not computed."""
    path = folder / f"{head[:16]}-{rules}.jsonl.gz"
    if not path.is_file():
        return
    with gzip.open(path, "rb") as file:
        for position, line in enumerate(file):
            if position:
                yield orjson.loads(line)
