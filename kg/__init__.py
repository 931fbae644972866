"""accelkg: a knowledge graph of AI accelerators in which every number leads back to where it was printed.

>>> import kg
>>> graph = kg.open()  # doctest: +SKIP
>>> graph.trace("72428").verdict  # doctest: +SKIP
'wrong'
"""

from typing import TYPE_CHECKING

from kg.__about__ import __version__

if TYPE_CHECKING:  # who checks types sees what `__getattr__` gives when a name is used
    from kg.errors import KgError
    from kg.export.whole_network import to_networkx
    from kg.session import Graph
    from kg.session import open_graph as open  # noqa: A004 - the name of the library's own opening

__all__ = ["Graph", "KgError", "__version__", "open", "to_networkx"]

_PLACES = {
    "open": ("kg.session", "open_graph"),
    "Graph": ("kg.session", "Graph"),
    "KgError": ("kg.errors", "KgError"),
    "to_networkx": ("kg.export.whole_network", "to_networkx"),
}


if not TYPE_CHECKING:  # a name that is none stays one that is none

    def __getattr__(name: str) -> object:
        """The public names, imported when they are first used: `import kg` alone costs nothing."""
        if name not in _PLACES:
            raise AttributeError(f"module 'kg' has no attribute {name!r}")
        from importlib import import_module

        module, attribute = _PLACES[name]
        return getattr(import_module(module), attribute)
