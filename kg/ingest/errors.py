"""What can be wrong with a mapping, a file and a row. A file is refused as a whole; a row goes to quarantine."""

from dataclasses import dataclass

from kg.errors import ContentError, UsageError


class MappingError(ContentError):
    """A loader mapping does not fit its schema, or refers to what is not there."""

    code = "mapping"


class UnknownSource(UsageError):
    """No folder of `loaders/` has this name."""

    code = "load.source"


class FileMissing(ContentError):
    """The path to load is no file or folder."""

    code = "load.file"


class NoShape(ContentError):
    """A file fits none of the shapes of its source."""

    code = "load.shape"


class FileDamaged(ContentError):
    """A file is cut, is not in the format or encoding it should be in, or holds what is refused."""

    code = "load.format"


class LimitExceeded(ContentError):
    """A file is larger, deeper or wider than is read."""

    code = "load.limit"


class WrongColumns(ContentError):
    """A file has a column twice, lacks one that is needed, or has one nobody knows."""

    code = "load.columns"


class NoEdition(ContentError):
    """Nothing tells which edition a file is."""

    code = "load.edition"


class MissingExtra(UsageError):
    """An optional package is needed to read this format."""

    code = "load.extra"


@dataclass(slots=True)
class RowFault(Exception):
    """Why one row is rejected."""

    code: str
    field: str | None
    given: str
    expected: str
    kind: str | None = None
    candidates: tuple[str, ...] = ()


def _row(*, code: str) -> str:
    """A code that rows are rejected with."""
    return code


CELL = _row(code="load.cell")
RULE = _row(code="load.rule")
DUPLICATE = _row(code="load.duplicate-key")
SHORT = _row(code="load.row")
RECORD = _row(code="load.record")
STEP = _row(code="load.step")
EDITION = _row(code="load.edition-differs")
NAMES = _row(code="names.unresolved")


def shown(value: object, *, most: int = 80) -> str:
    r"""A value as one short line.

    >>> shown("a\nb"), shown(None), shown("x" * 100, most=5)
    ('a b', 'nothing', 'xxxx…')
    """
    text = "nothing" if value is None else " ".join(str(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"
