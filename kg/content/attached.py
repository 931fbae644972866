"""The attached source texts of a store, for showing a passage: light enough for a warm start."""

from collections.abc import Callable
from dataclasses import dataclass
from errno import EINVAL, ENAMETOOLONG
from pathlib import Path

from kg.content.documents import Document, snapshot
from kg.model.state_file import StateDamaged, read_state


@dataclass(frozen=True, slots=True)
class Attached:
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
        places = () if attached is None else tuple(map(Path, (attached.folder, *attached.further)))
        if not all(map(_is_a_name, places)):
            raise StateDamaged(path=str(pointer(folder)), given="a name that no folder can have", expected="a folder")
    except StateDamaged as error:
        error.next_step = "attach the texts again with kg documents attach FOLDER"
        raise
    return places


def _is_a_name(place: Path) -> bool:
    """Whether the system takes it for one, of a folder that is there or not."""
    try:
        place.exists()
    except OSError as error:
        return error.errno not in (ENAMETOOLONG, EINVAL)
    return True


def attached_folders(folder: Path, *, tell: Callable[[str], None] | None = None) -> tuple[Path, ...]:
    """The same for a reader: a note that is damaged counts as none, and `tell` hears of it."""
    try:
        return known_folders(folder)
    except StateDamaged as error:
        if tell is not None:
            tell(f"{error.path} is damaged, so no passage of an attached text is shown; {error.next_step}")
        return ()


def attached_text(
    folder: Path,
    document: str | None,
    sha256: str | None,
    *more: Path,
    tell: Callable[[str], None] | None = None,
) -> Document | None:
    """The attached text of a digest, or None when the reader does not have it; `more` are further folders of texts."""
    if not document or sha256 is None:
        return None
    places = (*attached_folders(folder, tell=tell), *more)
    return next((text for one in places if (text := snapshot(one / document, sha256)) is not None), None)
