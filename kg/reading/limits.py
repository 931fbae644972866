"""How much of a report is read before it is refused."""

from typing import Final

FILE: Final = 64 << 20
"""Bytes of a file."""
TEXT: Final = 16 << 20
"""Characters of the text that was read."""
LINE: Final = 4 << 20
"""Characters of one line of a text or of Markdown."""
BLOCKS: Final = 1_000_000
FIGURES: Final = 250_000
"""Figures of a report: the candidates of more cannot be ranked in `SECONDS`, which is reported before it is tried."""
PAGES: Final = 2_000
PDF_STREAM: Final = 128 << 20
"""Bytes to which one compressed stream of a PDF may unfold, pictures apart."""
PDF_STREAMS: Final = 1 << 30
"""The same of all its streams."""
DEPTH: Final = 400
"""Elements of HTML in one another."""
LIST_DEPTH: Final = 100
"""Lists of Markdown in one another: what parses them takes the cube of it."""
MEMORY: Final = 1536 << 20
"""Bytes that the process that reads may take."""
SECONDS: Final = 120
"""Processor time of a step; by the clock it may take a multiple (`kg.stores.worker.WAITS`)."""
