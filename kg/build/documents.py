"""Which source texts the reader has: remembered next to the store, found again by SHA-256."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from json import dumps
from pathlib import Path

from kg.content.attached import attached_folders, known_folders, pointer
from kg.content.documents import Document, attach, changed
from kg.content.entities import read_registry
from kg.content.folders import find_content, refuse_unwritable
from kg.errors import DocumentError, Mistakes
from kg.ledger import durable
from kg.ledger.lock import writer_lock
from kg.model.waiting import WRITER_SECONDS


@dataclass(frozen=True, slots=True)
class Listed:
    """A source with a text, and whether the text is attached."""

    source: str
    document: str
    sha256: str
    label: str
    path: str | None


def wanted_documents(content: str | None) -> list[Listed]:
    """Every source of the content that has a text."""
    registry = read_registry(find_content(Path(content) if content else None))
    return [
        Listed(one["id"], one["document"], one["sha256"], one["label"], None)
        for one in registry.sources()
        if "sha256" in one and "document" in one
    ]


def attach_documents(
    folder: Path,
    documents: Path,
    *,
    content: str | None,
    wait_seconds: float = WRITER_SECONDS,
    tell: Callable[[str], None] | None = None,
) -> list[Document]:
    """Remember a folder of texts next to those known; those with a known digest are attached, a changed text is an error."""
    refuse_unwritable(documents)
    wanted = {one.sha256: one.document for one in wanted_documents(content)}
    found = attach(documents, wanted)
    Mistakes.raise_any(changed(documents, wanted, found))
    if not found:
        raise DocumentError(
            code="document.none",
            path=str(documents),
            given="no known text",
            expected="files whose SHA-256 a source names",
            next_step="see kg documents list",
        )
    place = documents.resolve()
    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="documents attach"):
        # a note that is damaged says nothing that could be kept, and attaching again is what mends it
        _remember(folder, (place, *(one for one in attached_folders(folder) if one != place)))
    return list(found.values())


def detach_documents(
    folder: Path,
    documents: Path,
    *,
    wait_seconds: float = WRITER_SECONDS,
    tell: Callable[[str], None] | None = None,
) -> None:
    """Forget a folder of texts; its files stay as they are."""
    place = documents.resolve()
    _refuse_unattached(known_folders(folder), documents, place)
    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="documents detach"):
        known = known_folders(folder)  # another command may have attached or detached one meanwhile
        _refuse_unattached(known, documents, place)
        _remember(folder, [one for one in known if one != place])


def _refuse_unattached(known: Sequence[Path], documents: Path, place: Path) -> None:
    if place not in known:
        raise DocumentError(
            code="document.none",
            path=str(documents),
            given="a folder that is not attached",
            expected=", ".join(map(str, known)) or "an attached folder; none is",
            next_step="see kg documents list",
        )


def _remember(folder: Path, places: Sequence[Path]) -> None:
    if not places:
        pointer(folder).unlink(missing_ok=True)
        return
    first, *further = map(str, places)
    durable.write_whole(pointer(folder), [dumps({"folder": first, "further": further}).encode()])


def list_documents(folder: Path, *, content: str | None) -> list[Listed]:
    """All texts that sources name, with where each is, if it is here."""
    listed = wanted_documents(content)
    wanted = {one.sha256: one.document for one in listed}
    found: dict[str, Document] = {}
    # The folder attached last is the first of the list and stands over the others.
    for place in reversed(known_folders(folder)):
        if place.is_dir():
            found |= attach(place, wanted)
    return [
        Listed(
            one.source,
            one.document,
            one.sha256,
            one.label,
            str(found[one.sha256].path) if one.sha256 in found else None,
        )
        for one in listed
    ]
