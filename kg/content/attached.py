"""The attached source texts of a store, for showing a passage: light enough for a warm start."""

from pathlib import Path

from kg.content.documents import Document, read_document
from kg.model.state_file import StateDamaged, StateFile, read_state


class Attached(StateFile):
    """The file `documents.json`."""

    folder: str
    further: tuple[str, ...] = ()
    """Folders attached before that one; it stands by its own name since earlier versions read it alone."""


def pointer(folder: Path) -> Path:
    """The file that remembers where the texts lie."""
    return folder / "documents.json"


def known_folders(folder: Path) -> tuple[Path, ...]:
    """The folders of texts attached to a store, the last attached first."""
    try:
        attached = read_state(pointer(folder), Attached)
    except StateDamaged as error:
        error.next_step = "attach the texts again with kg documents attach FOLDER"
        raise
    return () if attached is None else tuple(map(Path, (attached.folder, *attached.further)))


def attached_folders(folder: Path) -> tuple[Path, ...]:
    """The same for a reader: a note that is damaged counts as none, and `kg documents` and `kg status` tell it."""
    try:
        return known_folders(folder)
    except StateDamaged:
        return ()


def attached_text(folder: Path, document: str | None, sha256: str | None, *more: Path) -> Document | None:
    """The attached text of a digest, or None when the reader does not have it; `more` are further folders of texts."""
    for one in (*attached_folders(folder), *more):
        if document and (one / document).is_file():
            text = read_document(one / document)
            if text.sha256 == sha256:
                return text
    return None
