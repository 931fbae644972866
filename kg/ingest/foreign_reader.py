"""What the isolated process does that opens foreign binary files, with limits on its memory and time (`kg.ingest.foreign`).

It says bytes: those of the file for `gz`; JSON lines for `xlsx` and `parquet` (a header object, then one array a row), and
for `rdf` (one array a triple).
"""

import io
import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from kg.errors import KgError
from kg.ingest import limits
from kg.ingest.errors import FileDamaged, LimitExceeded, MissingExtra
from kg.stores.worker import Send, limit_resources, serve, silence

if TYPE_CHECKING:
    from zipfile import ZipFile


class _Messages(io.RawIOBase):
    """A file whose pieces become messages."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._send("bytes", piece)
        return len(piece)


def _refuse(cause: Exception, expected: str) -> NoReturn:
    """Say what a library does not read; its errors are of many kinds, and this process holds nothing else."""
    if isinstance(cause, KgError):
        raise cause
    if isinstance(cause, MemoryError):
        raise LimitExceeded(given="more memory than allowed", expected=f"{limits.CHILD_MEMORY} bytes") from cause
    raise FileDamaged(given=str(cause)[:160], expected=expected) from cause


def unpack(path: str, out: IO[bytes]) -> None:
    """Write the unpacked bytes of a gzip file, several members too."""
    packed = total = 0
    with open(path, "rb") as file:
        # 31 is a header of gzip with the largest window, 16 + 15
        reader = zlib.decompressobj(31)
        while chunk := file.read(1 << 16):
            packed += len(chunk)
            while chunk:
                # a gzip file is a series of members (RFC 1952, section 2.2), and zeros behind one are padding
                if reader.eof:
                    chunk = chunk.lstrip(b"\0")
                    if not chunk:
                        break
                    reader = zlib.decompressobj(31)
                try:
                    piece = reader.decompress(chunk, 1 << 20)
                except zlib.error as cause:
                    raise FileDamaged(given=str(cause), expected="a gzip file that is whole") from cause
                total += len(piece)
                if total > limits.UNPACKED or (total > limits.RATIO_FROM and total > packed * limits.RATIO):
                    raise LimitExceeded(
                        given=f"{total} bytes out of {packed}",
                        expected=f"at most {limits.UNPACKED} bytes, and at most {limits.RATIO} for each byte packed",
                    )
                out.write(piece)
                chunk = reader.unused_data if reader.eof else reader.unconsumed_tail
        if not reader.eof:
            raise FileDamaged(given="the file ends too early", expected="a gzip file that is whole")


def check_workbook(path: str) -> None:
    """Refuse a workbook that unpacks to too much, or that declares a document type, before anything parses it."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive:
            _check_parts(archive)
    except (BadZipFile, OSError, NotImplementedError, RuntimeError) as cause:
        raise FileDamaged(given=str(cause), expected="an XLSX workbook") from cause


def _check_parts(archive: "ZipFile") -> None:
    parts = archive.infolist()
    if len(parts) > limits.PARTS:
        raise LimitExceeded(given=f"{len(parts)} parts", expected=f"at most {limits.PARTS}")
    packed, total = sum(part.compress_size for part in parts), sum(part.file_size for part in parts)
    if total > limits.UNPACKED or (total > limits.RATIO_FROM and total > packed * limits.RATIO):
        raise LimitExceeded(
            given=f"{total} bytes out of {packed}", expected=f"at most {limits.RATIO} bytes for each byte packed"
        )
    for part in parts:
        if part.filename.endswith("sharedStrings.xml") and part.file_size > limits.SHEET_TEXTS:
            raise LimitExceeded(given=f"{part.file_size} bytes of texts", expected=f"at most {limits.SHEET_TEXTS}")
        if part.filename.endswith((".xml", ".rels")):
            with archive.open(part) as opened:
                if part.filename.endswith("styles.xml"):
                    _check_styles(archive.read(part) if part.file_size <= limits.SHEET_STYLES else b"", part.file_size)
                # no Office program writes one, and its entities could unfold without end
                if b"<!DOCTYPE" in opened.read(4096).upper():
                    raise FileDamaged(given=f"a document type in {part.filename}", expected="plain XML parts")


def _check_styles(styles: bytes, size: int) -> None:
    """Refuse styles whose number takes minutes: an object is made of each, though none is looked at."""
    if size > limits.SHEET_STYLES or styles.count(b"<") > limits.STYLE_TAGS:
        raise LimitExceeded(
            given=f"{size} bytes of styles",
            expected=f"at most {limits.SHEET_STYLES}, and {limits.STYLE_TAGS} elements",
            next_step="save the sheet as CSV",
        )


