"""Errors keep their parts and show them only when asked."""

from __future__ import annotations

import pickle

import pytest

from kg import errors
from kg.errors import ContentError, KgError, Mistakes, StoreError


def test_every_class_has_a_code_of_its_own() -> None:
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, KgError)]
    assert len({c.code for c in classes}) == len(classes) == 9
    assert {c.__name__: c.exit_code for c in classes if c.exit_code != 2} == {"StoreError": 3}


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (KgError("is wrong"), "is wrong"),
        (KgError("is wrong", path="a.yaml"), "a.yaml: is wrong"),
        (KgError("is wrong", field="rows[2]", given="x"), 'rows[2]: "x" is wrong'),
        (KgError("is wrong", given="x", expected="y"), '"x" is wrong. Accepted: y'),
        (KgError("is wrong.", expected="y", next_step="Do z."), "is wrong. Accepted: y. Do z."),
        (KgError("is wrong", given=""), '"" is wrong'),
    ],
)
def test_parts_are_joined_in_one_line(error: KgError, shown: str) -> None:
    assert str(error) == f"{shown}\n  kg explain kg"


def test_the_place_is_filled_in_once() -> None:
    error = ContentError("is wrong", line=3)
    assert error.at(path="a.yaml", line=9, field="x") is error
    assert str(error).startswith("a.yaml:3: x: is wrong")


def test_mistakes_are_raised_together_and_survive_pickling() -> None:
    with pytest.raises(Mistakes) as caught:
        Mistakes.raise_any([ContentError("a"), ContentError("b")])
    with pytest.raises(ContentError) as single:
        Mistakes.raise_any([ContentError("a")])
    assert not isinstance(single.value, Mistakes)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert pickle.loads(pickle.dumps(StoreError("gone", path="x"))).path == "x"
