"""The child process that opens foreign binary files, with limits on its memory and time. Started by `kg.ingest.foreign`.

It writes to its standard output: plain bytes for `gz`; JSON lines for `xlsx` and `parquet` (a header object, then one
array a row); N-Quads lines for `rdf`. A refusal is one JSON object on its standard error and exit code 9.
"""

import json
import sys
import zlib
from collections.abc import Iterator
from typing import Any

from kg.ingest import limits
from kg.ingest.refusal import refuse


def bound_resources(memory: int, cpu_seconds: int) -> None:
    """Let the operating system end this process when it takes more than it may."""
    try:
        import resource
    except ImportError:  # not on this system: the limits on sizes still hold
        return
    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, cpu_seconds), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def unpack(path: str) -> None:
    """Write the unpacked bytes of a gzip file, several members too."""
    out, packed, total = sys.stdout.buffer, 0, 0
    with open(path, "rb") as file:
        reader = zlib.decompressobj(31)
        ended = False
        while chunk := file.read(1 << 16):
            packed += len(chunk)
            while chunk:
                try:
                    piece = reader.decompress(chunk, 1 << 20)
                except zlib.error as cause:
                    refuse("format", str(cause), "a gzip file that is whole")
                total += len(piece)
                if total > limits.UNPACKED or (total > limits.RATIO_FROM and total > packed * limits.RATIO):
                    refuse(
                        "limit", f"{total} bytes out of {packed}",
                        f"at most {limits.UNPACKED} bytes, and at most {limits.RATIO} for each byte packed",
                    )  # fmt: skip
                out.write(piece)
                chunk = reader.unconsumed_tail
                if reader.eof:
                    chunk = reader.unused_data
                    ended = not chunk.strip(b"\0")
                    if ended:
                        break
                    reader = zlib.decompressobj(31)
        if not reader.eof:
            refuse("format", "the file ends too early", "a gzip file that is whole")
    out.flush()


def check_workbook(path: str) -> None:
    """Refuse a workbook that unpacks to too much, or that declares a document type, before anything parses it."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive:
            parts = archive.infolist()
            if len(parts) > limits.PARTS:
                refuse("limit", f"{len(parts)} parts", f"at most {limits.PARTS}")
            packed, total = sum(one.compress_size for one in parts), sum(one.file_size for one in parts)
            if total > limits.UNPACKED or (total > limits.RATIO_FROM and total > packed * limits.RATIO):
                refuse("limit", f"{total} bytes out of {packed}", f"at most {limits.RATIO} bytes for each byte packed")
            for one in parts:
                if one.filename.endswith("sharedStrings.xml") and one.file_size > limits.SHEET_TEXTS:
                    refuse("limit", f"{one.file_size} bytes of texts", f"at most {limits.SHEET_TEXTS}")
                if one.filename.endswith((".xml", ".rels")):
                    with archive.open(one) as part:
                        if b"<!DOCTYPE" in part.read(4096).upper():
                            refuse("format", f"a document type in {one.filename}", "plain XML parts")
    except (BadZipFile, OSError, NotImplementedError, RuntimeError) as cause:
        refuse("format", str(cause), "an XLSX workbook")


def sheet_rows(path: str, sheet: str | None) -> Iterator[Any]:
    """The name of the sheet, then every row as plain values; formulas are their text."""
    check_workbook(path)
    try:
        from openpyxl import load_workbook
    except ImportError:
        refuse("extra", "openpyxl", "pip install 'accelkg[tables]'")
    try:
        book = load_workbook(path, read_only=True, data_only=False, keep_links=False)
    except MemoryError:
        refuse("limit", "more memory than allowed", f"{limits.CHILD_MEMORY} bytes")
    except Exception as cause:  # noqa: BLE001 a damaged workbook fails in many ways; this process holds nothing else
        refuse("format", f"{type(cause).__name__}: {cause}", "an XLSX workbook")
    if sheet is not None and sheet not in book.sheetnames:
        refuse("format", ", ".join(book.sheetnames)[:200], f"a sheet named {sheet}")
    page = book[sheet] if sheet is not None else book.worksheets[0]
    yield {"sheet": page.title}
    for row in page.iter_rows(values_only=True):
        if len(row) > limits.COLUMNS:
            refuse("limit", f"{len(row)} columns", f"at most {limits.COLUMNS}")
        yield list(row)


def parquet_rows(path: str) -> Iterator[Any]:
    """The columns, then every row as plain values."""
    try:
        from pyarrow import parquet
    except ImportError:
        refuse("extra", "pyarrow", "pip install 'accelkg[tables]'")
    try:
        file = parquet.ParquetFile(path)
        names = file.schema_arrow.names
        if len(names) > limits.COLUMNS:
            refuse("limit", f"{len(names)} columns", f"at most {limits.COLUMNS}")
        yield {"columns": names}
        for batch in file.iter_batches(batch_size=4096, use_threads=False):
            columns = [column.to_pylist() for column in batch.columns]
            for row in zip(*columns, strict=True):
                yield list(row)
    except MemoryError:
        refuse("limit", "more memory than allowed", f"{limits.CHILD_MEMORY} bytes")
    except Exception as cause:  # noqa: BLE001 the library raises errors of its own, of many kinds
        refuse("format", f"{type(cause).__name__}: {str(cause)[:160]}", "a Parquet file that is whole")


def _plain(value: object) -> Any:
    """Dates, decimals, bytes as text."""
    iso = getattr(value, "isoformat", None)
    if iso is not None:
        text = str(iso())
        return text.removesuffix("T00:00:00")
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(getattr(value, "text", value))


def write_rows(rows: Iterator[Any]) -> None:
    """One JSON line a row."""
    write = sys.stdout.write
    try:
        for row in rows:
            write(json.dumps(row, default=_plain, ensure_ascii=False) + "\n")
    except MemoryError:
        refuse("limit", "more memory than allowed", f"{limits.CHILD_MEMORY} bytes")
    except Exception as cause:  # noqa: BLE001 XML and archive errors of a damaged sheet, of many kinds
        refuse("format", f"{type(cause).__name__}: {str(cause)[:160]}", "a file that is whole")


def main(arguments: list[str]) -> None:
    """`gz PATH`, `xlsx PATH [SHEET]`, `parquet PATH`, `rdf FORMAT PATH`."""
    bound_resources(limits.CHILD_MEMORY, limits.CHILD_CPU_SECONDS)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    what, *rest = arguments
    try:
        if what == "gz":
            unpack(rest[0])
        elif what == "xlsx":
            write_rows(sheet_rows(rest[0], rest[1] if len(rest) > 1 else None))
        elif what == "parquet":
            write_rows(parquet_rows(rest[0]))
        elif what == "rdf":
            from kg.ingest.rdf_child import write_quads

            write_quads(rest[0], rest[1])
        sys.stdout.flush()
    except BrokenPipeError:  # the parent has seen enough
        sys.exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
