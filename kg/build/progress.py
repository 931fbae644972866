"""How a long piece of work reports how far it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is (0: unknown)."""


def silent(what: str, done: int, total: int) -> None:
    """Report no progress."""
