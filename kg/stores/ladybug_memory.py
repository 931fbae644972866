"""What to say when the engine of the property graph gets no memory or no addresses from the system."""

import re
from pathlib import Path
from typing import Final

from kg.stores.protocol import LimitReached

NO_ROOM: Final = re.compile(r"Mmap|mmap|Buffer manager exception|bad_alloc|[Cc]annot allocate")
"""How the engine says that the system gives it no memory or no addresses: it maps far more than it will use."""


def no_room(folder: Path) -> LimitReached:
    """The engine of the property graph cannot start here: what to change, or to use instead."""
    return LimitReached(
        path=str(folder),
        given=_allowed_addresses(),
        expected="a process that may map terabytes, though it uses little of them (ulimit -v unlimited)",
        next_step="lift the limit, or ask in SPARQL, which needs less",
    )


def _allowed_addresses() -> str:
    """How much this process may map, in words."""
    try:
        import resource
    except ImportError:
        return "too little memory"
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return "too little memory" if soft == resource.RLIM_INFINITY else f"a process that may map {soft >> 20:,} MB"
