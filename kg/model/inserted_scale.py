"""The scale that a table prints once, put into the print of a figure in square brackets."""

from __future__ import annotations

import re
from typing import Final

SCALE_WORDS: Final = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
"""The words of a scale with the powers of ten they mean; letters mean one only where no unit can be meant."""
_INSERTED_WORDS: Final = {power: word for word, power in SCALE_WORDS.items()}
# Meets "512 [thousand]" and "5 [× 10^24]", not a citation mark such as "5 [12]".
INSERTED: Final = re.compile(rf" \[(?P<scale>{'|'.join(SCALE_WORDS)}|× 10\^\d+)\]$")


def with_inserted_scale(text: str, power: int) -> str:
    """A printed figure with a power of ten that its table prints elsewhere, in brackets, as editors insert words.

    >>> with_inserted_scale("512", 3), with_inserted_scale("5", 24)
    ('512 [thousand]', '5 [× 10^24]')
    """
    return f"{text} [{_INSERTED_WORDS.get(power, f'× 10^{power}')}]"


def without_inserted_scale(text: str) -> str:
    """The digits of a printed figure at its position: the words in brackets are printed in a header.

    >>> without_inserted_scale("512 [thousand]"), without_inserted_scale("$3.1M")
    ('512', '$3.1M')
    """
    return INSERTED.sub("", text)
