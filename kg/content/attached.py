"""The attached source texts of a store, for showing a passage: light enough for a warm start."""

from json import loads
from pathlib import Path

from kg.content.documents import Document, read_document


def pointer(folder: Path) -> Path:
    """The file that remembers where the texts lie."""
    return folder / "documents.json"


def known_folder(folder: Path) -> Path | None:
    """The folder of texts attached to a store."""
    try:
        return Path(loads(pointer(folder).read_text(encoding="utf-8"))["folder"])
    except (FileNotFoundError, ValueError, KeyError):
        return None


def attached_text(folder: Path, document: str | None, sha256: str | None) -> Document | None:
    """The attached text of a digest, or None when the reader does not have it."""
    place = known_folder(folder)
    if place is None or not document or not (place / document).is_file():
        return None
    text = read_document(place / document)
    return text if text.sha256 == sha256 else None
