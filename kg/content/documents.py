"""The source texts a reader has: found in folders by SHA-256, never shipped."""

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from kg.errors import DocumentError


class DocumentChanged(DocumentError):
    """A document is not the snapshot its claims were read from."""

    code = "document.changed"


@dataclass(frozen=True, slots=True)
class Document:
    """A text as it was snapshotted."""

    path: Path
    sha256: str
    text: str
    bytes: int

    def sentence(self, start: int, end: int, *, around: int = 120) -> str:
        """The printed figure with the words around it, on one line."""
        left, right = max(0, start - around), min(len(self.text), end + around)
        shown = self.text[left:right]
        return ("…" if left else "") + " ".join(shown.split()) + ("…" if right < len(self.text) else "")

    def passage(self, start: int, end: int, *, around: int = 220) -> tuple[str, str, str]:
        """What stands before the figure, the figure, and what stands behind it, each on one line."""
        left, right = max(0, start - around), min(len(self.text), end + around)
        before, figure, behind = self.text[left:start], self.text[start:end], self.text[end:right]
        # Whole words: what the cut went through is left out.
        if left:
            before = "…" + before.partition(" ")[2]
        if right < len(self.text):
            behind = behind.rpartition(" ")[0] + "…"
        return tuple(re.sub(r"\s+", " ", one) for one in (before, figure, behind))  # type: ignore[return-value]


def read_document(path: Path) -> Document:
    """Read a UTF-8 text; offsets count code points of this text, line ends untouched."""
    data = path.read_bytes()
    return _decoded(path, data, sha256(data).hexdigest())


def _decoded(path: Path, data: bytes, digest: str) -> Document:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as cause:
        raise DocumentError(
            path=str(path), given=f"byte {data[cause.start]:#04x} at {cause.start}", expected="UTF-8 text"
        ) from cause
    return Document(path, digest, text, len(data))


def snapshot(path: Path, digest: str) -> Document | None:
    """The text of a file that is the snapshot of a digest; None for any other, which need be no text at all."""
    data = _short(path)
    return None if data is None or sha256(data).hexdigest() != digest else _decoded(path, data, digest)


_MOST_BYTES: Final = 64 << 20
"""What is larger is no source text, and would take long to digest."""


def _short(path: Path) -> bytes | None:
    """What is in a file that may be a source text; None where it cannot be one."""
    if not path.is_file() or (size := path.stat().st_size) > _MOST_BYTES:
        return None
    with open(path, "rb") as file:
        return file.read(size + 1)  # one that grows meanwhile is not read on and on, and is no snapshot


def attach(folder: Path, wanted: dict[str, str]) -> dict[str, Document]:
    """The documents of a folder whose SHA-256 is wanted: from digest to document. `wanted` maps digest to file name."""
    if not folder.is_dir():
        raise DocumentError(path=str(folder), given="not a folder", expected="a folder with the source texts")
    found: dict[str, Document] = {}
    for path in sorted(folder.iterdir()):
        if (data := _short(path)) is not None and (digest := sha256(data).hexdigest()) in wanted:
            found[digest] = _decoded(path, data, digest)
    return found


def changed(folder: Path, wanted: dict[str, str], found: dict[str, Document]) -> list[DocumentChanged]:
    """Files that have the name of a wanted document but other content."""
    return [
        DocumentChanged(
            path=str(folder / name),
            given=f"more than {_MOST_BYTES >> 20} MB"
            if (data := _short(folder / name)) is None
            else f"sha256 {sha256(data).hexdigest()[:12]}…",
            expected=f"sha256 {digest[:12]}…",
            next_step="get the text as it was when its claims were read",
        )
        for digest, name in sorted(wanted.items())
        if digest not in found and (folder / name).is_file()
    ]
