"""Text for XML files: escaped, and without the characters that no XML file may hold."""

import re

# Tab and line ends stand as numbers, since a reader turns them into spaces in an attribute; the
# others (control characters, lone surrogates, U+FFFE and U+FFFF) are no characters of XML 1.0, not
# even as numbers.
_STEERING = re.compile(r"[&<>\"\t\n\r\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def escaped(text: str) -> str:
    r"""A text for an element or an attribute in double quotes; what XML cannot hold becomes U+FFFD.

    >>> escaped('a<b> & "c"\r\x00'), escaped("plain")
    ('a&lt;b&gt; &amp; &quot;c&quot;&#13;\ufffd', 'plain')
    """
    if _STEERING.search(text) is None:
        return text
    return _STEERING.sub(lambda found: _NAMED.get(found.group(), "\ufffd"), text)


def written(value: str | float | bool) -> str:
    """A value as graph files write it: booleans in small letters, numbers in their shortest form."""
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)
