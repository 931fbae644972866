"""SQL in a process of its own, with a limit of memory and of time."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kg.errors import UsageError
from kg.stores.protocol import Answer
from kg.stores.sql import SqlStore, TablesDamaged
from kg.stores.worker import (
    MEMORY,
    MOST_ROWS,
    Send,
    Worker,
    answer_of,
    limit_resources,
    process_ended,
    serve,
    set_alarm,
    silence,
)


def ask_sql(path: Path, text: str, *, limit: int | None, timeout_seconds: float | None) -> Answer:
    """Rows of one statement that reads over the tables in a file; the time runs from the moment they are opened.

    Raises TablesDamaged where the file does not hold what its engine wrote.
    """
    if find_spec("duckdb") is None:
        raise UsageError(
            "needs duckdb.",
            given="language sql",
            expected="the extra tables",
            next_step="pip install 'accelkg[tables]'",
        )
    process = Worker(__name__)
    try:
        process.ask(str(path), text, MOST_ROWS if limit is None else limit, timeout_seconds)
        while (message := process.messages.next()) is not None:
            if message[0] == "opened":
                process.messages.run(timeout_seconds)
            elif message[0] == "damaged":
                raise TablesDamaged(**message[1])
            else:
                answer = answer_of(message)
                assert isinstance(answer, Answer)
                return answer
    finally:
        status = process.end()
    raise process_ended(status, MEMORY)


def _answered(request: list[Any], send: Send) -> tuple[Any, ...]:
    """What the process does with a request."""
    path, text, limit, seconds = request
    try:
        store = SqlStore.open(Path(path))
        # The limit counts from what is mapped with the tables open; the engine would not open them
        # under a small one.
        limit_resources(MEMORY)
        silence()
        send("opened")
        set_alarm(seconds)
        answer = store.select(text, limit=limit)
    except TablesDamaged as error:
        said = {name: getattr(error, name) for name in ("path", "given", "expected", "next_step")}
        return "damaged", said
    return "rows", answer.columns, answer.rows, answer.complete


if __name__ == "__main__":
    status = serve(_answered)
    sys.stderr.flush()
    # Without the engine's own end, which waits for threads that may never come back.
    os._exit(status)
