"""How the child process that reads foreign files tells its parent that it does not read one."""

import json
import sys
from typing import NoReturn

REFUSED = 9


def refuse(kind: str, given: str, expected: str, line: int | None = None) -> NoReturn:
    """Tell the parent why the file is not read, and end."""
    sys.stdout.flush()
    sys.stderr.write(json.dumps({"kind": kind, "given": given, "expected": expected, "line": line}) + "\n")
    sys.stderr.flush()
    sys.exit(REFUSED)