def sheet_rows(path: str, sheet: str | None) -> Iterator[Any]:
    """The name of the sheet, then every row as plain values; formulas are their text."""
    check_workbook(path)
    try:
        from openpyxl import load_workbook
    except ImportError as cause:
        raise _missing("openpyxl") from cause
    try:
        book = load_workbook(path, read_only=True, data_only=False, keep_links=False)
    except Exception as cause:  # noqa: BLE001 - a damaged workbook fails in many ways
        _refuse(cause, "an XLSX workbook")
    if sheet is not None and sheet not in book.sheetnames:
        raise FileDamaged(given=", ".join(book.sheetnames)[:200], expected=f"a sheet named {sheet}")
    page = book[sheet] if sheet is not None else book.worksheets[0]
    page.reset_dimensions()  # the size that a sheet states is often wrong, and what is beyond it would be left out
    yield {"sheet": page.title}
    packed = Path(path).stat().st_size
    most, texts = max(limits.RATIO_FROM, packed * limits.RATIO), 0
    for row in page.iter_rows(values_only=True):
        if len(row) > limits.COLUMNS:
            raise LimitExceeded(given=f"{len(row)} columns", expected=f"at most {limits.COLUMNS}")
        # a text that cells share is packed once, and read for each of them
        texts += sum(len(cell) for cell in row if isinstance(cell, str))
        if texts > most:
            raise LimitExceeded(
                given=f"cells of more than {most} characters out of {packed} bytes",
                expected=f"at most {limits.RATIO} for each byte packed",
            )
        yield list(row)


def parquet_rows(path: str) -> Iterator[Any]:
    """The columns, then every row as plain values."""
    try:
        from pyarrow import parquet
    except ImportError as cause:
        raise _missing("pyarrow") from cause
    try:
        file = parquet.ParquetFile(path)
    except Exception as cause:  # noqa: BLE001 - the library raises errors of its own, of many kinds
        _refuse(cause, "a Parquet file that is whole")
    names = file.schema_arrow.names
    if len(names) > limits.COLUMNS:
        raise LimitExceeded(given=f"{len(names)} columns", expected=f"at most {limits.COLUMNS}")
    yield {"columns": names}
    for batch in file.iter_batches(batch_size=4096, use_threads=False):
        columns = [column.to_pylist() for column in batch.columns]
        for row in zip(*columns, strict=True):
            yield list(row)


def _missing(package: str) -> MissingExtra:
    return MissingExtra(
        given=f"{package} is not installed",
        expected=f"the package {package}",
        next_step="pip install 'accelkg[tables]'",
    )


def _plain(value: object) -> Any:
    """Dates, decimals, bytes as text."""
    iso = getattr(value, "isoformat", None)
    if iso is not None:
        text = str(iso())
        return text.removesuffix("T00:00:00")
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(getattr(value, "text", value))


def _held(value: Any) -> Any:
    """A value as JSON has it: a float that is no number is missing, an infinite one is text."""
    if isinstance(value, float) and value - value != 0:
        return None if value != value else "Infinity" if value > 0 else "-Infinity"  # noqa: PLR0124 - NaN is not itself
    if isinstance(value, (list, tuple)):
        return [_held(one) for one in value]
    if isinstance(value, dict):
        return {name: _held(one) for name, one in value.items()}
    return value


def _line(row: object) -> str:
    try:
        return json.dumps(row, default=_plain, ensure_ascii=False, allow_nan=False)
    except ValueError:  # a float that is no number
        return json.dumps(_held(row), default=_plain, ensure_ascii=False)


def write_rows(rows: Iterator[object], out: IO[bytes]) -> None:
    """One JSON line a row."""
    try:
        for row in rows:
            out.write(_line(row).encode() + b"\n")
    except Exception as cause:  # noqa: BLE001 - XML, archive and column errors of a damaged file, of many kinds
        _refuse(cause, "a file that is whole")


def answer(request: list[Any], send: Send) -> tuple[Any, ...]:
    """What the process does with `gz PATH`, `xlsx PATH [SHEET]`, `parquet PATH` or `rdf PATH FORMAT`."""
    what, path, *rest = request
    silence()
    limit_resources(limits.CHILD_MEMORY, limits.CHILD_CPU_SECONDS)
    out = io.BufferedWriter(_Messages(send), 1 << 18)
    match what:
        case "gz":
            unpack(path, out)
        case "xlsx":
            write_rows(sheet_rows(path, rest[0]), out)
        case "parquet":
            write_rows(parquet_rows(path), out)
        case "rdf":
            from kg.ingest.rdf_reader import quads

            write_rows(quads(rest[0], path), out)
    out.flush()
    return ("end",)


if __name__ == "__main__":
    sys.exit(serve(answer))
