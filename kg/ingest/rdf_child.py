"""Parses RDF inside the child process: nothing is fetched, document types are refused, size is bounded."""

import json
import sys
from pathlib import Path
from typing import Any

from kg.ingest.refusal import refuse

MOST_TRIPLES = 50_000_000
_FORMATS = {"turtle": "TURTLE", "trig": "TRIG", "ntriples": "N_TRIPLES", "nquads": "N_QUADS"}


def write_quads(form: str, path: str) -> None:
    """One JSON line a triple: subject, predicate, object, and for a literal its datatype; blank nodes begin with `_:`."""
    import pyoxigraph

    write = sys.stdout.write
    if form == "jsonld":
        data = _plain_json_ld(Path(path).read_bytes())
        parsed = pyoxigraph.parse(input=data, format=pyoxigraph.RdfFormat.JSON_LD)
    else:
        parsed = pyoxigraph.parse(path=path, format=getattr(pyoxigraph.RdfFormat, _FORMATS[form]))
    try:
        for count, quad in enumerate(parsed):
            if count > MOST_TRIPLES:
                refuse("limit", f"more than {MOST_TRIPLES} triples", "a smaller file")
            target = quad.object
            if isinstance(target, pyoxigraph.Literal):
                line = [str(quad.subject.value), quad.predicate.value, target.value, target.datatype.value]
            elif isinstance(target, pyoxigraph.NamedNode | pyoxigraph.BlankNode):
                line = [_name(quad.subject), quad.predicate.value, _name(target)]
            else:
                refuse("format", "a triple inside a triple", "plain triples")
            line[0] = _name(quad.subject)
            write(json.dumps(line, ensure_ascii=False) + "\n")
    except SyntaxError as cause:
        refuse("format", str(cause).splitlines()[0][:200], f"{form} that is whole", getattr(cause, "lineno", None))


def _name(node: Any) -> str:
    import pyoxigraph

    return f"_:{node.value}" if isinstance(node, pyoxigraph.BlankNode) else str(node.value)


def _plain_json_ld(data: bytes) -> bytes:
    """JSON-LD without contexts from elsewhere: one that is named by its address is refused, unless it is ours."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as cause:
        refuse("format", f"{type(cause).__name__}: {str(cause)[:120]}", "JSON-LD")
    _check_contexts(value, 0)
    return data


def _check_contexts(value: Any, depth: int) -> None:
    if depth > 64:
        refuse("limit", "objects in one another", "at most 64 of them")
    if isinstance(value, list):
        for one in value:
            _check_contexts(one, depth + 1)
    if isinstance(value, dict):
        context = value.get("@context")
        for one in context if isinstance(context, list) else [context]:
            if isinstance(one, str):
                refuse("format", one[:200], "a context written out in the file: contexts are never fetched")
            if isinstance(one, dict) and "@import" in one:
                refuse(
                    "format", str(one["@import"])[:200], "a context written out in the file: contexts are never fetched"
                )
        for one in value.values():
            _check_contexts(one, depth + 1)
