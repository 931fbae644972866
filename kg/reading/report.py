"""Reads a report: text, Markdown, HTML or PDF, from a file or from bytes, in an isolated process with limits."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kg.errors import KgError, StoreError
from kg.reading import limits
from kg.reading.deadline import NO_DEADLINE, Deadline
from kg.reading.errors import ReaderMissing, ReportTooLarge, ReportUnreadable
from kg.reading.text import Block, Box, Cell, MarkedSpan, ReportText, TextFormat
from kg.stores.protocol import DeadlinePassed
from kg.stores.temporary import temporary_folder
from kg.stores.worker import SEE_WHERE, WAITS, Worker, error_of, is_out_of_processor_time

_PROCESS: Final = "kg.reading.report_process"
_ERRORS: Final[dict[str, type[KgError]]] = {one.code: one for one in (ReportUnreadable, ReportTooLarge, ReaderMissing)}


@dataclass(frozen=True, slots=True)
class ReportFile:
    """Where an isolated process finds a report, how errors call it, and the name that tells its format."""

    path: Path
    shown: str
    name: str | None


@contextmanager
def report_file(source: Path | bytes, name: str | None = None, shown: str | None = None) -> Iterator[ReportFile]:
    """The file of a report; bytes are written to one for the time being, which errors call `shown`.

    Raises ReportTooLarge for one over the limit.
    """
    if isinstance(source, Path):
        _refuse_size(source.stat().st_size, str(source))
        yield ReportFile(source.resolve(), str(source), name or source.name)
        return
    shown = shown or name or "standard input"
    _refuse_size(len(source), shown)
    with temporary_folder("report") as folder:
        path = folder / "report"
        path.write_bytes(source)
        yield ReportFile(path, shown, name)


def read_report(source: Path | bytes, format: TextFormat | None = None, *, name: str | None = None) -> ReportText:  # noqa: A002 - the word of the command line
    """The text of a report with the place of everything in it.

    The format is that of the file's name, or of its first bytes. Raises ReportUnreadable, ReportTooLarge or
    ReaderMissing, each with what to do.
    """
    with report_file(source, name) as file:
        worker = Worker(_PROCESS)
        try:
            worker.ask(str(file.path), file.name, format)
            return received_report(next_answer(worker, file))
        finally:
            worker.end()


def next_answer(worker: Worker, file: ReportFile, *, times: int = 1, deadline: Deadline = NO_DEADLINE) -> list[Any]:
    """What a process that reads says next, without its kind; the error where it says one, or nothing in a multiple of its time."""
    seconds = times * limits.SECONDS
    left = deadline.left()
    # an answer that came while nobody waited is late all the same; taken, the same text would be refused only now and then
    if left == 0:
        raise _late(file, deadline)
    try:
        worker.messages.run(WAITS * seconds if left is None else min(left, WAITS * seconds))
        message = worker.messages.next()
    except DeadlinePassed:
        if deadline.is_over():
            raise _late(file, deadline) from None
        raise _over(file, f"more than {WAITS * seconds:g} s by the clock") from None
    if message is None:
        status = worker.end()
        is_late = is_out_of_processor_time(status)
        raise _over(
            file, f"more than {seconds:g} s of processor time" if is_late else f"the reader ended with {status}"
        )
    kind, *rest = message
    if kind == "error":
        fields = dict(rest[0])
        # that the process could not work is no fault of the report: the error goes on as it is
        if rest[1] == StoreError.exit_code:
            raise error_of(fields, rest[1])
        if fields["code"] not in _ERRORS:
            raise _failed(file)
        raise _ERRORS[fields["code"]](fields.pop("message") or "", **{**fields, "path": file.shown})
    return rest


def _failed(file: ReportFile) -> ReportUnreadable:
    """What reads a format fell over a file; why is no matter of whoever gave it."""
    return ReportUnreadable(
        path=file.shown,
        given="a form that the reader fails on",
        expected="text, Markdown, HTML or PDF",
        next_step=f"Save it as text or in another format, and read that; or {SEE_WHERE}",
    )


def _refuse_size(size: int, shown: str) -> None:
    if size > limits.FILE:
        raise ReportTooLarge(
            path=shown,
            given=f"{size / 1e6:.0f} MB",
            expected=f"a file of at most {limits.FILE >> 20} MB",
            next_step="Read it in parts, or save its text alone",
        )


def _late(file: ReportFile, deadline: Deadline) -> ReportTooLarge:
    return ReportTooLarge(
        path=file.shown,
        given=f"not read in {deadline.seconds:g} s",
        expected=f"a text that is read in {deadline.seconds:g} s",
        next_step="Give it in parts",
    )


def _over(file: ReportFile, given: str) -> ReportTooLarge:
    return ReportTooLarge(
        path=file.shown,
        given=given,
        expected=f"a report that can be read in {limits.MEMORY >> 20} MB and {limits.SECONDS} s of processor time",
        next_step="Read it in parts, or save its text alone",
    )


def received_report(message: Sequence[Any]) -> ReportText:
    """The report that `kg.reading.report_process` read, from its message without the kind."""
    form, file_digest, text, blocks, marks, title = message
    return ReportText(
        text=text,
        # a page may hand out half of a surrogate pair, on which the digest must not fail
        sha256=sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest(),
        file_sha256=file_digest,
        format=form,
        blocks=tuple(
            Block(
                kind,
                start,
                end,
                tuple(headings),
                _cell(cell),
                Box(*box) if box else None,
                tuple((position, Box(*further)) for position, further in elsewhere),
            )
            for kind, start, end, headings, cell, box, elsewhere in blocks
        ),
        title=title,
        marks=tuple(MarkedSpan(*mark) for mark in marks),
    )


def _cell(parts: Any) -> Cell | None:
    if parts is None:
        return None
    table, row, column, column_headers, row_headers, is_header = parts
    return Cell(table, row, column, tuple(column_headers), tuple(row_headers), is_header)
