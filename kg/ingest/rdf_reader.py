"""Parses RDF inside the isolated process: nothing is fetched, document types are refused, size is bounded."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from kg.ingest.decode import is_packed
from kg.ingest.errors import FileDamaged, LimitExceeded

MOST_TRIPLES = 50_000_000
_FORMATS = {"turtle": "TURTLE", "trig": "TRIG", "ntriples": "N_TRIPLES", "nquads": "N_QUADS"}


def quads(form: str, path: str) -> Iterator[list[str]]:
    """Subject, predicate, object of each triple, and for a literal its datatype; blank nodes begin with `_:`."""
    with gzip.open(path) if is_packed(Path(path)) else open(path, "rb") as file:
        yield from _quads(form, path, cast(IO[bytes], file))


def _quads(form: str, path: str, file: IO[bytes]) -> Iterator[list[str]]:
    import pyoxigraph

    if form == "jsonld":
        parsed = pyoxigraph.parse(input=_plain_json_ld(file.read()), format=pyoxigraph.RdfFormat.JSON_LD)
    else:
        known = getattr(pyoxigraph.RdfFormat, _FORMATS[form])
        # by its path the engine reads a file itself, which takes less time
        is_plain = not isinstance(file, gzip.GzipFile)
        parsed = pyoxigraph.parse(path=path, format=known) if is_plain else pyoxigraph.parse(input=file, format=known)
    try:
        for count, quad in enumerate(parsed):
            if count > MOST_TRIPLES:
                raise LimitExceeded(given=f"more than {MOST_TRIPLES} triples", expected="a smaller file")
            subject, target = _name(quad.subject), quad.object
            if isinstance(target, pyoxigraph.Literal):
                yield [subject, quad.predicate.value, target.value, target.datatype.value]
            elif isinstance(target, pyoxigraph.NamedNode | pyoxigraph.BlankNode):
                yield [subject, quad.predicate.value, _name(target)]
            else:
                raise FileDamaged(given="a triple inside a triple", expected="plain triples")
    except SyntaxError as cause:
        raise FileDamaged(
            given=str(cause).splitlines()[0][:200],
            expected=f"{form} that is whole",
            line=getattr(cause, "lineno", None),
        ) from cause


def _name(node: Any) -> str:
    import pyoxigraph

    return f"_:{node.value}" if isinstance(node, pyoxigraph.BlankNode) else str(node.value)


def _plain_json_ld(data: bytes) -> bytes:
    """JSON-LD without contexts from elsewhere: one that is named by its address is refused, unless it is ours."""
    try:
        value = json.loads(data)
    except RecursionError as cause:
        raise LimitExceeded(given="objects in one another", expected="at most 64 of them") from cause
    except ValueError as cause:
        raise FileDamaged(given=str(cause)[:120], expected="JSON-LD") from cause
    _check_contexts(value, 0)
    return data


def _check_contexts(value: object, depth: int) -> None:
    if depth > 64:
        raise LimitExceeded(given="objects in one another", expected="at most 64 of them")
    if isinstance(value, list):
        for one in value:
            _check_contexts(one, depth + 1)
    if isinstance(value, dict):
        context = value.get("@context")
        for one in context if isinstance(context, list) else [context]:
            named = one if isinstance(one, str) else one.get("@import") if isinstance(one, dict) else None
            if named is not None:
                raise FileDamaged(
                    given=str(named)[:200], expected="a context written out in the file: contexts are never fetched"
                )
        for one in value.values():
            _check_contexts(one, depth + 1)
