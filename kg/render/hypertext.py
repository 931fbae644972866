"""Text into HTML: everything that is not ours is escaped, in one place."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from typing import Final

from kg.render.cells import STEERING

# With the two code points and the halves of pairs that XML has no form for (section 2.2): one of them
# would make an SVG that no browser opens.
_NOT_SHOWN: Final = re.compile(rf"{STEERING.pattern}|[\ud800-\udfff\ufffe\uffff]")


def text(given: str) -> str:
    """A text between tags or inside a quoted attribute; characters that turn the direction of writing are shown as such.

    >>> text('<b onclick="x">' + chr(0x202E))
    '&lt;b onclick=&quot;x&quot;&gt;�'
    >>> text(chr(0xFFFF))
    '�'
    """
    return escape(_NOT_SHOWN.sub("\ufffd", given), quote=True)


# Meets a name or id of thirteen signs and more without a space; a shorter one fits any column.
_UNBROKEN: Final = re.compile(r"[^\s<>]{13,}")


def breaking(given: str) -> str:
    """A text whose long names and ids may be broken behind a sign, so that a narrow column does not break them anywhere.

    >>> breaking("002/report.h200.memory-bandwidth"), breaking("a/b")
    ('002/<wbr>report.<wbr>h200.<wbr>memory-bandwidth', 'a/b')
    """
    return _UNBROKEN.sub(
        lambda found: re.sub(r"(?<=[a-z0-9])[/._=](?=[a-z0-9])", r"\g<0><wbr>", found.group()), text(given)
    )


def data(value: object) -> str:
    r"""A JSON value that is safe in a script element: nothing in it can end the element or start a comment.

    >>> data({"b": "</script><!--", "a": 1})
    '{"a":1,"b":"\\u003c/script\\u003e\\u003c!--"}'
    """
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    # Escapes that JSON reads back: a browser ends a script at `</script`, old ones at U+2028.
    for sign in "<>&\u2028\u2029":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return written


def digest(script: str) -> str:
    """The digest by which a content security policy allows one in-line script or style."""
    return f"'sha256-{b64encode(sha256(script.encode('utf-8')).digest()).decode('ascii')}'"


def policy(*, scripts: Sequence[str] = (), styles: Sequence[str] = ()) -> str:
    """A content security policy that lets nothing be loaded and runs only these scripts."""
    allowed = " ".join(map(digest, scripts)) or "'none'"
    styled = " ".join(map(digest, styles)) or "'none'"
    return f"default-src 'none'; script-src {allowed}; style-src {styled}; img-src data:; base-uri 'none'; form-action 'none'"
