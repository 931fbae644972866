"""How a result shows itself: which tables and which network it has."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from kg.model.result import Net
from kg.render.result_nets import (
    audit_net,
    comparison_net,
    conflicts_net,
    found_net,
    origins_net,
    sheet_net,
    shown_net,
    trace_net,
)
from kg.render.result_tables import (
    Tables,
    audit_tables,
    comparison_tables,
    conflicts_tables,
    found_tables,
    origins_tables,
    sheet_tables,
    shown_tables,
    trace_tables,
)

_TABLES: Final[Mapping[str, Callable[[Any], Tables]]] = {
    "Comparison": comparison_tables,
    "Trace": trace_tables,
    "Found": found_tables,
    "Shown": shown_tables,
    "Sheet": sheet_tables,
    "Conflicts": conflicts_tables,
    "OriginsOf": origins_tables,
    "Judged": audit_tables,
}
_NETS: Final[Mapping[str, Callable[[Any], Net]]] = {
    "Comparison": comparison_net,
    "Trace": trace_net,
    "Found": found_net,
    "Shown": shown_net,
    "Sheet": sheet_net,
    "Conflicts": conflicts_net,
    "OriginsOf": origins_net,
    "Judged": lambda judged: audit_net(judged.findings),
}


def tables_of(result: object) -> Tables:
    """The tables of a result, the most important first."""
    return _TABLES[type(result).__name__](result)


def net_of(result: object) -> Net:
    """The rows of a result as nodes and what joins them."""
    return _NETS[type(result).__name__](result)
