"""`python -m benchmarks.serve [--readers 100] [--seconds 60] [--workers 1]`: what kg serve does under many readers, on this machine.

Prints: the first page, the time of a claim page alone and with all readers (p50, p95), errors, memory of the server and its
processes before and after, and what a query takes at the endpoint next to the store asked in process. Loopback only. Readers
never pause, and take their part of the same cores.
"""

import argparse
import asyncio
import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph

import kg
from kg.model.vocabulary import PREFIXES
from kg.stores.oxigraph import Generations

CLAIM = "/claim/002/r1.gb200.offline.per-accelerator"
PATHS = (
    CLAIM,
    "/",
    "/thing/family/nvidia-h200",
    "/number/72428",
    "/id/source/002",
    "/sparql?query=ASK%20%7B%3Fc%20a%20k%3AClaim%7D",
)
QUERIES = {
    "one claim": "SELECT ?p ?o { <https://w3id.org/accelkg/id/claim/002/r1.gb200.offline.per-accelerator> ?p ?o }",
    "2,000 rows": "SELECT ?c ?p ?o { ?c a k:Claim ; ?p ?o } LIMIT 2000",
    "grouped": "SELECT ?m (COUNT(*) AS ?n) { ?c k:metric ?m ; k:subject ?s } GROUP BY ?m",
    "50,000 rows": "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 50000",
}


def memory_mb(pid: int) -> float:
    """Resident memory of a process and of those that it started."""
    total = 0
    for process in [pid, *children(pid)]:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                total += int(line.split()[1])
    return total / 1024


def children(pid: int) -> list[int]:
    """The processes that a process started, and those that they started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    own = [int(one) for task in tasks for one in (task / "children").read_text().split()]
    return [*own, *(one for child in own for one in children(child))]


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def shown(times: list[float]) -> str:
    return f"p50 {statistics.median(times) * 1000:,.1f} ms, p95 {p95(times) * 1000:,.1f} ms"


async def read(url: str, readers: int, seconds: float) -> tuple[dict[str, list[float]], int]:
    """Times by path of readers that ask one path after another, each with its own connection, and the number of errors."""
    times: dict[str, list[float]] = {path: [] for path in PATHS}
    errors = 0
    until = time.monotonic() + seconds

    async def reader(number: int) -> None:
        nonlocal errors
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            turn = number
            while time.monotonic() < until:
                path = PATHS[turn % len(PATHS)]
                turn += 1
                began = time.perf_counter()
                try:
                    reply = await client.get(path)
                    errors += reply.status_code >= 400
                except httpx.HTTPError:
                    errors += 1
                times[path].append(time.perf_counter() - began)

    await asyncio.gather(*(reader(number) for number in range(readers)))
    return times, errors


def alone(url: str, paths: list[str]) -> list[float]:
    """Times of pages that one reader asks for, one after another."""
    times = []
    with httpx.Client(base_url=url, timeout=60) as client:
        client.get("/static/kg.css")
        for path in paths:
            began = time.perf_counter()
            client.get(path).raise_for_status()
            times.append(time.perf_counter() - began)
    return times


def some_claims(store: Path, count: int) -> list[str]:
    """Addresses of claims, spread over the whole store."""
    with kg.open(store) as graph:
        answer = graph.query("SELECT ?c { ?c a k:Claim } ORDER BY ?c", timeout_seconds=None)
    assert not isinstance(answer, bytes)
    names = [str(row[0]) for row in answer.rows]
    return [f"/claim/{name}" for name in names[:: max(1, len(names) // count)][:count]]


def against_the_store(url: str, store: Path) -> None:
    """Each query at the endpoint and in this process, both written as JSON: a text that is new each time, and one that is kept.

    The client is that of the standard library, on one connection. A request that is refused before anything is asked
    shows what the way there and back takes.
    """
    live = Generations(store / "rdf").current()
    assert live is not None
    opened = pyoxigraph.Store.read_only(str(live[0]))
    connection = http.client.HTTPConnection(url.removeprefix("http://").rstrip("/"))
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def asked(text: str, media_type: str = "application/sparql-query") -> None:
        connection.request("POST", "/sparql", text, {"Content-Type": media_type})
        reply = connection.getresponse()
        assert reply.read() and reply.status in (200, 415)

    for name, query in QUERIES.items():
        times: dict[str, list[float]] = {"store": [], "refused": [], "new": [], "kept": []}
        for turn in range(42):
            began = time.perf_counter()
            result: Any = opened.query(query, prefixes=dict(PREFIXES))
            result.serialize(format=pyoxigraph.QueryResultsFormat.JSON)
            times["store"].append(time.perf_counter() - began)
            requests = {"refused": (query, "text/html"), "new": (f"{query} # {turn}",), "kept": (query,)}
            for kind, request in requests.items():
                began = time.perf_counter()
                asked(*request)
                times[kind].append(time.perf_counter() - began)
        store_ms, refused, new, kept = (statistics.median(one[2:]) * 1000 for one in times.values())
        print(
            f"{name}: store {store_ms:,.2f} ms; endpoint, new each time {new:,.2f} ms ({new / store_ms:.2f} times), "
            f"asked before {kept:,.2f} ms ({kept / store_ms:.2f} times); a request that is refused {refused:,.2f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        kg.open(store).close()
        command = [
            sys.executable,
            "-m",
            "kg",
            "serve",
            "--port",
            "0",
            "--store",
            str(store),
            "--workers",
            str(given.workers),
        ]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            url = next(line for line in server.stderr if "serving on" in line).split("serving on ")[1].split()[0]
            print(f"cores: {os.cpu_count()}, load: {os.getloadavg()[0]:.1f}")
            print(f"first page, from the line that says where: {alone(url, ['/'])[0] * 1000:,.0f} ms")
            single = alone(url, some_claims(store, 100))
            kept = alone(url, [CLAIM] * 200)[5:]
            print(f"claim page alone: each another one {shown(single)}; the same again {shown(kept)}")
            against_the_store(url, store)
            asyncio.run(read(url, given.readers, 5))
            before = memory_mb(server.pid)
            times, errors = asyncio.run(read(url, given.readers, given.seconds))
            count = sum(map(len, times.values()))
            print(f"{given.readers} readers, {given.seconds:g} s: {count:,} requests, {errors} errors")
            for path, taken in times.items():
                print(f"  {path}: {shown(taken)}")
            slow = p95(times[CLAIM])
            print(f"claim page under load: p95 {slow / p95(single):.1f} times one that is made, alone")
            print(f"                       p95 {slow / p95(kept):.1f} times one that is kept, alone")
            print(
                f"memory: {before:,.0f} MB before, {memory_mb(server.pid):,.0f} MB after; load {os.getloadavg()[0]:.1f}"
            )
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
