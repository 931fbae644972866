"""Requests that nobody means well: paths, parameters, headers and bodies, made from a seed."""

import random
from typing import NamedTuple
from urllib.parse import quote

_PATHS = (
    "/",
    "/number/",
    "/claim/",
    "/thing/",
    "/compare/",
    "/source/",
    "/sources",
    "/problems",
    "/conflicts",
    "/find",
    "/id/",
    "/data/",
    "/dcat",
    "/sparql",
    "/mcp",
    "/static/",
    "/picture.svg",
    "/cite/",
    "/questions/",
    "/query",
    "/review",
    "/check",
    "/no/such/",
)
_PIECES = (
    "../",
    "..%2f..%2fetc/passwd",
    "%00",
    "%ff%fe",
    "\u202e",
    "<script>alert(1)</script>",
    "'\"><img src=x>",
    "{{7*7}}",
    "${7*7}",
    "; DROP TABLE claims",
    "' OR 1=1 --",
    "> ?p ?o } #",
    "%0d%0aX-Evil: 1",
    "A" * 5000,
    "72428",
    "002/r1.gb200.offline.total",
    "1e999999",
    "-0",
    "NaN",
    "∞",
    "１２３",
    "🚀",
    "\ud7ff",
    "a/b/c/d/e/f",
    ".ttl",
    ".json",
    ".csv",
    "%",
    "%zz",
    "//",
    "\\",
    "|",
    "^",
    "`",
    "SELECT * {?s ?p ?o}",
    "source/002",
    "h200 vs gb200",
    "http://127.0.0.1:1/",
    "file:///etc/passwd",
    " ",
    "\t",
    "e" * 300 + "\u0301" * 300,
)
_NAMES = (
    "q",
    "of",
    "query",
    "update",
    "all",
    "timeout",
    "default-graph-uri",
    "named-graph-uri",
    "source",
    "verdict",
    "page",
    "",
)
_HEADERS = (
    "Accept",
    "Accept-Language",
    "Content-Type",
    "Range",
    "If-None-Match",
    "Cookie",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "Expect",
    "Transfer-Encoding",
    "Upgrade",
    "Mcp-Session-Id",
    "Authorization",
    "Referer",
    "Last-Event-ID",
)
_VALUES = (
    "",
    "*",
    "text/html",
    "a" * 3000,
    "text/turtle;q=2",
    ";;;,,,q=",
    "application/json",
    "application/sparql-query",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; charset=utf-16",
    "bytes=0-,5-1,-",
    "chunked",
    "websocket",
    "100-continue",
    "\x7f",
    "application/json, text/event-stream",
    "é",
    "gopher://",
    "%00",
)
_BODIES = (
    b"",
    b"\x00" * 100,
    b"\xff" * 1000,
    b"query=" + b"%" * 500,
    b"query=ASK{}&" * 2000,
    b"{" * 5000,
    b"[" * 20000,
    b'{"jsonrpc":"2.0"}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"../x","arguments":[]}}',
    b"ASK " + b"{" * 5000,
    b"#" * 100000,
    b'SELECT * { ?s ?p "' + b"\\u" * 999,
    b"PREFIX : <> " * 2000,
    b"--x\r\n" * 1000,
    b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
)
_METHODS = (
    "GET",
    "GET",
    "GET",
    "GET",
    "POST",
    "POST",
    "HEAD",
    "PUT",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "PROPFIND",
    "X" * 50,
)


class HostileRequest(NamedTuple):
    """A request as bytes."""

    head: bytes
    body: bytes

    @property
    def whole(self) -> bytes:
        return self.head + self.body


def hostile_request(random_numbers: random.Random) -> HostileRequest:
    """One request; the same for the same state of the random numbers."""
    choose = random_numbers.choice
    path = choose(_PATHS) + "".join(_piece(random_numbers) for _ in range(random_numbers.randrange(4)))
    if random_numbers.random() < 0.6:
        fields = (f"{choose(_NAMES)}={_piece(random_numbers)}" for _ in range(random_numbers.randrange(1, 5)))
        path += "?" + "&".join(fields)
    method, body = choose(_METHODS), choose(_BODIES) if random_numbers.random() < 0.4 else b""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
    for _ in range(random_numbers.randrange(4)):
        lines.append(f"{choose(_HEADERS)}: {choose(_VALUES)}")
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return HostileRequest("\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n", body)


def _piece(random_numbers: random.Random) -> str:
    piece = random_numbers.choice(_PIECES)
    how = random_numbers.random()
    if how < 0.5:
        return quote(piece, safe="%/", errors="replace")
    return quote(piece, safe="", errors="replace") if how < 0.9 else piece.replace(" ", "+").replace("\t", "+")
