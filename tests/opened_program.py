"""`kg` in this process, on a graph that is opened once: for tests of what a command answers from a store that nobody writes.

Opening takes longer than most answers, and an opened graph asks a question without values once. Tests of a process (its
start, its end, its deadline, what two processes say) run `tests.forked_program`, or the program as a user starts it.
"""

import os
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kg import isolated_query, session
from kg.ask.free_query import free_query
from kg.isolated_query import Request, Tell
from kg.opened_graph import Graph, quiet
from kg.stores.protocol import Answer
from kg.stores.worker import answer_of, sent_rows

_open_graph = session.open_graph


class OpenedOnce:
    """Opens a store as `kg.session.open_graph` does, and keeps one graph open until a writer has moved the store on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._graph: Graph | None = None
        self._state: tuple[bytes, ...] = ()

    def __call__(self, store: Any = None, *, content: Any = None, tell: Tell = quiet, **given: Any) -> Graph:
        """The graph that is kept for the store with the content that is shipped; any other is opened anew."""
        if Path(store or os.environ.get("KG_STORE", "")) != self.folder or content is not None:
            return _open_graph(store, content=content, tell=tell, **given)
        state = tuple((self.folder / name).read_bytes() for name in ("ledger/manifest.json", "rdf/current"))
        if self._graph is None or state != self._state:
            self.close()
            self._graph, self._state = _open_graph(self.folder, tell=tell, **given), state
        self._graph.tell = tell
        return self._graph

    def answer(self, request: Request, *, tell: Tell, **_: Any) -> Answer | bytes:
        """A free query on the graph that is kept, in place of `kg.isolated_query.answer_apart`: it has no limits here."""
        graph = self(request.store, content=request.content, tell=tell)
        store = graph.in_language(request.language)
        answer = free_query(store, request.text, limit=request.limit, timeout_seconds=None)
        if isinstance(answer, bytes):
            return answer
        rows = sent_rows(answer.rows, request.language)
        return answer_of(("rows", answer.columns, rows, answer.complete), request.language)

    def close(self) -> None:
        if self._graph is not None:
            self._graph.close()
        self._graph = None


def run_opened_text(
    *arguments: str, folder: Path, environment: Mapping[str, str], opened: OpenedOnce
) -> "subprocess.CompletedProcess[str]":
    """What a command says in a folder; its standard input is empty, and an error that is none of ours is raised here."""
    from kg.cli import _main
    from kg.cli.shown import shown_streams

    with ExitStack() as stack:
        out, err = (stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline="")) for _ in range(2))
        stack.enter_context(patch.dict(os.environ, environment, clear=True))
        stack.enter_context(patch("sys.stdin", stack.enter_context(open(os.devnull, encoding="utf-8"))))
        stack.enter_context(patch.object(session, "open_graph", opened))
        stack.enter_context(patch.object(isolated_query, "answer_apart", opened.answer))
        stack.enter_context(patch("kg.cli.options.start_deadline"))  # at its end the process ends, which is this one
        stack.enter_context(chdir(folder))
        with redirect_stdout(out), redirect_stderr(err), shown_streams():
            status = _main(list(arguments))
        said = [(stream.seek(0), stream.read())[1] for stream in (out, err)]
    return subprocess.CompletedProcess(["kg", *arguments], status, *said)
