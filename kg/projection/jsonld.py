"""The JSON-LD context for records in their exchange form, generated from the declarations next to the fields.

Each record type has a context of its own, chosen by the key `record`, and so has each node below a record, since one key
may mean different things in different places. What the context cannot say, and RDF writers can: `id` as
dcterms:identifier too, conditions as nodes (here one JSON value each), the text position as a selector (here on the
passage), the datatype of a date, which follows from its precision, ids with characters that an IRI must escape (but for units without a slash, which are listed), defaults, the text twins of lists,
and the dcterms:hasPart shortcut.
"""

from collections.abc import Iterable
from json import dumps
from typing import Any
from urllib.parse import quote

from kg.model.record import Claim, Entity, Source
from kg.model.record_parts import Derivation
from kg.model.terms import Inner, Link, Prop, below, declarations
from kg.model.vocabulary import THINGS, expand

Term = dict[str, Any]

_JSON: dict[tuple[type, str], str] = {
    (Claim, "conditions"): "k:conditionsJson",
    (Claim, "baseline_conditions"): "k:baselineConditionsJson",
}


def _link(name: str, link: Link, units: Iterable[str]) -> Term:
    """A term whose values are ids: below it no other term counts, so that an id is never taken for one.

    A value is expanded in the context below its term (JSON-LD 1.1 API, 5.1.2, step 4), so the term stands there once more.
    """
    here = {"@id": expand(link.term), "@type": "@vocab"}
    local: dict[str, Any] = {name: here}
    if link.target == "thing":
        base = THINGS
    else:
        base = f"{THINGS}{link.target}/"
    if link.target == "unit":
        local["count"] = {"@id": f"{base}count:", "@prefix": True}
        for unit in units:
            escaped = quote(unit, safe="/-._~:@!$&'()*+,;=")
            # A term with a slash must be what it expands to anyway (JSON-LD 1.1, 9.15.1), so `%/year` cannot be one
            if escaped != unit and "/" not in unit:
                local[unit] = base + escaped
    # None first: it takes away every term of the contexts around it.
    return {**here, "@context": [None, {"@version": 1.1, "@vocab": base, **local}]}


def _literal(prop: Prop) -> Term:
    term: Term = {"@id": expand(prop.term)}
    if prop.datatype not in ("string", "date"):
        term["@type"] = expand(f"xsd:{prop.datatype}")
    return term


def _fields(cls: type, units: list[str]) -> Term:
    made: Term = {}
    for name, annotation, projection in declarations(cls):
        part = below(annotation)
        if (cls, name) in _JSON:
            made[name] = {"@id": expand(_JSON[cls, name]), "@type": "@json"}
        elif isinstance(projection, Prop):
            made[name] = _literal(projection)
        elif isinstance(projection, Link):
            made[name] = _link(name, projection, units)
        elif isinstance(projection, Inner) and part is not None:
            made[name] = {"@id": expand(projection.term), "@context": _fields(part, units)}
            if (cls, name) == (Derivation, "inputs"):
                made[name] |= {"@container": "@index", "@index": expand("k:inputName")}
    return made


def context_text(units: Iterable[str]) -> str:
    """The text of `ontology/context.jsonld`; `units` are the ids of the unit table."""
    known = sorted(units)
    types: Term = {}
    for name, cls, base in (("claim", Claim, "claim/"), ("entity", Entity, ""), ("source", Source, "")):
        fields = {key: term for key, term in _fields(cls, known).items() if key != "id"}
        if cls is Claim:
            fields["revision"] = expand("k:revision")
        types[name] = {"@id": expand(f"k:{name.capitalize()}"), "@context": {"@base": THINGS + base, **fields}}
    context = {"@context": {"@version": 1.1, "record": "@type", "id": "@id", **types}}
    return dumps(context, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
