"""Claims, entities and sources out of RDF: by the recorded form that our exports carry, else by the declarations.

What a graph cannot hold (the order of a list, positions of further places) comes back only with the recorded form.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import orjson
import pyoxigraph

from kg.errors import KgError
from kg.ingest.errors import FileDamaged, LimitExceeded
from kg.ingest.foreign import foreign_bytes, foreign_lines
from kg.model.json_types import Json
from kg.model.ledger_records import CurrentRecord
from kg.model.record import Claim, Entity, Part, Source
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Record, Restatement
from kg.model.terms import Link, Prop, declared
from kg.model.vocabulary import (
    CLAIM_CLASS,
    CONDITION_NAMES,
    ENTITY_CLASS,
    THINGS,
    claim_iri,
    expand,
    thing_id,
    thing_iri,
)
from kg.projection.triples import TripleWriter, condition_term
from kg.stores.cells import BOOLEANS

Term = tuple[str, str | None]
"""An object: an IRI or blank node with None, or the text of a literal with its datatype."""
Nodes = dict[str, dict[str, list[Term]]]
MOST_TRIPLES = 4_000_000
"""Triples that are held in memory at once."""
_ENDINGS = {
    ".ttl": "turtle",
    ".trig": "trig",
    ".nt": "ntriples",
    ".nq": "nquads",
    ".jsonld": "jsonld",
    ".json": "jsonld",
}
_XSD = "http://www.w3.org/2001/XMLSchema#"
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_TYPE, _FORM, _IDENTIFIER = expand("rdf:type"), expand("k:recordedForm"), expand("dcterms:identifier")


class RdfDiffers(KgError):
    """A record of an RDF file is written twice, and the two differ."""

    code = "load.rdf"


def rdf_format(path: Path) -> str:
    """The syntax that the ending of a file names; RDF/XML is not read."""
    ending = Path(path.name.removesuffix(".gz")).suffix.lower()
    if ending not in _ENDINGS:
        raise FileDamaged(
            path=str(path),
            given=ending or "no ending",
            expected=", ".join(sorted(_ENDINGS)),
            next_step="RDF/XML is not read: convert it to Turtle first" if ending in (".rdf", ".xml", ".owl") else None,
        )
    return _ENDINGS[ending]


def rdf_records(path: Path) -> Iterator[Json]:
    """The records of an RDF file, claims first, each kind sorted by id."""
    nodes = _nodes(path)
    found: dict[str, Json] = {}
    for name, node in nodes.items():
        types = {value for value, datatype in node.get(_TYPE, ()) if datatype is None}
        kind = next((cls for cls in ("Claim", "Entity", "Source") if expand(f"k:{cls}") in types), None)
        if kind is None:
            continue
        forms = node.get(_FORM, ())
        record = _recorded(path, kind, name, forms[0][0], nodes) if forms else _inverted(path, kind, name, types, nodes)
        found[_own_id(path, name, record)] = record
    if not found:
        raise FileDamaged(
            path=str(path),
            given="no claim, entity or source in it",
            expected="RDF in the terms of ontology/accelkg.ttl",
        )
    order = {"claim": 0, "entity": 1, "source": 2}
    yield from sorted(found.values(), key=lambda one: (order[one["record"]], one["id"]))


def _own_id(path: Path, name: str, record: Json) -> str:
    """The id of a record; it needs one, and has no second."""
    identifier = record.get("id")
    if isinstance(identifier, str):
        return identifier
    given = ", ".join(map(str, identifier)) if isinstance(identifier, list) else "no id"
    raise FileDamaged(path=str(path), field=thing_id(name), given=given[:200], expected="one dcterms:identifier")


def _nodes(path: Path) -> Nodes:
    nodes: Nodes = {}
    with foreign_bytes(path, "rdf", rdf_format(path)) as stream:
        for count, line in enumerate(foreign_lines(stream)):
            if count > MOST_TRIPLES:
                raise LimitExceeded(
                    path=str(path), given=f"more than {MOST_TRIPLES} triples", expected="several smaller files"
                )
            subject, predicate, *target = orjson.loads(line)
            term = (target[0], target[1] if len(target) > 1 else None)
            nodes.setdefault(subject, {}).setdefault(predicate, []).append(term)
    return nodes


_SNAPSHOT: Final = THINGS + "snapshot/"
_DATES: Final = frozenset(f"{_XSD}{name}" for name in ("date", "gYearMonth", "gYear"))

# With the recorded form.


def _recorded(path: Path, kind: str, name: str, text: str, nodes: Nodes) -> Json:
    """The recorded form, held against the triples next to it."""
    try:
        record: Json = orjson.loads(text)
        iri = claim_iri(record["id"]) if record["record"] == "claim" else thing_iri(record["id"])
        lines = TripleWriter().record(cast(CurrentRecord, record))
    except (ValueError, KeyError, TypeError, AttributeError) as cause:
        raise RdfDiffers(
            path=str(path), field=thing_id(name), given=str(cause), expected="k:recordedForm as kg export writes it"
        ) from cause
    if record["record"] != kind.lower():
        raise RdfDiffers(
            path=str(path), field=thing_id(name), given=f"a record {record['record']}"[:80], expected=kind.lower()
        )
    if iri != name:
        raise RdfDiffers(
            path=str(path), field=thing_id(name), given=record["id"], expected="the id of the node that carries it"
        )
    for triple in pyoxigraph.parse(input=lines, format=pyoxigraph.RdfFormat.N_TRIPLES):
        subject, target = triple.subject.value, triple.object
        if subject.startswith(_SNAPSHOT):  # follows from its id, which older files write without the name of the file
            continue
        literal = isinstance(target, pyoxigraph.Literal)
        wanted = _key((str(target.value), target.datatype.value if literal else None))
        there = nodes.get(subject, {}).get(triple.predicate.value, ())
        if not any(_key(one) == wanted for one in there):
            shown = triple.predicate.value.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
            raise RdfDiffers(
                path=str(path),
                field=f"{record['id']} {shown}",
                given=", ".join(one[0] for one in there)[:100] or "no such triple",
                expected=str(target.value)[:100],
                next_step="the triples and k:recordedForm differ: change both, or remove k:recordedForm and let the triples count",
            )
    return record


def _key(term: Term) -> tuple[Any, str | None]:
    """Numbers and truths by value, dates and everything else by their text; bytes by their digest."""
    text, datatype = term
    if datatype is None and text.startswith(_SNAPSHOT):
        return text.removeprefix(_SNAPSHOT).partition("/")[0], None
    if datatype in _DATES:  # older files write them as plain text
        return text, _XSD + "string"
    if datatype in (_XSD + "double", _XSD + "decimal", _XSD + "integer"):
        try:
            return float(text), _XSD + "double"
        except ValueError:
            return text, datatype
    if datatype == _XSD + "boolean":
        return text in ("true", "1"), datatype
    return text, datatype


# Without it: the inverse of the projection.

_LISTS = frozenset(
    {"alternatives", "formerly", "path", "subjects", "cites", "aliases", "not_to_be_confused_with", "set"}
)
_ORDERED = {
    "path": ("k:pathText", " > "),
    "alternatives": ("k:alternativesText", ", "),
    "normaliser": ("k:normaliserText", ", "),
}
_CLAIM_KIND = {expand(cls): kind for kind, cls in CLAIM_CLASS.items()}
_ENTITY_KIND = {expand(cls): kind for kind, cls in ENTITY_CLASS.items()}
_CONDITION = {expand(condition_term(name)): name for name in sorted(CONDITION_NAMES)}


def _inverted(path: Path, kind: str, name: str, types: set[str], nodes: Nodes) -> Json:
    node = nodes[name]
    known = _CLAIM_KIND if kind == "Claim" else _ENTITY_KIND
    kinds = sorted(known[one] for one in types if one in known)
    if kind == "Source" and len(kinds) == 2:
        kinds.remove("source")  # the class of all sources
    if len(kinds) != 1:
        raise RdfDiffers(
            path=str(path),
            field=thing_id(name),
            given=", ".join(kinds) or "no kind",
            expected=f"one class below k:{kind}",
        )
    if kind == "Claim":
        return _claim(node, kinds[0], nodes)
    record: Json = {"record": kind.lower(), "kind": kinds[0], **_plain(Entity if kind == "Entity" else Source, node)}
    parts = [_plain(Part, nodes.get(inner, {})) for inner in _inner(node, "k:composition")]
    if parts:
        record["parts"] = sorted(parts, key=lambda one: str(one.get("part")))
    return record


def _claim(node: Mapping[str, list[Term]], kind: str, nodes: Nodes) -> Json:
    record: Json = {"record": "claim", "kind": kind, **_plain(Claim, node)}
    subjects = record.get("subject")
    if isinstance(subjects, list):
        record["subjects"], record["subject"] = subjects, subjects[0]
    else:
        record.pop("subjects", None)
    for field, (term, between) in _ORDERED.items():
        twin = _text(node, term)
        if twin is not None:
            record[field] = twin.split(between)
    for inner in _inner(node, "k:quantity"):
        record["quantity"] = _plain(Quantity, nodes.get(inner, {}))
    for inner in _inner(node, "k:anchoredAt"):
        record["anchor"] = _anchor(nodes.get(inner, {}), nodes)
    for field, term in (("conditions", "k:underConditions"), ("baseline_conditions", "k:baselineConditions")):
        for inner in _inner(node, term):
            record[field] = _conditions(nodes.get(inner, {}))
    for inner in _inner(node, "k:event"):
        record["event"] = _plain(Event, nodes.get(inner, {}))
    restated = [_plain(Restatement, nodes.get(inner, {})) for inner in _inner(node, "k:restatement")]
    if restated:
        record["restates"] = restated
    derived = [_derivation(nodes.get(inner, {}), nodes) for inner in _inner(node, "prov:wasGeneratedBy")]
    if derived:
        record["derivations"] = derived
    return record


def _inner(node: Mapping[str, list[Term]], term: str) -> list[str]:
    """Inner nodes in the order of their names, numbers as numbers."""
    names = {value for value, datatype in node.get(expand(term), ()) if datatype is None}
    return sorted(names, key=lambda one: (len(one), one))


def _text(node: Mapping[str, list[Term]], term: str) -> str | None:
    return next((value for value, _ in node.get(expand(term), ())), None)


def _plain(cls: type[Record], node: Mapping[str, list[Term]]) -> Json:
    """The fields of a record that are literals and links."""
    record: Json = {}
    for name, projection in declared(cls):
        if isinstance(projection, Prop):
            values = [
                _literal(text, projection.datatype)
                for text, datatype in node.get(expand(projection.term), ())
                if datatype is not None
            ]
        elif isinstance(projection, Link):
            values = [
                _identifier(text, projection)
                for text, datatype in node.get(expand(projection.term), ())
                if datatype is None
            ]
        else:
            continue
        if not values:
            continue
        values = sorted(set(values), key=lambda one: (str(type(one)), one))
        record[name] = values if name in _LISTS or len(values) > 1 else values[0]
    if "subjects" in record and len(record["subjects"]) < 2:
        del record["subjects"]
    return record


def _literal(text: str, datatype: str) -> Any:
    match datatype:
        case "double":
            return _number(text)
        case "integer":
            # any other text stays one, so that the check of the record tells what is wrong with it
            return int(text) if _INTEGER.fullmatch(text) else text
        case "boolean":
            return BOOLEANS.get(text, text)
        case _:
            return text


def _number(text: str) -> Any:
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _identifier(iri: str, link: Link) -> str:
    name = thing_id(iri)
    return name.removeprefix(f"{link.target}/") if link.target in ("metric", "unit") else name


def _anchor(node: Mapping[str, list[Term]], nodes: Nodes) -> Json:
    anchor = _plain(Anchor, node)
    for one in _inner(node, "oa:hasSelector"):
        selector = nodes.get(one, {})
        for key, term in (("start", "oa:start"), ("end", "oa:end")):
            if (text := _text(selector, term)) is not None:
                anchor[key] = _literal(text, "integer")
    for one in _inner(node, "oa:hasSource"):
        if one.startswith(_SNAPSHOT):
            anchor["sha256"] = one.removeprefix(_SNAPSHOT).partition("/")[0]
    row = anchor.get("row")
    if "start" not in anchor and isinstance(row, str) and row.isdecimal():
        anchor["row"] = _literal(row, "integer")
    return anchor


def _conditions(node: Mapping[str, list[Term]]) -> Json:
    found: Json = {}
    for predicate, name in _CONDITION.items():
        values = [_condition_value(one) for one in node.get(predicate, ())]
        status = next((text for text, _ in node.get(predicate + "Status", ())), None)
        if not values and status is None:
            continue
        value: Any = sorted(values, key=str) if len(values) > 1 else values[0] if values else None
        if status is not None:
            found[name] = {"status": status} if value is None else {"value": value, "status": status}
        else:
            found[name] = value
    return found


def _condition_value(term: Term) -> Any:
    text, datatype = term
    if datatype is None:
        return thing_id(text)
    if datatype in (_XSD + "double", _XSD + "decimal", _XSD + "integer"):
        return _number(text)
    return {"true": True, "false": False}.get(text, text)


def _derivation(node: Mapping[str, list[Term]], nodes: Nodes) -> Json:
    record = _plain(Derivation, node)
    if record.get("stated_by_text") is True:
        del record["stated_by_text"]
    inputs: Json = {}
    for inner in _inner(node, "prov:qualifiedUsage"):
        usage = nodes.get(inner, {})
        inputs[_text(usage, "k:inputName") or inner.rsplit("-", 1)[-1]] = _plain(DerivationInput, usage)
    record["inputs"] = inputs
    return record
