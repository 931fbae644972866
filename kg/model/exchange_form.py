"""The exchange form of a claim: every key of the contract, recorded and derived, and the way back."""

from collections.abc import Mapping
from typing import Any, Final, TypedDict

from kg.model.derived import Keys
from kg.model.derived_records import AdviceRecord
from kg.model.json_types import Json
from kg.model.record import Claim
from kg.model.record_parts import Quantity
from kg.model.recorded import ClaimRecord, QuantityRecord
from kg.model.verdict import Verdict


class DerivedOfThing(TypedDict, total=False):
    """What an exported entity or source has in addition to what was recorded; a claim has it too."""

    revision: str
    supersedes: str | None


class DerivedOfClaim(DerivedOfThing, total=False):
    """What an exported claim has in addition to what was recorded."""

    statement_key: str
    subject_label: str | None
    baseline_label: str | None
    findings: list[str]
    verdict: Verdict | None
    verdict_reason: str | None
    value_to_use: str | None
    status: str


class DerivedOfQuantity(TypedDict, total=False):
    """The same of its figure: bounds in its own unit, and the figure in the canonical unit of its kind."""

    lower: float | None
    upper: float | None
    canonical_value: float | list[float] | None
    canonical_unit: str | None
    canonical_lower: float | None
    canonical_upper: float | None


class DerivedOfComputation(TypedDict, total=False):
    """The same of how it was computed."""

    result: str
    verdict: str | None


_DERIVED_AFTER = {
    "id": ("revision", "supersedes", "statement_key"),
    "subject": ("subject_label",),
    "baseline": ("baseline_label",),
    "note": ("findings", "verdict", "verdict_reason", "value_to_use", "status"),
}
"""The derived keys, by the recorded key that they stand behind."""
CLAIM_KEYS = tuple(key for name in Claim.model_fields for key in (name, *_DERIVED_AFTER.get(name, ())))
"""Every key of a claim, in the order of the contract."""
DERIVED_CLAIM_KEYS = frozenset(key for keys in _DERIVED_AFTER.values() for key in keys)
_DEFAULTS: Json = {
    name: field.default
    for name, field in Claim.model_fields.items()
    if name != "record" and not field.is_required() and field.default is not None
}
_QUANTITY_DEFAULTS: Json = {name: field.default for name, field in Quantity.model_fields.items()}
_WHOLE: Json = {**dict.fromkeys(CLAIM_KEYS), **_DEFAULTS}
DERIVED_QUANTITY_KEYS = frozenset(DerivedOfQuantity.__annotations__)


DAYS: Final = frozenset({"said_on", "said_on_basis", "as_of"})
PLACE_AND_DAY: Final = frozenset({"anchor", "context_anchors", "also_at", "revision", "supersedes"}) | DAYS
"""What of a claim says where and when it stands, not what it says."""


def subject_label(record: ClaimRecord, labels: Mapping[str, str]) -> str | None:
    """The label of the subject; of a claim about several things taken together, of all.

    >>> subject_label({"subject": "x/a", "subjects": ["x/a", "x/b"]}, {"x/a": "A", "x/b": "B"})
    'A and B'
    """
    names = record.get("subjects") or (record["subject"],)
    known = [labels.get(name) for name in names]
    return None if known[0] is None else " and ".join(label or name for label, name in zip(known, names, strict=True))


def exchange_claim(
    record: ClaimRecord, keys: Keys, labels: Mapping[str, str], findings: Any, judged: AdviceRecord | None = None
) -> Json:
    """One claim with every key of the contract, derived ones computed; without a verdict where nobody has judged it."""
    whole: Json = {**_WHOLE, **record}
    whole["statement_key"] = keys.statement
    whole["subject_label"] = subject_label(record, labels)
    whole["baseline_label"] = labels.get(record.get("baseline", ""))
    whole["status"] = "current"
    whole["findings"] = sorted(one["id"] for one in findings)
    if judged is not None:
        whole |= {"verdict": judged["verdict"], "verdict_reason": judged["reason"], "value_to_use": judged["value"]}
    if "quantity" in record:
        whole["quantity"] = _exchange_quantity(record["quantity"], keys)
    verdicts = {one["derivation"]: one["verdict"] for one in findings}
    whole["derivations"] = [
        {"stated_by_text": True, "variant": None, **one, "result": record["id"], "verdict": verdicts.get(position)}
        for position, one in enumerate(record.get("derivations", ()), 1)
    ]
    return whole if len(whole) == len(CLAIM_KEYS) else {key: whole[key] for key in CLAIM_KEYS}


def _exchange_quantity(quantity: QuantityRecord, keys: Keys) -> Json:
    given = keys.numbers
    return {
        **_QUANTITY_DEFAULTS,
        **quantity,
        "lower": given.lower,
        "upper": given.upper,
        "canonical_value": given.value if given.high is None else [given.value, given.high],
        "canonical_unit": None if keys.canonical is None else keys.canonical.unit,
        "canonical_lower": given.canonical_lower,
        "canonical_upper": given.canonical_upper,
    }


def without_defaults(record: Mapping[str, Any]) -> Json:
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
