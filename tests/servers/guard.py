"""Runs a server as a child and ends it: when told to (TERM), or when the process it belongs to is gone.

`python guard.py OWNER_PID PID_FILE COMMAND…`. A test run that is killed leaves no server behind. Standard library only:
it must start fast.
"""

import os
import signal
import subprocess
import sys
import time

PATIENCE_SECONDS = 3.0


def main() -> int:
    """Start, watch, end."""
    owner, pid_file, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    told: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    with open(pid_file, "w", encoding="ascii") as file:
        file.write(str(child.pid))
    while child.poll() is None and not told and _is_there(owner):
        time.sleep(0.1)
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
    return child.wait()


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    sys.exit(main())
