"""Loads beside readers: whatever is answered belongs to one generation, and no reader goes back to an earlier one."""

import json
import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.build.writing import load_files
from kg.session import open_graph
from tests.small_content import ROOT, claim, write_lines, write_small_content
from tests.web.serving import Served, served, whole_app

OF_CONTENT = 3
OF_LOAD = 10
CLAIMS = "/sparql?query=SELECT%20%3Fc%20%7B%20%3Fc%20a%20k%3AClaim%20%7D"


def by_endpoint(server: Served) -> int:
    """How many loads an answer of the endpoint knows; each must be there whole."""
    reply = server.request("GET", CLAIMS, headers={"Accept": "application/sparql-results+json"})
    assert reply.status == 200, reply.text
    ids = [one["c"]["value"] for one in json.loads(reply.body)["results"]["bindings"]]
    loads = Counter(name.rpartition(".")[0] for name in ids if "/load-" in name)
    assert set(loads.values()) <= {OF_LOAD}, loads
    assert len(ids) == OF_CONTENT + OF_LOAD * len(loads)
    return len(loads)


def by_page(server: Served) -> int:
    """The same by the page of all sources."""
    reply = server.request("GET", "/sources.json")
    assert reply.status == 200, reply.text
    found = next(one["claims"] for one in json.loads(reply.body)["sources"] if one["id"].endswith("900"))
    loads, rest = divmod(found - OF_CONTENT, OF_LOAD)
    assert rest == 0, f"{found} claims"
    return int(loads)


class Reader(threading.Thread):
    """Asks again and again; keeps what was wrong."""

    def __init__(self, server: Served, ask: Callable[[Served], int], is_over: threading.Event) -> None:
        super().__init__()
        self.server, self.ask, self.is_over = server, ask, is_over
        self.answers = 0
        self.seen = 0
        self.wrong: str | None = None

    def run(self) -> None:
        while not self.is_over.is_set() and self.wrong is None:
            try:
                loads = self.ask(self.server)
                assert loads >= self.seen, f"{loads} loads after {self.seen}"
            except (AssertionError, OSError, ValueError, KeyError, StopIteration) as error:
                self.wrong = repr(error)
                return
            self.seen = loads
            self.answers += 1


def run(folder: Path, *, readers: int, seconds: float, loads: int) -> tuple[int, int]:
    """Readers beside one writer, until so many loads are done and so long has passed: answers and loads."""
    shutil.copytree(ROOT / "queries", folder / "content" / "queries")
    content, store = write_small_content(folder / "content").root, folder / "store"
    open_graph(store, content=str(content)).close()
    done, is_over, until = 0, threading.Event(), time.monotonic() + seconds
    with served(whole_app(store, content=str(content))) as server:
        threads = [Reader(server, (by_endpoint, by_page)[n % 2], is_over) for n in range(readers)]
        for thread in threads:
            thread.start()
        try:
            while (done < loads or time.monotonic() < until) and not any(one.wrong for one in threads):
                new = (claim(f"900/load-{done}.{n}") for n in range(OF_LOAD))
                path = write_lines(folder / "new.jsonl", *new)
                load_files([path], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=30)
                done += 1
        finally:
            is_over.set()
            for thread in threads:
                thread.join(60)
        assert [one.wrong for one in threads if one.wrong] == []
        assert by_endpoint(server) == by_page(server) == done
    return sum(one.answers for one in threads), done


def test_readers_beside_loads_see_each_load_whole_or_not_at_all(tmp_path: Path) -> None:
    answers, loads = run(tmp_path, readers=4, seconds=0, loads=4)
    assert answers > 8 and loads == 4


@pytest.mark.long
def test_ten_readers_and_a_writer_for_minutes(tmp_path: Path) -> None:
    """KG_SECONDS says for how long; ten minutes otherwise."""
    answers, loads = run(tmp_path, readers=10, seconds=float(os.environ.get("KG_SECONDS", "600")), loads=1)
    print(f"{answers} answers beside {loads} loads")
    assert answers > 100 and loads > 1
