"""Who writes into a folder of one's own waits for who does, and gives up in words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kg.build import alone
from kg.build.accepted_names import note_segments
from kg.build.adding import add_claim
from kg.build.content_review import format_content
from kg.build.naming import accept_name, take_back_name
from kg.content.folders import Content
from kg.content.own_folder import make_own_folder

Work = Callable[[Content], object]


@pytest.fixture
def own(tmp_path: Path) -> Content:
    content = make_own_folder(tmp_path / "mine").content
    accept_name("A board of eight", "system/nvidia-hgx-h200", content=str(content.place))
    return content


def state_of(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda own: add_claim(own, {"subject": "H200"}), id="a claim"),
        pytest.param(
            lambda own: accept_name("Another board", "system/nvidia-hgx-h200", content=str(own.place)), id="a name"
        ),
        pytest.param(lambda own: take_back_name("A board of eight", content=str(own.place)), id="a name taken back"),
        pytest.param(lambda own: note_segments("A board of eight", ["0" * 24], content=str(own.place)), id="its rows"),
        pytest.param(lambda own: format_content(own, None, tell=lambda text: None), id="the layout"),
    ],
)
def test_nothing_is_written_while_another_process_writes(
    work: Work, own: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alone, "SECONDS", 0.1)
    before = state_of(own.place)
    with alone.alone_in_own(own), pytest.raises(alone.FolderBusy):
        work(own)
    assert state_of(own.place) == before
