"""Several folders of source texts beside one store."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from kg.build.content_review import texts_of
from kg.build.documents import attach_documents, detach_documents, list_documents
from kg.content.attached import attached_text, known_folders, pointer
from kg.content.folders import find_content
from kg.errors import DocumentError
from kg.ledger.lock import StoreBusy, writer_lock
from tests.small_content import write_small_content, write_text


@pytest.fixture
def content(tmp_path: Path) -> str:
    return str(write_small_content(tmp_path / "content").root)


def two_folders(tmp_path: Path, content: str) -> tuple[Path, Path]:
    """A folder with the text that the small content names, and one with a text of a second source."""
    first, second = write_text(tmp_path / "first"), tmp_path / "second"
    second.mkdir()
    (second / "more.txt").write_text("Another text: 12 W.\n", encoding="utf-8")
    digest = sha256((second / "more.txt").read_bytes()).hexdigest()
    entry = f"- {{id: source/more, kind: source, form: report, label: More, document: more.txt, sha256: {digest}}}\n"
    (Path(content) / "seeds" / "entities" / "more.yaml").write_text(entry, encoding="utf-8")
    return first, second


def test_folders_are_attached_next_to_each_other_and_one_by_one_forgotten(tmp_path: Path, content: str) -> None:
    first, second = two_folders(tmp_path, content)
    store = tmp_path / "store"
    store.mkdir()
    for folder in (first, second, first):
        attach_documents(store, folder, content=content)
    assert known_folders(store) == (first.resolve(), second.resolve())
    paths = {one.document: one.path for one in list_documents(store, content=content)}
    assert paths["more.txt"] == str(second.resolve() / "more.txt")
    assert all(path is not None for path in paths.values())
    assert len(texts_of(find_content(Path(content)), known_folders(store))) == len(paths)
    text = next(one for one in list_documents(store, content=content) if one.document == "more.txt")
    assert attached_text(store, "more.txt", text.sha256) is not None
    detach_documents(store, second)
    assert attached_text(store, "more.txt", text.sha256) is None and known_folders(store) == (first.resolve(),)
    with pytest.raises(DocumentError, match="not attached"):
        detach_documents(store, second)
    detach_documents(store, first)
    assert known_folders(store) == () and not pointer(store).exists()


def test_a_file_of_a_wanted_name_that_can_be_no_text_is_not_read(tmp_path: Path, content: str) -> None:
    first = write_text(tmp_path / "first")
    text = next(one for one in first.iterdir() if one.suffix == ".txt")
    with open(text, "r+b") as file:
        file.truncate(1 << 36)
    with pytest.raises(DocumentError, match="more than 64 MB"):
        attach_documents(tmp_path / "store", first, content=content)


def test_a_note_of_one_folder_is_read_and_a_folder_that_is_gone_is_passed_over(tmp_path: Path, content: str) -> None:
    _, second = two_folders(tmp_path, content)
    store = tmp_path / "store"
    store.mkdir()
    pointer(store).write_text(f'{{"folder": "{tmp_path / "gone"}"}}', encoding="utf-8")
    assert all(one.path is None for one in list_documents(store, content=content))
    attach_documents(store, second, content=content)
    assert known_folders(store) == (second.resolve(), tmp_path / "gone")
    assert sum(one.path is not None for one in list_documents(store, content=content)) == 1


def test_a_text_that_is_no_text_any_more_is_not_the_snapshot(tmp_path: Path, content: str) -> None:
    first, _ = two_folders(tmp_path, content)
    store = tmp_path / "store"
    store.mkdir()
    attach_documents(store, first, content=content)
    (text,) = first.iterdir()
    digest = sha256(text.read_bytes()).hexdigest()
    assert attached_text(store, text.name, digest) is not None
    text.write_bytes(bytes([0xFF, 0xFE]))
    assert attached_text(store, text.name, digest) is None


def test_a_folder_is_attached_and_forgotten_under_the_lock_of_the_store(tmp_path: Path, content: str) -> None:
    first, second = two_folders(tmp_path, content)
    store = tmp_path / "store"
    attach_documents(store, first, content=content)
    before = pointer(store).read_bytes()
    with writer_lock(store, purpose="build"):
        with pytest.raises(StoreBusy):
            attach_documents(store, second, content=content, wait_seconds=0)
        with pytest.raises(StoreBusy):
            detach_documents(store, first, wait_seconds=0)
    assert pointer(store).read_bytes() == before


def test_folders_that_are_attached_at_once_are_all_remembered(tmp_path: Path, content: str) -> None:
    texts = [write_text(tmp_path / f"texts-{number}") for number in range(8)]
    store = tmp_path / "store"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda folder: attach_documents(store, folder, content=content), texts))
    assert set(known_folders(store)) == {folder.resolve() for folder in texts}
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda folder: detach_documents(store, folder), texts[1:]))
    assert known_folders(store) == (texts[0].resolve(),)
