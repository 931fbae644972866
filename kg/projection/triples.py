"""Records as N-Triples lines, written from the declarations next to the fields of `kg.model.record`.

Input are recorded forms (plain JSON values, already validated). One writer per field is made once, so that a claim costs
a few dozen string concatenations. Conditions and passages are nodes of their own and may be shared; writing them twice
is harmless, since a store keeps a triple once.
"""

from collections.abc import Mapping
from functools import lru_cache
from json import dumps

import orjson

from kg.model.conditions import condition_value, conditions_text
from kg.model.derived import Keys
from kg.model.derived_records import ClaimKeys, FigureKeys
from kg.model.identifiers import conditions_id, is_entity_id, passage_id, snapshot_id
from kg.model.ledger_records import CurrentRecord
from kg.model.record import Claim, Entity, Part, Source
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Restatement
from kg.model.recorded import ClaimRecord, ConditionsRecord, DerivationRecord, RestatementRecord
from kg.model.remembered import Remembered
from kg.model.terms import Form
from kg.model.vocabulary import CLAIM_CLASS, ENTITY_CLASS, claim_iri, escaped, expand, thing_iri
from kg.projection.field_triples import TYPE, WRITERS, write_plain
from kg.projection.keys import claim_keys, figure_keys
from kg.projection.literals import XSD, day, number, quoted
from kg.projection.provenance import claim_provenance, source_provenance
from kg.projection.record_triples import said_of
from kg.projection.shared import REMEMBERED, SharedNodes


@lru_cache(maxsize=1024)
def condition_term(name: str) -> str:
    """The property of a condition.

    >>> condition_term("sequence_length")
    'k:conditionSequenceLength'
    """
    return "k:condition" + "".join(part.capitalize() for part in name.split("_"))


_CONDITIONS = f"{TYPE} <{expand('k:Conditions')}> .\n"
_CONDITIONS_TEXT = f"<{expand('k:conditionsText')}>"


def conditions_said(conditions: ConditionsRecord, form: Form) -> list[str]:
    """What is said of one conditions node."""
    out = [f" {_CONDITIONS_TEXT} {quoted(conditions_text(conditions))} .\n"]
    if form == "export":
        out.append(f" {_CONDITIONS}")
    for name, given in conditions.items():
        term = condition_term(name)
        value = condition_value(given)
        if isinstance(given, Mapping):
            status = given.get("status", "stated")
            if status != "stated" and form == "export":  # the text of the conditions says it too
                out.append(f" <{expand(term + 'Status')}> {quoted(status)} .\n")
        for one in value if isinstance(value, list) else (value,):
            if one is None:
                continue
            if is_entity_id(one):
                out.append(f" <{expand(term)}> <{thing_iri(one)}> .\n")
            elif isinstance(one, int | float) and not isinstance(one, bool):
                out.append(f" <{expand(term)}> {number(one)} .\n")
            elif name == "date" and isinstance(one, str):
                out.append(f" <{expand(term)}> {day(one)} .\n")
            else:
                out.append(f" <{expand(term)}> {quoted(str(one).lower() if isinstance(one, bool) else one)} .\n")
    return out


