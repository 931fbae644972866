"""accelkg: a knowledge graph of AI accelerators in which every number leads back to where it was printed.

>>> import kg
>>> graph = kg.open()  # doctest: +SKIP
>>> graph.trace("72428").verdict  # doctest: +SKIP
'wrong'
"""

from typing import Any

from kg.__about__ import __version__

__all__ = ["Graph", "KgError", "__version__", "open", "to_networkx"]

_PLACES = {
    "open": ("kg.session", "open_graph"),
    "Graph": ("kg.session", "Graph"),
    "KgError": ("kg.errors", "KgError"),
    "to_networkx": ("kg.export.whole_network", "to_networkx"),
}


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first used: `import kg` alone costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)
