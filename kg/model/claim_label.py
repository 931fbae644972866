"""The line by which a person knows a claim where only its IRI is at hand."""

from kg.model.recorded import ClaimRecord, QuantityRecord


def claim_label(record: ClaimRecord) -> str:
    """What a claim is about and what it says, in the words it is printed with where there are some.

    >>> claim_label({"subject": "system/rack-a", "subject_printed": "Rack A", "metric": "training-speed",
    ...     "quantity": {"printed": "2.5x", "unit": "1"}, "baseline": "accelerator/chip-b"})
    'Rack A: training speed 2.5x against chip b'
    """
    quantity = record.get("quantity") or {}
    parts = [f"{record.get('subject_printed') or _words(record['subject'])}:", _words(record["metric"])]
    parts += [_figure(quantity) or record.get("statement") or ""]
    if record.get("baseline"):
        parts += ["against", record.get("baseline_printed") or _words(record["baseline"])]
    return " ".join(part for part in parts if part)


def _figure(quantity: QuantityRecord) -> str:
    printed, value, unit = quantity.get("printed"), quantity.get("value"), quantity.get("unit")
    if printed is not None:
        return str(printed)
    if value is None:
        return quantity.get("term") or quantity.get("date") or ""
    shown = " to ".join(map(str, value)) if isinstance(value, list) else str(value)
    return shown if unit in (None, "1") else f"{shown} {unit}"


def _words(identifier: str) -> str:
    return identifier.rpartition("/")[2].replace("-", " ")
