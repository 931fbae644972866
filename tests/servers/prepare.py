"""`python -m tests.servers.prepare [--update]`: fetch the servers that the tests start, and say what is there.

Exit code 0; with KG_REQUIRE_SERVERS=1 it is 1 when a server cannot be had. Else the tests use the others and say so.
"""

import argparse
import os
import shutil
import sys
from importlib.util import find_spec

from tests.servers.artifacts import FETCHED, Artifact, Unavailable, cache_folder, java


def main() -> int:
    """Fetch and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="fetch anew and keep the list of files as it is now")
    update: bool = parser.parse_args().update
    missing = 0
    for name in FETCHED:
        artifact = Artifact(name)
        try:
            java()
            artifact.fetch(update=update)
            print(f"{name} {artifact.version}: ready")
        except Unavailable as why:
            missing += 1
            print(f"{name} {artifact.version}: not available: {why}")
    if shutil.which("virtuoso-t") is None:
        missing += 1
        print("virtuoso: not available: virtuoso-t is missing (Debian: virtuoso-opensource-7-bin)")
    else:
        print("virtuoso: ready")
    if find_spec("arcadedb_embedded") is None:
        missing += 1
        print("arcadedb: not available: the package arcadedb-embedded is missing (extra: test)")
    else:
        print("arcadedb: ready")
    print(f"kept in {cache_folder()}", file=sys.stderr)
    return 1 if missing and os.environ.get("KG_REQUIRE_SERVERS") == "1" else 0


if __name__ == "__main__":
    sys.exit(main())
