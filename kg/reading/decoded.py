"""Bytes to text, and what format a file is of."""

import re
from pathlib import PurePath
from typing import Final

from kg.reading.errors import ReportUnreadable
from kg.reading.text import TextFormat

SUFFIXES: Final[dict[str, TextFormat]] = {
    **dict.fromkeys(("", ".txt", ".text", ".log", ".csv", ".tsv"), "text"),
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".pdf": "pdf",
}
# UTF-32 before UTF-16, whose mark its own begins with
_BOMS: Final = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_BINARY: Final = {
    b"PK\x03\x04": "a ZIP file (DOCX, XLSX, PPTX and EPUB are such)",
    b"\x1f\x8b": "a gzip file",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"{\\rtf": "an RTF file",
    b"\x7fELF": "a program",
    b"7z\xbc\xaf": "a 7z file",
}
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.IGNORECASE)
_WESTERN: Final = frozenset(
    "ascii us-ascii ansi_x3.4-1968 iso-ir-100 csisolatin1 l1 latin1 latin-1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 ibm819 cp819 x-cp1252".split()  # noqa: SIM905
)
"""Labels that a browser reads as windows-1252: https://encoding.spec.whatwg.org/#names-and-labels."""
# all but white space, and the escape that colours a log
_CONTROL: Final = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f]")
_HTML: Final = re.compile(
    r"\s*(?:<!--.*?-->\s*)*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_MARKDOWN: Final = re.compile(r"^(?:#{1,6} \S|```|\|.*\|[ \t]*$|.*\]\(\S+\))", re.MULTILINE)


def format_of(name: str | None, data: bytes) -> TextFormat:
    """The format by the file's name, else by its first bytes; of a stream without a name by its text.

    >>> format_of("a.MD", b""), format_of(None, b"%PDF-1.7"), format_of(None, b"<!doctype html><p>"), format_of(None, b"# A")
    ('markdown', 'pdf', 'html', 'markdown')
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:5] == b"%PDF-":
        return "pdf"
    suffix = PurePath(name).suffix.lower() if name else ""
    if suffix in SUFFIXES and suffix:
        return SUFFIXES[suffix]
    head = data[:65536].decode("utf-8", errors="replace").lstrip("\ufeff")
    if _HTML.match(head[:4096]):
        return "html"
    return "markdown" if _MARKDOWN.search(head) else "text"


def decoded(data: bytes, *, is_html: bool = False) -> str:
    """The text of a file, every character kept: UTF-8, else what its first bytes or its head name.

    Raises ReportUnreadable for what is no text and for encodings that are mixed or not named.
    """
    for magic, what in _BINARY.items():
        if data.startswith(magic):
            raise ReportUnreadable(
                given=what,
                expected="text, Markdown, HTML or PDF",
                next_step="Save the report as one of these and read that file",
            )
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), None)
    named = _CHARSET.search(data[:4096]) if is_html and encoding is None else None
    failed: UnicodeDecodeError | None = None
    label = named[1].decode("ascii") if named else None
    for name in dict.fromkeys((encoding or "utf-8", *((_encoding(label), label) if label else ()))):
        try:
            text = data.decode(name)
        except UnicodeDecodeError as cause:
            failed = cause
            continue
        except (LookupError, UnicodeError):  # no such encoding, or one that Python knows and that decodes nothing
            continue
        return _checked(text)
    assert failed is not None
    raise ReportUnreadable(
        line=data.count(b"\n", 0, failed.start) + 1,
        given=f"byte {data[failed.start]:#04x} at {failed.start}",
        expected="text in UTF-8, or in UTF-16 with a byte order mark",
        next_step="Save the file as UTF-8; where encodings are mixed, the line above is the first that is not",
    )


def _encoding(label: str) -> str:
    """The encoding that a page means by a label.

    >>> _encoding("ISO-8859-1"), _encoding("koi8-r")
    ('windows-1252', 'koi8-r')
    """
    return "windows-1252" if label.lower() in _WESTERN else label


def _checked(text: str) -> str:
    control = _CONTROL.search(text)
    if control is not None:
        raise ReportUnreadable(
            line=text.count("\n", 0, control.start()) + 1,
            given=f"the control character U+{ord(control.group()):04X}",
            expected="text; this file is binary or damaged",
            next_step="Save the report as text, Markdown, HTML or PDF and read that file",
        )
    return text
