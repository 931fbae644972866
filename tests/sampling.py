"""What an ordinary run takes of a table of two kinds of values; `make test-long` takes all of it."""

from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter, Signature, signature
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy, characters

Test = Callable[..., Any]

SIGNS = characters(exclude_categories=["Cs"])
"""All that UTF-8 can hold. By the name of the codec, as in a plain `text()`, hypothesis tries a million signs in a fresh checkout."""

FURTHER = pytest.mark.long
"""The mark of a value that is one more of its kind."""


def each_once(many: Iterable[object], few: Sequence[object]) -> list[Any]:
    """All pairs; each of the many comes with one of the few in an ordinary run, in turn, and with the others in the long one.

    A page in one of two schemes, a command on one of two servers: what is wrong with either shows in either half.
    """
    return [
        pytest.param(one, other, marks=() if number % len(few) == place else FURTHER)
        for number, one in enumerate(many)
        for place, other in enumerate(few)
    ]


def some(step: int) -> list[Any]:
    """How far apart the values are that a test takes of a long list: `step` in an ordinary run, and all in the long one.

    For a rule of hundreds of claims that go through the same code: what breaks it, breaks it for many of them.
    """
    return [pytest.param(step, id="some"), pytest.param(1, id="all", marks=FURTHER)]


def first(count: int, values: Iterable[object]) -> list[Any]:
    """All values, of which an ordinary run takes the first few."""
    return [pytest.param(one, marks=() if number < count else FURTHER) for number, one in enumerate(values)]


def generated(*drawn: SearchStrategy[Any], few: int, many: int = 100, **named: SearchStrategy[Any]) -> Test:
    """`given`, with a few examples in an ordinary run and many in the long one; other parameters stay those of pytest."""

    def tried(test: Test) -> Test:
        of_pytest = signature(given(*drawn, **named)(test)).parameters.values()

        def run(examples: int, **others: Any) -> None:
            settings(max_examples=examples, deadline=None)(given(*drawn, **named)(test))(**others)

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.__signature__ = Signature([*of_pytest, Parameter("examples", Parameter.KEYWORD_ONLY)])  # type: ignore[attr-defined]
        numbers = [pytest.param(few, id="few"), pytest.param(many, marks=FURTHER, id="many")]
        made: Test = pytest.mark.parametrize("examples", numbers)(run)
        return made

    return tried
