"""`pusher.py TARGET STORE CONTENT KILL_AT`: a push in a process of its own that is killed in its n-th change of the server.

The kill comes from a thread a moment after the change began, so it falls before, in or after what the server does.
"""

import os
import random
import signal
import sys
import threading
import time

from kg.session import push
from kg.stores.bolt import BoltStore
from kg.stores.sparql_endpoint import SparqlEndpoint
from kg.sync import push as push_module

SMALL_GROUPS = 150
_LONGEST_SECONDS = 0.03


def kill_in(number: int, kill: "object") -> None:
    """From now on the n-th writing call starts a thread that kills at a random moment."""
    count = 0
    moment = random.Random(number).uniform(0, _LONGEST_SECONDS)

    def late() -> None:
        time.sleep(moment)
        kill()  # type: ignore[operator]

    def watched(original: "object") -> "object":
        def call(self: object, *arguments: object, **options: object) -> object:
            nonlocal count
            count += 1
            if count == number:
                threading.Thread(target=late, daemon=True).start()
            return original(self, *arguments, **options)  # type: ignore[operator]

        return call

    BoltStore.write = watched(BoltStore.write)  # type: ignore[method-assign, assignment]
    SparqlEndpoint.update = watched(SparqlEndpoint.update)  # type: ignore[method-assign, assignment]
    SparqlEndpoint.add = watched(SparqlEndpoint.add)  # type: ignore[method-assign, assignment]


def main() -> None:
    """Push and be killed."""
    target, store, content, number = sys.argv[1:]
    push_module.CHANGED_AT_ONCE = SMALL_GROUPS  # type: ignore[misc]
    kill_in(int(number), lambda: os.kill(os.getpid(), signal.SIGKILL))
    push(target, store=store, content=content)


if __name__ == "__main__":
    main()
