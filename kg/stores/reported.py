"""What a server says, made fit to be shown: short, on one line, without marks and without what we sent in confidence."""

import html
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote

_LONGEST: Final = 300
"""Characters of a server's words that are shown."""
_READ: Final = 1 << 16
"""Characters of its answer that are looked at."""
# Meets `"Proxy-Authorization": "Basic …"` and `Authorization: …` up to the end of the line or the
# next tag, not "no authorization for you".
_CREDENTIALS: Final = re.compile(r"""\b(?:proxy-)?authorization\b["']?\s*[:=][^<\r\n]*""", re.IGNORECASE)
"""A header with credentials and all that follows on its line, whoever it belongs to."""
# Meets `//kg:secret@` of an address; `//h/a@b`, an @ in a path, it does not meet.
_IN_AN_ADDRESS: Final = re.compile(r"//[^/@\s]*@")
_REMOVED: Final = "[removed]"
_NUMBERED: Final = re.compile(r"\\(?:u|x)([0-9a-fA-F]{4}|[0-9a-fA-F]{2})")
"""A character by its number, as JSON and programs write it."""
_SHORTEST: Final = 4
"""Letters and digits of a secret that are distinguished from words of the server, where its signs are escaped."""


def reported(text: str, secrets: Iterable[str] = ()) -> str:
    r"""The first words of what a server says, without the secrets and without control characters.

    >>> reported("<p>Bad request.\nAuthorization: Basic a2c6eA==<br>Host: h</p>")
    'Bad request. Authorization: [removed] Host: h'
    >>> reported("no such user: kg:hunter2 at bolt://kg:hunter2@h", ["hunter2"])
    'no such user: kg:[removed] at bolt://h'
    >>> reported("no such user: hunter%262", ["hunter&2"])
    '[removed]'
    """
    hidden = tuple(secrets)
    # a secret that the cut goes through would not be recognised: the end is left out as far as one can reach
    rest = max(map(len, hidden), default=0) if len(text) > _READ else 0
    clean = _IN_AN_ADDRESS.sub("//", _CREDENTIALS.sub(f"Authorization: {_REMOVED}", _without(text[:_READ], hidden)))
    # Behind the last `>` no tag ends: there every `<` would be followed to the end.
    head, end, tail = clean[: len(clean) - rest].rpartition(">")
    words = re.sub(r"<[^>]*>", " ", head + end) + tail
    # Once more after marks are gone: a tag in the middle of a secret would hide it from the first
    # look.
    if _holds(clean, hidden) or _holds(words, hidden):
        return _REMOVED
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
    return _without(line, hidden)[:_LONGEST]


def _without(text: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, _REMOVED)
    return text


def _holds(text: str, secrets: Iterable[str]) -> bool:
    """Whether a secret is still there in signs that are escaped, or with others between them."""
    bare = _bare(text)
    return any(len(secret) >= _SHORTEST and secret in bare for secret in map(_bare, secrets))


def _bare(text: str) -> str:
    r"""The letters and digits of a text whose escapes are undone.

    >>> _bare("a%2520b &lt;C&#62; \u0064")
    'abcd'
    """
    # Twice: a server may encode an address that was encoded already.
    plain = _NUMBERED.sub(lambda found: chr(int(found[1], 16)), html.unescape(unquote(unquote(text))))
    return "".join(filter(str.isalnum, plain)).casefold()
