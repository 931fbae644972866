"""How long an answer, or another writer, is waited for: the same for a command and for a program."""

from typing import Final

LONGEST_WAIT: Final = 7 * 24 * 3600
"""Seconds that a deadline may be at most, a week: far longer, no clock counts them."""

WRITER_SECONDS: Final = 120.0
"""Seconds to wait for another writer of a store, where nothing else is asked for."""
