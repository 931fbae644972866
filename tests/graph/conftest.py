"""A small content, and stores made from it."""

from pathlib import Path

import pytest

from tests.small_content import write_small_content


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_small_content(tmp_path / "content").root
