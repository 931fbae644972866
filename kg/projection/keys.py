"""The derived keys of a claim as triples."""

from collections.abc import Mapping
from typing import Any

from kg.model.derived import Keys
from kg.model.vocabulary import claim_iri, expand
from kg.projection.literals import number, quoted

Json = Mapping[str, Any]

_P = {name: f" <{expand(name)}> " for name in (
    "k:statementKey", "k:valueBucket", "k:status", "k:canonicalValue", "k:canonicalLower", "k:canonicalUpper",
    "k:canonicalUnit", "k:quantityKind",
)}  # fmt: skip


def key_lines(record: Json, keys: Keys) -> str:
    """The triples of the derived keys."""
    iri = claim_iri(record["id"])
    node = f"<{iri}>"
    out = [f'{node}{_P["k:statementKey"]}{quoted(keys.statement)} .\n{node}{_P["k:status"]}"current" .\n']
    out.extend(f'{node}{_P["k:valueBucket"]}"{one}" .\n' for one in keys.buckets)
    given = keys.canonical
    if given is not None:
        inner = f"<{iri}#quantity>"
        _, _, value, _, low, high = keys.numbers
        for name, end in (("k:canonicalValue", value), ("k:canonicalLower", low), ("k:canonicalUpper", high)):
            if end is not None:
                out.append(f"{inner}{_P[name]}{number(end)} .\n")
        out.append(
            f"{inner}{_P['k:canonicalUnit']}{quoted(given.unit)} .\n{inner}{_P['k:quantityKind']}{quoted(given.kind)} .\n"
        )
    return "".join(out)
