"""What the conditions of a benchmark result say of its run: cell, entry, category, number of accelerators, power limit.

Read from records for rows of published results (`kg.audit.measured_rows`) and answers about them.
"""

from kg.model.recorded import ClaimRecord, ConditionsRecord

Cell = tuple[str, str, str, str]
"""Task, scenario, round and category: results of one cell are of one benchmark."""


def cell_of(conditions: ConditionsRecord) -> Cell | None:
    """The cell of a result; None where task, scenario or round is not stated."""
    names = [conditions.get(name) for name in ("task", "scenario", "round")]
    if not all(isinstance(name, str) for name in names):
        return None
    return (*map(str, names), one_category(conditions.get("category")))  # type: ignore[return-value]


def is_limited(boundary: str, system: str) -> bool:
    """Whether a system was entered with lowered power limits.

    >>> is_limited("power-limited (MaxQ)", "DGX"), is_limited("", "DGX-A100_MaxQ"), is_limited("server inlet", "DGX")
    (True, True, False)
    """
    return "lowered power" in boundary or "power-limited" in boundary or "maxq" in system.casefold()


def one_category(value: object) -> str:
    """The category that a result is counted in; a system entered in both is one of the datacenter.

    >>> one_category(["edge", "datacenter"]), one_category("datacenter,edge"), one_category("Edge"), one_category(None)
    ('datacenter', 'datacenter', 'edge', '')
    >>> one_category([])
    ''
    """
    parts = [
        part.strip().casefold()
        for one in (value if isinstance(value, list) else [value or ""])
        for part in str(one).split(",")
    ]
    return "datacenter" if "datacenter" in parts else "".join(parts[:1])


def run_of(record: ClaimRecord) -> tuple[str, str, str, str] | None:
    """What a result and the power measured with it share."""
    conditions = record.get("conditions") or {}
    entry, task, scenario = (stated_text(conditions.get(name)) for name in ("entry", "task", "scenario"))
    if entry is None or task is None or scenario is None:
        return None
    # a list that was aggregated from a round repeats its entries:
    # result and power must be of one list
    return record["source"], entry, task, scenario


def count_of(conditions: ConditionsRecord) -> int:
    """Of how many accelerators a result is; 0 where that is not known as a number."""
    # a count in words, such as "about 60", divides nothing
    count = conditions.get("accelerators")
    return int(count) if isinstance(count, int | float) else 0


def stated_text(value: object) -> str | None:
    """A condition that is a plain text; None for any other."""
    return value if isinstance(value, str) else None


def stated_word(value: object) -> str | None:
    """The last part of an id, or a word, in lower case; None for anything else."""
    return value.rpartition("/")[2].strip().casefold() if isinstance(value, str) else None
