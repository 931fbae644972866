"""What keeps a report from being read."""

from kg.errors import ContentError


class ReportUnreadable(ContentError):
    """A file is no report: binary, damaged, encrypted, scanned, or of another format than was said."""

    code = "report.format"


class ReportTooLarge(ContentError):
    """A report takes more than is read: bytes, pages, memory or time."""

    code = "report.limit"


class ReaderMissing(ContentError):
    """What reads a format is not installed."""

    code = "report.extra"
