"""How the answers ask saved questions."""

import pytest

from kg.answers.asking import AskedRow, text
from kg.errors import ContentError


def test_a_question_of_another_version_that_lacks_a_column_is_named() -> None:
    row = AskedRow("claims/siblings", {"claim": "900/a"})
    assert text(row, "claim") == "900/a"
    with pytest.raises(ContentError, match="gives no column speaker") as refused:
        text(row, "speaker")
    assert refused.value.given == "claims/siblings"
