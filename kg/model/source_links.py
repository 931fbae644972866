"""The recorded source links of a text: where its list prints an address, and where the text cites it."""

from typing import NotRequired, TypedDict


class LinkPlace(TypedDict):
    """Where an address is printed, in code points; where it is cited, also how it differs from the listed one."""

    start: int
    end: int
    sha256: str
    first_difference: NotRequired[int]
    equal_suffix: NotRequired[int]


class CitedLink(TypedDict):
    """One link of a text: its place in the list of sources and where it is cited."""

    number: int
    label: str
    source: NotRequired[str]
    listed: NotRequired[LinkPlace]
    cited: list[LinkPlace]


class CitationLinks(TypedDict):
    """The links of one text, as the content holds them."""

    source: str
    links: list[CitedLink]
