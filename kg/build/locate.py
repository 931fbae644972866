"""From the options of a command to the content in use and a store folder that can be written.

A store that was built from content of its own remembers it: a command that names no content does not give it less.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from pathlib import Path

from kg.__about__ import RULES_VERSION, __version__
from kg.content.folders import Content, ContentMissing, find_content, is_content, named_content, shipped_content
from kg.errors import KgError, UsageError
from kg.ledger import durable
from kg.ledger.mark import REMEMBERED
from kg.model.state_file import StateDamaged, read_state
from kg.model.view_stamp import ViewStamp
from kg.stores.places import default_store, hindrance, is_server, named_store, refuse_writing


class ContentGone(ContentMissing):
    """The content that a store was built from is not where it was."""

    def __init__(self, folder: Path, root: Path, shipped: Path) -> None:
        super().__init__(
            path=str(folder),
            given=f"built from {root}, which is not there",
            expected="the content it was built from",
            next_step=f"give its place with --content DIR, or the shipped content with --content {shipped}",
        )
        self.folder = folder


def root_and_folder(
    store: str | os.PathLike[str] | None, content: str | os.PathLike[str] | None
) -> tuple[Content, Path]:
    """The content in use and the folder of a store that can be written; a server is refused, with what to do instead."""
    named = named_store(store)
    if named is not None and is_server(named):
        refuse_writing(named)
    given = named_content(content)
    if given is not None:
        root = find_content(given)
        return root, _store_folder(Path(named) if named else _store_of(root))
    folder, shipped = _store_folder(Path(named) if named else default_store(None)), shipped_content()
    own = _remembered(folder)
    if own is None:
        return shipped, folder
    if not is_content(own):
        raise ContentGone(folder, own, shipped.root)
    return find_content(own), folder


def _store_folder(folder: Path) -> Path:
    """The folder of a store; refused where its name is no text, which the engines do not take, or it can be none."""
    try:
        str(folder).encode()
    except UnicodeEncodeError as cause:
        raise UsageError(
            field="--store",
            given=ascii(str(folder))[1:-1],
            expected="a path in UTF-8",
            next_step="give a folder of another name",
        ) from cause
    # else it would be taken for a store that can only be read, and a temporary one be asked
    if (reason := hindrance(folder)) is not None:
        raise UsageError(field="--store", given=str(folder), expected="a folder", next_step=reason)
    return folder


def _store_of(root: Content) -> Path:
    """The store of content that was named and no store with it: the usual one if that is what it was built from."""
    usual = default_store(None)
    try:
        remembered = _remembered(usual)
    except StateDamaged:
        remembered = None
    return usual if remembered == root.place else default_store(root.place)


def content_in_use(store: str | os.PathLike[str] | None, content: str | os.PathLike[str] | None) -> Content:
    """The content that a command works with: what is named, else what the store was built from, else the shipped one."""
    named = named_store(store)
    if named_content(content) is not None or (named is not None and is_server(named)):
        return find_content(named_content(content))
    return root_and_folder(store, content)[0]


def remember_folder(store: str | os.PathLike[str] | None, own: Path) -> tuple[Path, Path | None]:
    """Let a store be built from a folder of one's own from now on: the folder of the store, and what it was built from."""
    named = named_store(store)
    if named is not None and is_server(named):
        refuse_writing(named)
    folder = Path(named) if named else default_store(None)
    from kg.ledger.lock import writer_lock  # opening a store to read it needs no lock

    with writer_lock(folder, purpose="init"):
        try:
            before = _remembered(folder)
        except StateDamaged:
            before = None
        _remember(folder, own.resolve())
    return folder, before


def local_folder(store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None) -> Path:
    """The folder of a store that can be written; a server is refused, with what to do instead."""
    return root_and_folder(store, content)[1]


def is_made_by(stamp: ViewStamp, content: Content) -> bool:
    """Whether a view was made from this content by this version and these rules; else it is made again.

    The content is the same when names, sizes and times are, or else when every byte is: two environments have other times.
    """
    if not is_readable(stamp):
        return False
    # the fingerprint is cheap and enough on one machine; only where it differs are the bytes read
    return stamp.get("fingerprint") == content.fingerprint() or stamp.get("content") == content.digest()


def is_readable(stamp: ViewStamp) -> bool:
    """Whether a view was made by this version and these rules, from any content."""
    return (stamp.get("version"), stamp.get("rules")) == (__version__, RULES_VERSION)


def content_switch(folder: Path, content: Content) -> str | None:
    """Words for a store that is built from other content than until now, and the way back; None where it is the same."""
    try:
        before = _remembered(folder)
    except StateDamaged:
        return None
    if before is None or before == content.place:
        return None
    return (
        f"the store was built from {before} and is built from {content.place} from now on; --content {before} goes back"
    )


@contextmanager
def remembered_content(folder: Path, content: Content) -> Iterator[None]:
    """Note the content that a store is built from where it is not the shipped one. The caller holds the writer lock.

    The note is there before the view is, so that a build that is cut off is finished from the same content; content
    that is refused is not remembered.
    """
    try:
        before = _remembered(folder)
    except StateDamaged:
        before = None
    # the shipped content is found anew by each version: its place in one environment means nothing in another
    _remember(folder, None if content == shipped_content() else content.place)
    try:
        yield
    except KgError:
        _remember(folder, before)
        raise


def _remember(folder: Path, root: Path | None) -> None:
    if root is None:
        (folder / REMEMBERED).unlink(missing_ok=True)
    else:
        durable.write_whole(folder / REMEMBERED, [dumps({"root": str(root)}, ensure_ascii=False).encode()])


def _remembered(folder: Path) -> Path | None:
    """The root of the content that a store was built from; None for the shipped content, and where there is no store."""
    try:
        noted = read_state(folder / REMEMBERED, _Remembered)
    except PermissionError:
        return None
    except StateDamaged as error:
        error.next_step = "name the content that the store was built from with --content FOLDER"
        raise
    return None if noted is None else Path(noted.root)


def check_remembered(folder: Path) -> None:
    """Raise StateDamaged where the note cannot be read."""
    _remembered(folder)


@dataclass(frozen=True, slots=True)
class _Remembered:
    root: str
