"""State files are held against what their classes declare."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import pytest

from kg.model.plain_json import Misfit, plain_values, read_plain


class _Move(NamedTuple):
    name: str
    records: int


@dataclass(frozen=True, slots=True)
class _Part:
    name: str
    scope: Literal["full", "partial"] = "full"


@dataclass(frozen=True, slots=True)
class _Note:
    generation: Annotated[str, msgspec.Meta(pattern=r"^gen-[0-9]{6}$")]
    previous: str | None = None
    rules: int = 0
    parts: tuple[_Part, ...] = ()
    moved: tuple[_Move, ...] = ()
    unnamed: dict[str, Any] = field(default_factory=dict)


def test_what_fits_is_read_with_what_no_field_names() -> None:
    note = read_plain(
        '{"generation": "gen-000001", "parts": [{"name": "ä", "new": 1}], "moved": [["x", 2]], "nodes": 7}', _Note
    )
    assert note == _Note("gen-000001", parts=(_Part("ä"),), moved=(_Move("x", 2),), unnamed={"nodes": 7})
    assert plain_values(note) == {
        "generation": "gen-000001", "previous": None, "rules": 0, "parts": (_Part("ä"),), "moved": (_Move("x", 2),), "nodes": 7,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        (b"", "", "JSON that is whole"),
        (b'{"generation": "gen-0', "", "JSON that is whole"),
        (b'{"generation": "gen-000001", "x": "\xff"}', "", "JSON that is whole"),
        (b"[" * 100_000, "", "JSON that is whole"),
        (b'{"rules": ' + b"9" * 10_000 + b"}", "", "JSON that is whole"),
        (b"[]", "", "a mapping"),
        (b"{}", "generation", "this key is needed"),
        (b'{"generation": "../000001"}', "generation", "Expected `str` matching regex '^gen-[0-9]{6}$'"),
        (b'{"generation": 1}', "generation", "text"),
        (b'{"generation": "gen-000001", "previous": "\\ud800"}', "", "JSON that is whole"),
        (b'{"generation": "gen-000001", "previous": 1}', "previous", "text"),
        (b'{"generation": "gen-000001", "rules": true}', "rules", "a whole number"),
        (b'{"generation": "gen-000001", "rules": 1.0}', "rules", "a whole number"),
        (b'{"generation": "gen-000001", "parts": {}}', "parts", "a list"),
        (b'{"generation": "gen-000001", "parts": [{"name": "x"}, {}]}', "parts.1.name", "this key is needed"),
        (b'{"generation": "gen-000001", "parts": [{"name": "x", "scope": "all"}]}', "parts.0.scope", "Invalid enum value 'all'"),
        (b'{"generation": "gen-000001", "moved": [["x"]]}', "moved.0", "Expected `array` of length 2, got 1"),
        (b'{"generation": "gen-000001", "moved": [["x", "y"]]}', "moved.0.1", "a whole number"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(text: bytes, where: str, expected: str) -> None:
    with pytest.raises(Misfit) as refused:
        read_plain(text, _Note)
    assert (refused.value.field, refused.value.expected) == (where, expected)
