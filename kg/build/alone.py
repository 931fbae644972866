"""The lock of a user's content folder, for what `kg add`, `kg review` and `kg names` write there.

Files are read, changed and written whole: of two writers at once one would undo what the other did.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

from filelock import FileLock, Timeout

from kg.content.folders import Content
from kg.errors import ContentError

SECONDS: Final = 30.0
Given = ParamSpec("Given")
Result = TypeVar("Result")


class _InFolder(Protocol):
    @property
    def folder(self) -> Path: ...


Writer = TypeVar("Writer", bound=_InFolder)


class FolderBusy(ContentError):
    """Another process is writing into a folder of one's own."""

    code = "content.busy"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Write while nobody else does; the lock goes with the process. It lies in `documents/`, which is not for git."""
    place = folder / "documents"
    place.mkdir(parents=True, exist_ok=True)
    lock = FileLock(place / ".lock")
    try:
        lock.acquire(timeout=SECONDS)
    except Timeout as cause:
        raise FolderBusy(
            path=str(folder),
            given=f"another process has been writing into it for more than {SECONDS:g} s",
            expected="one writer at a time",
            next_step="try again",
        ) from cause
    try:
        yield
    finally:
        lock.release()


def alone_in_own(content: Content) -> AbstractContextManager[None]:
    """The same for the folder of one's own that lies over the content; a checkout is guarded by its version control."""
    return nullcontext() if content.own is None else alone_in(content.own)


def alone(work: Callable[Concatenate[Writer, Given], Result]) -> Callable[Concatenate[Writer, Given], Result]:
    """A method that writes into the folder of its object while nobody else does."""

    @wraps(work)
    def done(writer: Writer, /, *given: Given.args, **named: Given.kwargs) -> Result:
        with alone_in(writer.folder):
            return work(writer, *given, **named)

    return done
