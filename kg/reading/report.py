"""Reads a report: text, Markdown, HTML or PDF, from a file or from bytes, in an isolated process with limits."""

import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kg.errors import KgError
from kg.reading import limits
from kg.reading.errors import ReaderMissing, ReportTooLarge, ReportUnreadable
from kg.reading.text import Block, Box, Cell, MarkedSpan, ReportText, TextFormat
from kg.stores.protocol import DeadlinePassed
from kg.stores.worker import Worker

_PROCESS: Final = "kg.reading.report_process"
_ERRORS: Final[dict[str, type[KgError]]] = {one.code: one for one in (ReportUnreadable, ReportTooLarge, ReaderMissing)}


def read_report(source: Path | bytes, format: TextFormat | None = None, *, name: str | None = None) -> ReportText:  # noqa: A002 - the word of the command line
    """The text of a report with the place of everything in it.

    The format is that of the file's name, or of its first bytes. Raises ReportUnreadable, ReportTooLarge or
    ReaderMissing, each with what to do.
    """
    if isinstance(source, Path):
        return _read_file(source, source, name or source.name, format)
    with tempfile.NamedTemporaryFile(prefix="kg-report-") as file:
        _refuse_size(len(source), name or "standard input")
        file.write(source)
        file.flush()
        return _read_file(Path(file.name), Path(name or "standard input"), name, format)


def _read_file(path: Path, shown: Path, name: str | None, form: TextFormat | None) -> ReportText:
    _refuse_size(path.stat().st_size, str(shown))
    worker = Worker(_PROCESS)
    try:
        worker.messages.run(limits.SECONDS)
        worker.ask(str(path.resolve()), name, form)
        message = worker.messages.next()
    except DeadlinePassed:
        raise _over(shown, f"more than {limits.SECONDS} s") from None
    finally:
        status = worker.end()
    if message is None:
        raise _over(shown, f"the reader ended with {status}")
    kind, *rest = message
    if kind == "error":
        fields = dict(rest[0])
        raise _ERRORS.get(fields["code"], ReportUnreadable)(
            fields.pop("message") or "",
            **{**fields, "path": str(shown), "code": fields["code"] if fields["code"] in _ERRORS else None},
        )
    return _report(*rest)


def _refuse_size(size: int, shown: str) -> None:
    if size > limits.FILE:
        raise ReportTooLarge(
            path=shown,
            given=f"{size / 1e6:.0f} MB",
            expected=f"a file of at most {limits.FILE >> 20} MB",
            next_step="Read it in parts, or save its text alone",
        )


def _over(shown: Path, given: str) -> ReportTooLarge:
    return ReportTooLarge(
        path=str(shown),
        given=given,
        expected=f"a report that can be read in {limits.MEMORY >> 20} MB and {limits.SECONDS} s",
        next_step="Read it in parts, or save its text alone",
    )


def _report(
    form: TextFormat, file_digest: str, text: str, blocks: list[Any], marks: list[Any], title: str | None
) -> ReportText:
    return ReportText(
        text=text,
        sha256=sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest(),
        file_sha256=file_digest,
        format=form,
        blocks=tuple(
            Block(kind, start, end, tuple(headings), _cell(cell), Box(*box) if box else None)
            for kind, start, end, headings, cell, box in blocks
        ),
        title=title,
        marks=tuple(MarkedSpan(*mark) for mark in marks),
    )


def _cell(parts: Any) -> Cell | None:
    if parts is None:
        return None
    table, row, column, column_headers, row_headers, is_header = parts
    return Cell(table, row, column, tuple(column_headers), tuple(row_headers), is_header)
