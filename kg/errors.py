"""Errors that a reader can act on: where, what was given, what is accepted, what to do next.

One class per thing that can fail. Each error keeps its parts as fields and formats them only when shown.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Final


class KgError(Exception):
    """Root of all errors that reach a user.

    ``given`` is put in quotes before the message, so a message reads on from it.

    >>> print(KgError("is not a known unit.", code="mapping.unknown-unit", path="loaders/x/mapping.yaml", line=14,
    ...               field="rows[2].unit", given="GBps", next_step='Did you mean "GB/s"?'))
    loaders/x/mapping.yaml:14: rows[2].unit: "GBps" is not a known unit. Did you mean "GB/s"?
      kg explain mapping.unknown-unit
    """

    code: str = "kg"
    exit_code: ClassVar[int] = 2

    def __init__(
        self,
        message: str = "",
        *,
        code: str | None = None,
        path: str | None = None,
        line: int | None = None,
        field: str | None = None,
        given: str | None = None,
        expected: str | None = None,
        next_step: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code
        self.path = path
        self.line = line
        self.field = field
        self.given = given
        self.expected = expected
        self.next_step = next_step

    @property
    def place(self) -> str:
        """The file and line as ``path:line``, or what is known of them.

        >>> KgError("", path="a.yaml", line=3).place, KgError("", line=3).place, KgError("").place
        ('a.yaml:3', 'line 3', '')
        """
        if self.path is None:
            return "" if self.line is None else f"line {self.line}"
        return self.path if self.line is None else f"{self.path}:{self.line}"

    def at(self, *, path: str | None = None, line: int | None = None, field: str | None = None) -> KgError:
        """Fill in where the error stands, without moving it if it already knows.

        >>> str(UsageError("needs a name").at(path="a.yaml", line=2)).splitlines()[0]
        'a.yaml:2: needs a name'
        """
        self.path = self.path if self.path is not None else path
        self.line = self.line if self.line is not None else line
        self.field = self.field if self.field is not None else field
        return self

    @property
    def words(self) -> str:
        """What it says, without the command that explains it.

        >>> UsageError("needs a name", path="a.yaml").words
        'a.yaml: needs a name'
        """
        return str(self).partition("\n  kg explain ")[0]

    def __str__(self) -> str:
        where = "".join(f"{part}: " for part in (self.place, self.field) if part)
        what = " ".join(part for part in (None if self.given is None else f'"{self.given}"', self.message) if part)
        sentences = [what] if what else []
        if self.expected:
            sentences.append(f"Accepted: {self.expected}")
        if self.next_step:
            sentences.append(self.next_step)
        for index, sentence in enumerate(sentences[:-1]):
            if sentence[-1] not in ".?!:":
                sentences[index] = f"{sentence}."
        return f"{where}{' '.join(sentences)}\n  kg explain {self.code}"


class UsageError(KgError):
    """The program or a function was called in a way it does not know."""

    code = "usage"


class ContentError(KgError):
    """A content file (ontology, loaders, queries, seeds) does not fit its form."""

    code = "content"


class ModelError(KgError):
    """A value breaks a rule of the model: a unit, a number, an expression, an identifier."""

    code = "model"


class StoreError(KgError):
    """A store is out of reach, locked or damaged."""

    code = "store"
    exit_code = 3


class LedgerError(KgError):
    """The ledger is damaged, or a record breaks its rules."""

    code = "ledger"


class DocumentError(KgError):
    """A source text is missing or is not the snapshot that was cited."""

    code = "document"


class QueryError(KgError):
    """A question or query cannot be read, bound or answered."""

    code = "query"


class Mistakes(ContentError):
    """All mistakes of one file or of several, collected before raising.

    >>> a, b, c = (ContentError("has no title", path=f"{name}.yaml") for name in "abc")
    >>> print(Mistakes([a, ContentError("has no id", path="b.yaml"), b, c]))
    a.yaml: has no title
      the same at b.yaml
      the same at c.yaml
      kg explain content
    b.yaml: has no id
      kg explain content
    """

    code = "content.mistakes"

    def __init__(self, errors: Iterable[KgError]) -> None:
        self.errors: tuple[KgError, ...] = tuple(errors)
        super().__init__(f"{len(self.errors)} mistakes")
        self.args = (self.errors,)

    @classmethod
    def raise_any(cls, errors: Iterable[KgError]) -> None:
        """Raise if there is at least one error; a single one is raised as it is.

        >>> Mistakes.raise_any([])
        """
        found = tuple(errors)
        if len(found) == 1:
            raise found[0]
        if found:
            raise cls(found)

    def __str__(self) -> str:
        alike: dict[str, list[KgError]] = {}
        for error in self.errors:
            alike.setdefault(str(error).removeprefix(f"{error.place}: "), []).append(error)
        return "\n".join(_message_of_all(errors) for errors in alike.values())


def _message_of_all(alike: Sequence[KgError]) -> str:
    """An error that stands at several places: whole at the first, then the other places."""
    first, explain = str(alike[0]).rsplit("\n", 1)
    others = dict.fromkeys(error.place for error in alike if error.place != alike[0].place)
    return "\n".join((first, *(f"  the same at {place}" for place in others), explain))


FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where there is no room to write."""


_NAME, _PATH = 255, 4095
"""Bytes that the usual systems take."""


def out_of_reach(error: OSError, *, is_full: bool = False) -> KgError:
    """What the system said of a file, a folder or a stream, in the words of this program.

    >>> print(out_of_reach(PermissionError(13, "Permission denied", "/a/b")))
    /a/b: "Permission denied". Accepted: a file or folder that can be read and written. check the path, its permissions and the space left
      kg explain store
    """
    path = None if error.filename is None else os.fsdecode(error.filename)
    if path is not None and error.errno == errno.ENAMETOOLONG:
        name = max(Path(path).parts, key=len)
        return UsageError(
            given=f"a name of {len(os.fsencode(name)):,} bytes in a path of {len(os.fsencode(path)):,}, {name[:20]}...",
            expected=f"a path of at most {_PATH:,} bytes, each name in it at most {_NAME} bytes",
            next_step="give a shorter name",
        )
    if is_full or error.errno in FULL:
        return StoreError(
            code="store.full",
            path=path,
            given="no space left on the disk",
            expected="room for what is written",
            next_step="free space, there or where temporary files go (TMPDIR); what was there before is whole",
        )
    if path is None and error.errno == errno.EBADF:
        return StoreError(
            path="standard output",
            given="closed",
            expected="a place for the answer",
            next_step="leave >&- away; > /dev/null takes an answer that nobody wants",
        )
    return StoreError(
        path=path,
        given=error.strerror or str(error),
        expected="a file or folder that can be read and written",
        next_step="check the path, its permissions and the space left",
    )
