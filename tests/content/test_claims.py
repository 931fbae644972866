"""Reading claims files: groups, keys that win, conditions that merge, null that takes back."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.content.claims import read_claims
from kg.content.claims_file import merged, read_claims_file
from kg.content.documents import read_document
from kg.content.entities import read_registry
from kg.content.located import read_located
from kg.content.vocabulary import read_vocabulary
from kg.errors import KgError
from tests.sampling import SIGNS
from tests.small_content import CLAIMS, DIGEST, DOCUMENT, TEXT, write_small_content, write_text

Json = Any


def read(root: Path, claims: str = CLAIMS) -> dict[str, Json]:
    content = write_small_content(root, claims=claims)
    document = read_document(write_text(root / "texts") / DOCUMENT)
    found = read_claims(content, read_registry(content), read_vocabulary(content), {DIGEST: document})
    return {one["id"]: one for one in found}


def test_a_claim_has_what_its_group_states_and_what_follows_from_its_figure(tmp_path: Path) -> None:
    claims = read(tmp_path)
    assert list(claims) == sorted(claims)
    start = TEXT.index("1,000 W")
    assert claims["900/power.two"] == {
        "record": "claim",
        "id": "900/power.two",
        "kind": "specification",
        "subject": "accelerator/acme-two",
        "level": "accelerator",
        "metric": "power",
        "asserted_by": "org/acme",
        "source": "source/900",
        "said_on": "2025-01-02",
        "said_on_basis": "source: printed",
        "quantity": {"printed": "1,000 W", "value": 1000, "unit": "W", "hedge": "up-to"},
        "anchor": {"document": DOCUMENT, "sha256": DIGEST, "start": start, "end": start + 7},
    }


def test_a_hedge_that_is_printed_with_the_figure_is_recorded(tmp_path: Path) -> None:
    claims = CLAIMS.replace("printed: '1,000 W'", "printed: 'up to 1,000 W'").replace(", hedge: up-to", "")
    content = write_small_content(tmp_path, claims=claims)
    found = read_claims(content, read_registry(content), read_vocabulary(content), {})
    assert [one["quantity"].get("hedge") for one in found if one["id"] == "900/power.two"] == ["up-to"]


def test_positions_are_code_points_also_after_signs_outside_the_basic_plane(tmp_path: Path) -> None:
    for record in read(tmp_path).values():
        assert TEXT[record["anchor"]["start"] : record["anchor"]["end"]] == record["quantity"]["printed"]


@pytest.mark.parametrize(
    ("shared", "own", "expected"),
    [
        ({"unit": "W"}, {"unit": "kW"}, {"unit": "kW"}),
        ({"unit": "W"}, {"unit": None}, {}),
        ({"conditions": {"model": "m"}}, {"conditions": {"phase": "p"}}, {"conditions": {"model": "m", "phase": "p"}}),
        ({"conditions": {"model": "m"}}, {"conditions": {"model": None}}, {"conditions": {}}),
        ({"conditions": {"model": "m"}}, {"conditions": None}, {"conditions": {"model": "m"}}),
        ({"path": ["source/1"]}, {"path": ["source/2"]}, {"path": ["source/2"]}),
        ({"subjects": ["a", "b"]}, {"subject": "c"}, {"subject": "c"}),
        ({"subject": "c"}, {"subjects": ["a", "b"]}, {"subjects": ["a", "b"]}),
        ({}, {"unknown": None}, {"unknown": None}),
    ],
)
def test_own_keys_win_conditions_merge_and_null_takes_back(shared: Json, own: Json, expected: Json) -> None:
    assert merged(shared, own) == expected


KEYS = st.dictionaries(
    st.sampled_from(["unit", "kind", "note", "table"]), st.one_of(st.none(), st.text(SIGNS, max_size=3))
)


@given(shared=KEYS, own=KEYS)
def test_merging_never_changes_what_it_was_given_and_prefers_the_claim(shared: Json, own: Json) -> None:
    before = (dict(shared), dict(own))
    whole = merged(shared, own)
    assert (shared, own) == before
    assert whole == {key: value for key, value in {**shared, **own}.items() if value is not None}


def test_the_lines_of_keys_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("# c\na:\n- {b: 1}\n- c:\n    d: 2\n", encoding="utf-8")
    located = read_located(path)
    assert [located.line("a"), located.line("a", 0, "b"), located.line("a", 1, "c", "d")] == [2, 3, 5]
    assert located.line("a", 1, "c", "nothing") == 4, "the nearest thing that holds it"


def test_a_file_named_to_readers_is_named_so_in_errors(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a: [\n", encoding="utf-8")
    with pytest.raises(KgError) as raised:
        read_claims_file(tmp_path / "x.yaml", shown="seeds/claims/x.yaml")
    assert raised.value.path == "seeds/claims/x.yaml"


@given(data=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_with_a_place(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "x.yaml"
    path.write_bytes(data)
    try:
        read_claims_file(path, shown="x.yaml")
    except KgError as error:
        mistakes = getattr(error, "errors", (error,))
        assert all(one.path == "x.yaml" and one.line for one in mistakes)


PIECES = st.sampled_from(
    [
        "a",
        ": ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "\n",
        "  ",
        "#",
        "2025-13-40",
        "1e999",
        "~",
        "source",
        "groups",
        "claims",
        "with",
        "&x",
        "!!set",
        "? ",
        "|",
        "0x",
        "\ud7ff",
        "🚀",
    ]
)


@given(text=st.lists(PIECES, max_size=25).map("".join))
def test_any_yaml_is_read_or_refused_with_a_place(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "x.yaml"
    path.write_text("source: source/1\ngroups:\n" + text, encoding="utf-8")
    try:
        list(read_claims_file(path, shown="x.yaml").entries())
    except KgError as error:
        mistakes = getattr(error, "errors", (error,))
        assert all(one.path == "x.yaml" and one.line for one in mistakes)
