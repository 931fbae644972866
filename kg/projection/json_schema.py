"""JSON Schema of every kind of record, made from the declarations: of a line of `kg export jsonl`, of the derived
set, and of any other line that is declared as a typed dictionary.

What concerns several fields at once (an anchor has one form, a comparison a baseline) is no part of it: loading checks that.
"""

from collections.abc import Mapping
from typing import Final

from kg.model.exchange_form import DerivedOfClaim, DerivedOfComputation, DerivedOfQuantity, DerivedOfThing
from kg.model.json_types import Json
from kg.model.kinds import DERIVED
from kg.model.record import RECORD_TYPES
from kg.model.vocabulary import THINGS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_REF: Final = "#/$defs/"
_ADDED: Final[Mapping[str, type]] = {
    "claim": DerivedOfClaim,
    "entity": DerivedOfThing,
    "source": DerivedOfThing,
    "Quantity": DerivedOfQuantity,
    "Derivation": DerivedOfComputation,
}
"""What an exported record has in addition to what was recorded."""


def json_schema(others: Mapping[str, type] | None = None) -> Json:
    """One document: under `$defs` each kind of record by its name, and `others`; a line of an export is any that says `record`."""
    kinds = {name: kind.record for name, kind in DERIVED.items()} | dict(others or {})
    made = {**_recorded(), **_typed(kinds)}
    # A class of a part begins with a capital letter; kinds of records do not, and only these are lines.
    lines = [name for name, one in made.items() if "record" in one.get("properties", {}) and name[0].islower()]
    return {
        "$schema": DIALECT,
        "$id": f"{THINGS}schema/records",
        "anyOf": [{"$ref": _REF + name} for name in lines],
        "$defs": dict(sorted(made.items())),
    }


def _recorded() -> Json:
    """Claims, entities and sources in the exchange form, and the parts of them."""
    made: Json = {}
    for name, cls in RECORD_TYPES.items():
        schema = cls.model_json_schema(ref_template=_REF + "{model}")
        made |= schema.pop("$defs", {})
        made[name] = schema
    for name, added in _ADDED.items():
        made[name]["properties"] |= _typed({name: added})[name]["properties"]
    for name in RECORD_TYPES:
        made[name].setdefault("required", []).append("record")
    return made


def _typed(kinds: Mapping[str, type]) -> Json:
    """Typed dictionaries by the names of their kinds, and the parts of them; a key that is not declared is refused."""
    # Not above: of all who import this room only a schema needs it.
    import msgspec

    roots, made = msgspec.json.schema_components(list(kinds.values()), ref_template=_REF + "{name}")
    for one in made.values():
        if "properties" in one:
            one["additionalProperties"] = False
    for (name, cls), root in zip(kinds.items(), roots, strict=True):
        made[name] = made.pop(cls.__name__) if "$ref" in root else root
    return made
