"""How the answers ask saved questions."""

from pathlib import Path

import pytest

from kg.answers.asking import AskedRow, Asker, near_names, text
from kg.errors import ContentError
from kg.session import open_graph


def test_a_question_of_another_version_that_lacks_a_column_is_named() -> None:
    row = AskedRow("claims/siblings", {"claim": "900/a"})
    assert text(row, "claim") == "900/a"
    with pytest.raises(ContentError, match="gives no column speaker") as refused:
        text(row, "speaker")
    assert refused.value.given == "claims/siblings"


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("NVIDIA H100-NVL-94GB", "nvidia h100 nvl"),
        ("NVIDIA H200-SXM5-141GB", "nvidia h200 sxm 141gb"),
        ("AMD Instinct MI300X-750W", "amd instinct mi300x"),
        ("Nvidia B20O", "nvidia b200"),
    ],
)
def test_a_name_of_the_same_chip_is_nearer_than_one_that_is_spelt_alike(
    shipped_store: Path, asked: str, first: str
) -> None:
    with open_graph(shipped_store) as graph:
        assert near_names(Asker(graph.ask), asked)[0] == first
