"""Lines of a SPARQL text that are part of it only where a parameter has a value: from `#IF name` to `#END`."""

import re
from collections.abc import Collection
from typing import Final

# from a line "#IF a b", over one "#ELSE" if there is one, to a line "#END"
_NARROWING: Final = re.compile(
    r"^[ \t]*#IF ([\w ]+)\n(.*?)(?:^[ \t]*#ELSE\n(.*?))?^[ \t]*#END\n", re.MULTILINE | re.DOTALL
)


def narrowed(text: str, given: Collection[str]) -> str:
    r"""A SPARQL text with the lines that narrow by these parameters, and without those of others.

    >>> text = "SELECT ?a {\n  #IF b\n  ?a <p> ?b\n  #ELSE\n  ?a ?q ?r\n  #END\n}"
    >>> print(narrowed(text, ["b"]))
    SELECT ?a {
      ?a <p> ?b
    }
    """
    return _NARROWING.sub(lambda found: found[2] if set(found[1].split()) & set(given) else found[3] or "", text)


def narrowing_names(text: str) -> set[str]:
    """The parameters that a text narrows by."""
    return {name for found in _NARROWING.finditer(text) for name in found[1].split()}


def narrowings_are_whole(text: str) -> bool:
    """Whether every #IF has its #END."""
    count = sum(1 for _ in _NARROWING.finditer(text))
    return text.count("#IF ") == text.count("#END") == count
