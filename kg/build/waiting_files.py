"""Files that have to be loaded again, because a name in their rows means something else by now."""

import shlex
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from kg.content.resolution import Resolver
from kg.ingest.errors import NAMES
from kg.ledger.edition import plain_edition
from kg.model.ledger_records import RejectedRecord
from kg.model.names import KIND_OF_NAME, name_key


@dataclass(frozen=True, slots=True, order=True)
class Waiting:
    """A file to load again: rows of it were refused, or stand under a thing, for names that mean something else by now."""

    source: str
    file: str
    names: tuple[str, ...]
    rows: int
    command: str


def load_command(source: str, file: str, edition: str, mapping: str = "") -> str:
    """What loads a file again; with its day where the name of the file does not hold it, and its mapping where that is none of `loaders/`.

    >>> load_command("skypilot", "lambda_vms.csv", "2025-12-20"), load_command("shop", "prices-2026-01-02.csv", "2026-01-02")
    ('kg load skypilot lambda_vms.csv --edition 2025-12-20', 'kg load shop prices-2026-01-02.csv')
    >>> load_command("shop", "my prices;2026-01-02.csv", "2026-01-02")
    "kg load shop 'my prices;2026-01-02.csv'"
    """
    edition = plain_edition(edition)
    is_clear = edition in file or not edition[:4].isdigit() or len(edition) != 10
    words = ["table", file, "--mapping", mapping] if mapping else [source, file]
    return shlex.join(["kg", "load", *words, *([] if is_clear else ["--edition", edition])])


def waiting_rows(
    rejected: Iterable[RejectedRecord], resolver: Resolver, *, name: str | None = None
) -> tuple[Waiting, ...]:
    """The files whose rows were refused for names that are known by now; `name` asks for one name only."""
    rows: Counter[tuple[str, str, str, str]] = Counter()
    names: dict[tuple[str, str, str, str], dict[str, None]] = {}
    for record in rejected:
        given = str(record.get("given", ""))
        if record.get("code") != NAMES or (name is not None and name_key(given) != name_key(name)):
            continue
        kind = str(record.get("kind", "any"))
        if not resolver.possible(kind if kind in KIND_OF_NAME else "any", given)[0]:
            continue
        if resolver.resolve(kind if kind in KIND_OF_NAME else "any", given).how == "ambiguous":
            continue
        mapping = str(record.get("kept", {}).get("mapping", ""))
        key = (str(record["source"]), str(record.get("file", "the file")), str(record.get("edition", "")), mapping)
        rows[key] += 1
        names.setdefault(key, {})[given] = None
    return tuple(
        Waiting(key[0], key[1], tuple(names[key]), count, load_command(*key)) for key, count in sorted(rows.items())
    )
