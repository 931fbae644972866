"""The exchange form: every record with what is derived from it, as `kg export jsonl` writes it and `kg load claims` reads it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kg.audit.finding import RULES_VERSION
from kg.content.vocabulary import read_vocabulary
from kg.ledger.derived import read_derived
from kg.ledger.ledger import Ledger
from kg.model.derived import Deriver, Keys, printed_number

if TYPE_CHECKING:
    from kg.graph.graph import Graph

Json = dict[str, Any]

CLAIM_KEYS = (
    "record", "id", "revision", "supersedes", "statement_key", "utterance", "kind", "modality", "polarity", "subject",
    "subject_label", "subject_printed", "level", "subjects", "baseline", "baseline_label", "baseline_level",
    "baseline_printed", "baseline_status", "metric", "statistic", "normaliser", "relation", "reading", "alternatives",
    "quantity", "statement", "direction", "event", "conditions", "baseline_conditions", "asserted_by", "attributed_to",
    "path", "source", "said_on", "said_on_basis", "as_of", "as_of_basis", "anchor", "cue", "context_anchors", "also_at",
    "same_as", "restates", "derivations", "note", "findings", "status",
)  # fmt: skip
_DEFAULTS: Json = {
    "modality": "stated", "polarity": "affirmed", "normaliser": "unstated", "relation": "absolute", "alternatives": [],
    "conditions": {}, "baseline_conditions": {}, "path": [], "context_anchors": [], "also_at": [], "restates": [],
    "derivations": [],
}  # fmt: skip
_QUANTITY_DEFAULTS: Json = {
    "printed": None, "value": None, "shape": None, "exact": False, "unit": None, "hedge": None, "term": None, "date": None,
    "set": None, "absent": False,
}  # fmt: skip
DERIVED_CLAIM_KEYS = frozenset(
    {"revision", "supersedes", "statement_key", "subject_label", "baseline_label", "findings", "status"}
)
DERIVED_QUANTITY_KEYS = frozenset(
    {"lower", "upper", "canonical_value", "canonical_unit", "canonical_lower", "canonical_upper"}
)


def exchange_records(graph: "Graph") -> Iterator[Json]:
    """Claims first, then findings, entities, sources; each kind sorted by id."""
    ledger = Ledger(graph.folder / "ledger")
    units = read_vocabulary(graph.content).units
    deriver = Deriver(units)
    records: dict[str, list[Json]] = {"claim": [], "entity": [], "source": []}
    for record in ledger.current():
        records[record["record"]].append(record)
    labels = {one["id"]: one["label"] for kind in ("entity", "source") for one in records[kind]}
    findings = [
        one
        for one in read_derived(graph.folder / "ledger" / "derived", graph.stamp["head"], RULES_VERSION)
        if one["record"] == "finding"
    ]
    about: dict[str, list[Json]] = {}
    for one in findings:
        about.setdefault(one["claims"][0]["claim"], []).append(one)
    for record in sorted(records["claim"], key=lambda one: one["id"]):
        yield exchange_claim(record, deriver.keys(record), labels, about.get(record["id"], ()))
    yield from sorted(findings, key=lambda one: one["id"])
    for kind in ("entity", "source"):
        yield from sorted(records[kind], key=lambda one: one["id"])


def exchange_claim(record: Json, keys: Keys, labels: Mapping[str, str], findings: Any) -> Json:
    """One claim with every key of the contract, derived ones computed."""
    whole: Json = {**_DEFAULTS, **record}
    whole["statement_key"] = keys.statement
    whole["subject_label"] = labels.get(record["subject"])
    whole["baseline_label"] = labels.get(record.get("baseline", ""))
    whole["status"] = "current"
    whole["findings"] = sorted(one["id"] for one in findings)
    if "quantity" in record:
        whole["quantity"] = _exchange_quantity(record["quantity"], keys)
    verdicts = {one["derivation"]: one["verdict"] for one in findings}
    whole["derivations"] = [
        {"stated_by_text": True, "variant": None, **one, "result": record["id"], "verdict": verdicts.get(position)}
        for position, one in enumerate(record.get("derivations", ()), 1)
    ]
    return {key: whole.get(key) for key in CLAIM_KEYS}


def _exchange_quantity(quantity: Json, keys: Keys) -> Json:
    whole = {**_QUANTITY_DEFAULTS, **quantity}
    figure = printed_number(quantity)
    whole["lower"] = float(figure.lower) if figure is not None and figure.lower is not None else None
    whole["upper"] = float(figure.upper) if figure is not None and figure.upper is not None else None
    given = keys.canonical
    pair = given is not None and given.high is not None
    whole["canonical_value"] = (
        None if given is None else [float(given.value), float(given.high or 0)] if pair else float(given.value)
    )
    whole["canonical_unit"] = given.unit if given is not None else None
    whole["canonical_lower"] = float(given.lower) if given is not None and given.lower is not None else None
    whole["canonical_upper"] = float(given.upper) if given is not None and given.upper is not None else None
    return whole


def without_defaults(record: Json) -> Json:
    """A claim without the values that every claim has when nothing is said; the reverse of what the export fills in.

    >>> without_defaults({"id": "x/y", "modality": "stated", "path": [], "quantity": {"value": 1, "exact": False}})
    {'id': 'x/y', 'quantity': {'value': 1}}
    """
    kept = {
        key: one for key, one in record.items() if one is not None and (key not in _DEFAULTS or one != _DEFAULTS[key])
    }
    if "quantity" in kept:
        quantity = kept["quantity"]
        kept["quantity"] = {
            key: one for key, one in quantity.items() if one is not None and one != _QUANTITY_DEFAULTS.get(key)
        }
    if "derivations" in kept:
        kept["derivations"] = [
            {key: one for key, one in given.items() if one is not None and (key, one) != ("stated_by_text", True)}
            for given in kept["derivations"]
        ]
    return kept
