"""Which elements of a page a reader does not see, by their attributes: one rule for HTML and for HTML inside Markdown."""

import re
from collections.abc import Mapping
from typing import Final

_INVISIBLE: Final = re.compile(r"visibility\s*:\s*hidden", re.IGNORECASE)
_UNDISPLAYED: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)

Attributes = Mapping[str, str | None]
"""The attributes of an element by their names in lower case; one without a value has None."""


def is_hidden(attributes: Attributes) -> bool:
    """Whether an element is not seen."""
    return (
        is_taken_out(attributes)
        or attributes.get("aria-hidden") == "true"
        or _INVISIBLE.search(attributes.get("style") or "") is not None
    )


def is_taken_out(attributes: Attributes) -> bool:
    """Whether an element is not displayed, so that a browser keeps no place for it."""
    return "hidden" in attributes or _UNDISPLAYED.search(attributes.get("style") or "") is not None
