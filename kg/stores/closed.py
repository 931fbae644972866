"""What is left of a store that was closed: its language, and the refusal to answer."""

from dataclasses import dataclass
from typing import NoReturn

from kg.errors import StoreError
from kg.stores.protocol import Language


class StoreClosed(StoreError):
    """A graph is asked after it was closed."""

    code = "store.closed"


@dataclass(frozen=True, slots=True)
class ClosedStore:
    """In the place of a store that was let go of."""

    language: Language

    def refusal(self) -> StoreClosed:
        """What is said to who asks."""
        return StoreClosed(
            given="a graph that was closed",
            expected="one that is open",
            next_step="open it again with kg.open(), or ask before close() or the end of the with block",
        )

    def select(self, *_: object, **__: object) -> NoReturn:
        """Raise StoreClosed."""
        raise self.refusal()

    graph = select

    def close(self) -> None:
        """Nothing to do."""