def _sorted_text(given: Mapping[str, object]) -> bytes | str:
    """Equal conditions give equal text; whole numbers beyond 64 bits take the slower way."""
    try:
        return orjson.dumps(given, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return dumps(given, sort_keys=True)


class TripleWriter:
    """Turns recorded forms into N-Triples; remembers which shared nodes it wrote last, to keep the text short."""

    def __init__(
        self, form: Form = "export", *, remember: int = REMEMBERED, apart: dict[str, list[str]] | None = None
    ) -> None:
        self._form = form
        self._conditions = Remembered[bytes | str, str](remember)
        self.shared = SharedNodes(remember=remember, apart=apart)
        """What is written once for several records; what is derived of these may share nodes among itself alike."""

    def record(self, record: CurrentRecord, keys: Keys | None = None) -> str:
        """The triples of one claim, entity or source; `keys` are those of a claim of a view."""
        if record["record"] == "claim":
            return self.claim(record, keys)
        out: list[str] = []
        node = f"<{thing_iri(record['id'])}>"
        is_entity = record["record"] == "entity"
        form = self._form
        # Both classes, in a view too: people who write SPARQL themselves ask for the general one and for the
        # finer one (decision 32).
        out.append(f"{node} {TYPE} <{expand('k:Entity' if is_entity else 'k:Source')}> .\n")
        out.append(f"{node} {TYPE} <{expand(ENTITY_CLASS[record['kind']])}> .\n")
        write_plain(Entity if is_entity else Source, node, record, out, form)
        for part in record.get("parts") or ():
            inner = f"<{thing_iri(record['id'])}#part-{escaped(part['part'].replace('/', '-'))}>"
            out.append(f"{node} <{expand('k:composition')}> {inner} .\n")
            self._class(inner, _COMPOSITION_TYPE, out)
            # Past the node of the composition, which carries the count, for tools that know Dublin Core and not
            # us.
            out.append(f"{node} <{expand('dcterms:hasPart')}> <{thing_iri(part['part'])}> .\n")
            write_plain(Part, inner, part, out, form)
        if not is_entity and form == "export":
            out.append(source_provenance(record))
        if not is_entity and record.get("sha256"):
            snapshot = self._snapshot(record["sha256"], record.get("document"), out)
            out.append(f"{snapshot} <{expand('prov:specializationOf')}> {node} .\n")
        return "".join(out)

    def _snapshot(self, sha256: str, document: str | None, out: list[str]) -> str:
        """The bytes of a source."""
        snapshot = f"<{thing_iri(snapshot_id(sha256, document))}>"
        if self.shared.is_new(snapshot):
            said = [f"{_SHA256}{quoted(sha256)} .\n"]
            if document:
                said.append(f"{_DOCUMENT}{quoted(document)} .\n")
            if self._form == "export":
                said.append(f" {_SNAPSHOT_TYPE}")
            self.shared.say(snapshot, said, out)
        return snapshot

    def claim(self, record: ClaimRecord, keys: Keys | None = None) -> str:
        """The triples of one claim with its quantity, passage, conditions, restatements and derivations; in a view with the
        derived keys among them, which an export writes separately (`kg.projection.keys`)."""
        iri = claim_iri(record["id"])
        node = f"<{iri}>"
        form = self._form
        out = [f"{node} {TYPE} {_CLAIM} .\n{node} {TYPE} {_CLAIM_TYPE[record['kind']]} .\n"]
        write_plain(Claim, node, record, out, form)
        if form == "export":
            out.append(claim_provenance(record))
            if "revision" in record:
                out.append(f'{node}{_REVISION}"{record["revision"]}" .\n')
        elif "%" in iri:  # the id cannot be read off an IRI that had to be encoded
            out.append(f"{node}{_IDENTIFIER}{quoted(record['id'])} .\n")
        if "path" in record or "alternatives" in record or isinstance(record.get("normaliser"), list):
            _text_twins(node, record, out)
        if keys is not None:
            out.extend(node + one for one in said_of(ClaimKeys, claim_keys(keys), form))
        if record.get("quantity"):
            self._quantity(iri, node, record["quantity"], keys, out)
        self._anchor(node, record, out)
        for given, predicate in (
            (record.get("conditions"), _UNDER),
            (record.get("baseline_conditions"), _BASELINE_UNDER),
        ):
            if given:
                out.append(self._conditions_link(node, predicate, given))
        if "event" in record:
            inner = f"<{iri}#event>"
            out.append(f"{node} <{expand('k:event')}> {inner} .\n")
            self._class(inner, _EVENT_TYPE, out)
            write_plain(Event, inner, record["event"], out, form)
        if "restates" in record:
            self._restates(iri, node, record["restates"], out)
        if "derivations" in record:
            self._derivations(iri, node, record["derivations"], out)
        return "".join(out)

    def _quantity(self, iri: str, node: str, quantity: Mapping[str, object], keys: Keys | None, out: list[str]) -> None:
        """The figure; in a view equal figures with equal keys are one node."""
        if self._form == "export":
            # In a file every figure has a node of its own: one that is shared would be described in the file of
            # another source (decision 34).
            inner = f"<{iri}#quantity>"
            self._class(inner, _QUANTITY_TYPE, out)
            write_plain(Quantity, inner, quantity, out, self._form)
        else:
            said: list[str] = []
            write_plain(Quantity, "", quantity, said, self._form)
            if keys is not None:
                said += said_of(FigureKeys, figure_keys(keys), self._form)
            inner = self.shared.node("quantity", said, out)
        out.append(f"{node}{_QUANTITY}{inner} .\n")

    def _class(self, inner: str, line: str, out: list[str]) -> None:
        """The class of an inner node, which the property that leads to it says too: in exports only."""
        if self._form == "export":
            out.append(f"{inner} {line}")

    def _conditions_link(self, node: str, predicate: str, given: ConditionsRecord) -> str:
        key = _sorted_text(given)
        known = self._conditions.get(key)
        if known is None:
            # Written once more after it was forgotten, which a store does not notice.
            known = self._conditions[key] = f"<{thing_iri(conditions_id(given))}>"
            said: list[str] = []
            self.shared.say(known, conditions_said(given, self._form), said)
            return f"{node}{predicate}{known} .\n{''.join(said)}"
        return f"{node}{predicate}{known} .\n"

    def _anchor(self, node: str, record: ClaimRecord, out: list[str]) -> None:
        anchor = record["anchor"]
        inner = f"<{thing_iri(passage_id(record['source'], anchor))}>"
        out.append(f"{node}{_ANCHORED}{inner} .\n")
        table, row, column = anchor.get("table"), anchor.get("row"), anchor.get("column")
        # Claims at one passage may name its table, row or column differently: then each adds what it says.
        # `kg.build.view_difference` takes out what no claim says any longer.
        if not self.shared.is_new(f"{inner} {table} {row} {column}"):
            return
        if "sha256" in anchor:
            source = self._snapshot(anchor["sha256"], anchor.get("document"), out)
        else:
            source = f"<{thing_iri(record['source'])}>"
        said = [f"{_HAS_SOURCE}{source} .\n"]
        # Positions stand on the selector, or in the id of the passage; the digest and the name of the text
        # stand on the snapshot.
        known = ("start", "end", "sha256", *(("document",) if self._form == "view" and "sha256" in anchor else ()))
        fields: Mapping[str, object] = anchor
        for name, write in WRITERS[Anchor, self._form]:
            if name in fields and name not in known:
                write("", fields[name], said)
        if self._form == "export":
            said.append(f" {_PASSAGE_TYPE}")
            if "start" in anchor:  # in a view the id of a passage says where it begins and ends
                said += _selector(inner, anchor, out)
        self.shared.say(inner, said, out)

    def _restates(self, iri: str, node: str, given: list[RestatementRecord], out: list[str]) -> None:
        for position, one in enumerate(given, 1):
            if self._form == "view":
                said: list[str] = []
                write_plain(Restatement, "", one, said, self._form)
                inner = self.shared.node("restatement", said, out)
            else:
                inner = f"<{iri}#restatement-{position}>"
                self._class(inner, _RESTATEMENT_TYPE, out)
                write_plain(Restatement, inner, one, out, self._form)
            out.append(f"{node} <{expand('k:restatement')}> {inner} .\n")

    def _derivations(self, iri: str, node: str, given: list[DerivationRecord], out: list[str]) -> None:
        for position, one in enumerate(given, 1):
            # Never shared, in a view either: findings lead to a derivation by this name.
            inner = f"<{iri}#derivation-{position}>"
            out.append(f"{node} <{expand('prov:wasGeneratedBy')}> {inner} .\n")
            self._class(inner, _COMPUTATION_TYPE, out)
            write_plain(Derivation, inner, one, out, self._form)
            for name, used in one["inputs"].items():
                if self._form == "view":  # the IRI ends in the name of the input
                    said: list[str] = []
                    write_plain(DerivationInput, "", used, said, self._form)
                    usage = self.shared.node("usage", said, out, f"-{name}")
                else:
                    usage = f"<{iri}#derivation-{position}-{name}>"
                    self._class(usage, _USAGE_TYPE, out)
                    out.append(f"{usage} <{expand('k:inputName')}> {quoted(name)} .\n")
                    write_plain(DerivationInput, usage, used, out, self._form)
                out.append(f"{inner} <{expand('prov:qualifiedUsage')}> {usage} .\n")


_TWINS = (
    ("k:pathText", "path", " > "),
    ("k:alternativesText", "alternatives", ", "),
    ("k:normaliserText", "normaliser", ", "),
)


def _text_twins(node: str, record: ClaimRecord, out: list[str]) -> None:
    """Lists once more as one text each: triples keep no order, and a row has one cell for them."""
    for term, name, between in _TWINS:
        given = record.get(name)
        if isinstance(given, list) and given:
            out.append(f"{node} <{expand(term)}> {quoted(between.join(given))} .\n")


def _selector(passage: str, anchor: Mapping[str, object], out: list[str]) -> list[str]:
    """The selector of a passage as a node of its own; what the passage says of it."""
    selector = f"{passage[:-1]}#position>"
    out.append(f"{selector} {_POSITION_TYPE}")
    out.append(f'{selector}{_START}"{anchor["start"]}"{XSD["integer"]} .\n')
    out.append(f'{selector}{_END}"{anchor["end"]}"{XSD["integer"]} .\n')
    return [f"{_HAS_SELECTOR}{selector} .\n"]


def _predicate(curie: str) -> str:
    return f" <{expand(curie)}> "


_CLAIM = f"<{expand('k:Claim')}>"
_CLAIM_TYPE = {kind: f"<{expand(cls)}>" for kind, cls in CLAIM_CLASS.items()}
_IDENTIFIER = _predicate("dcterms:identifier")
_REVISION, _QUANTITY, _ANCHORED = _predicate("k:revision"), _predicate("k:quantity"), _predicate("k:anchoredAt")
_UNDER, _BASELINE_UNDER = _predicate("k:underConditions"), _predicate("k:baselineConditions")
_HAS_SOURCE, _HAS_SELECTOR = _predicate("oa:hasSource"), _predicate("oa:hasSelector")
_START, _END = _predicate("oa:start"), _predicate("oa:end")
_SHA256, _DOCUMENT = _predicate("k:sha256"), _predicate("k:documentName")
_SNAPSHOT_TYPE = f"{TYPE} <{expand('k:Snapshot')}> .\n"
_QUANTITY_TYPE = f"{TYPE} <{expand('k:Quantity')}> .\n"
_PASSAGE_TYPE = f"{TYPE} <{expand('k:Passage')}> .\n"
_COMPOSITION_TYPE = f"{TYPE} <{expand('k:Composition')}> .\n"
_EVENT_TYPE = f"{TYPE} <{expand('k:Event')}> .\n"
_RESTATEMENT_TYPE = f"{TYPE} <{expand('k:Restatement')}> .\n"
_COMPUTATION_TYPE = f"{TYPE} <{expand('k:Computation')}> .\n"
_USAGE_TYPE = f"{TYPE} <{expand('k:Usage')}> .\n"
_POSITION_TYPE = f"{TYPE} <{expand('oa:TextPositionSelector')}> .\n"
