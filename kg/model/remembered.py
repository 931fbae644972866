"""A memory of what was worked out that does not grow with how much is asked."""

from typing import Final, TypeVar

_USUAL: Final = 1 << 14
K = TypeVar("K")
V = TypeVar("V")


class Remembered(dict[K, V]):
    """A dictionary that forgets everything before it would hold more than so many keys.

    >>> squares = Remembered(2)
    >>> for number in (1, 2, 3):
    ...     squares[number] = number**2
    >>> squares
    {3: 9}
    """

    most = _USUAL

    def __init__(self, most: int = _USUAL) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        # all at once: to know the oldest would cost more at each look than working it out anew
        if len(self) >= self.most:
            self.clear()
        super().__setitem__(key, value)
