"""How much of a file is read before it is refused; every reader keeps to these."""

from typing import Final

LINE: Final = 4 << 20
"""Bytes of one line, or of one record of a JSON list."""
CELL: Final = 1 << 20
"""Characters of one cell."""
COLUMNS: Final = 4096
DEPTH: Final = 16
"""Objects in one another, in a row."""
WHOLE: Final = 256 << 20
"""Bytes of a file that cannot be streamed (a JSON pointer into its middle, YAML)."""
UNPACKED: Final = 8 << 30
"""Bytes that a compressed file may unpack to."""
RATIO: Final = 200
"""Unpacked over packed size, looked at once `RATIO_FROM` bytes are unpacked."""
RATIO_FROM: Final = 16 << 20
SHEET_TEXTS: Final = 256 << 20
"""Bytes of the shared texts of a workbook, which are held in memory."""
SHEET_STYLES: Final = 16 << 20
"""Bytes of the styles of a workbook, which are held in memory too."""
STYLE_TAGS: Final = 500_000
"""Elements of the styles: Excel allows 65,490 formats, each of a few elements."""
PARTS: Final = 10_000
"""Files in a workbook."""
CHILD_MEMORY: Final = 2 << 30
CHILD_CPU_SECONDS: Final = 900
ROW_SHOWN: Final = 200
"""Characters of a cell that quarantine keeps."""
