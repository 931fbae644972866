"""What is no file that can be read to its end, where content and notes are looked for."""

import os
from pathlib import Path

import pytest

from kg.content.attached import attached_folders, known_folders, pointer
from kg.errors import ContentError
from kg.model.state_file import StateDamaged
from tests.small_content import write_small_content


def test_a_pipe_among_the_seeds_is_named_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    content = write_small_content(tmp_path / "content")
    os.mkfifo(content.seeds / "claims" / "901.yaml")
    with pytest.raises(ContentError) as refused:
        content.seed_files("claims")
    assert refused.value.path == "seeds/claims/901.yaml"
    assert refused.value.given == "a device or a pipe"


def test_a_note_of_texts_with_a_name_that_no_folder_can_have_is_damaged(tmp_path: Path) -> None:
    pointer(tmp_path).write_text('{"folder": "' + "9" * 5000 + '"}')
    with pytest.raises(StateDamaged) as refused:
        known_folders(tmp_path)
    assert refused.value.path == str(pointer(tmp_path))
    told: list[str] = []
    assert attached_folders(tmp_path, tell=told.append) == ()
    assert len(told) == 1 and "documents.json is damaged" in told[0] and "kg documents attach" in told[0]
