"""The exact fractions that everything computes figures with: `from kg.model.fraction import Fraction`, nowhere another one.

They are those of the package quicktions, the standard library's in compiled code: equal values, hashes, texts and errors
(decision 60). Where it is not installed the standard library's do the same, slower. A number of one kind is not an instance of the
other: ask for `numbers.Rational` where a caller may bring either.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction  # noqa: TID251
else:
    try:
        from quicktions import Fraction
    except ModuleNotFoundError:
        from fractions import Fraction  # noqa: TID251

__all__ = ["Fraction"]
