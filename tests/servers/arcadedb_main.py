"""ArcadeDB in a process of its own: `arcadedb_main.py FOLDER BOLT_PORT HTTP_PORT`, password in ARCADEDB_PASSWORD."""

import os
import signal
import sys
import threading
from pathlib import Path


def main() -> None:
    """Serve until told to end."""
    from arcadedb_embedded import ArcadeDBServer

    folder, bolt, http = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    (folder / "ready").unlink(missing_ok=True)
    server = ArcadeDBServer(
        str(folder / "databases"),
        os.environ["ARCADEDB_PASSWORD"],
        {
            "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            "bolt_port": bolt,
            "http_port": http,
            "mode": "production",
            "server_defaultDatabases": "neo4j[root]",
        },
        {"heap_size": "1g"},
    )
    server.start()
    (folder / "ready").touch()
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    ended.wait()
    server.stop()


if __name__ == "__main__":
    main()
