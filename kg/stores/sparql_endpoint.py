"""A store behind a SPARQL 1.1 endpoint: queries, updates and graphs over HTTP, all in the named graphs of this project.

https://www.w3.org/TR/sparql11-protocol/ and https://www.w3.org/TR/sparql11-http-rdf-update/. Every query names our graph as
its default graph, so that other data of the same server never mixes in. A query is always sent as a form: one well-known
server hangs on the other way. A result that the server cut comes back as not complete, and `tell` hears it.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from json import dumps, loads
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlencode, urlsplit

from kg.model.exact import whole_number
from kg.model.vocabulary import thing_id, thing_iri
from kg.stores.cells import literal_cell
from kg.stores.http_client import (
    OUT_OF_TIME,
    SEE_THE_SERVER,
    HttpClient,
    Login,
    LoginRefused,
    Reply,
    ServerRefused,
    shown,
)
from kg.stores.oxigraph import QueryRefused
from kg.stores.places import NotAServer, has_place, refuse_login
from kg.stores.protocol import Answer, Cell, DeadlinePassed, JsonText, Language
from kg.stores.reported import reported

VIEW_GRAPH: Final = thing_iri("graph/view")
"""The named graph that holds the whole view, triple for triple what the embedded store holds."""
LEDGER_GRAPH: Final = thing_iri("graph/ledger")
"""The named graph with the segments of the ledger and the state of the last push."""
_RESULTS: Final = "application/sparql-results+json"
_FORM: Final = "application/x-www-form-urlencoded"
_TRIPLES: Final = "application/n-triples"

Tell = Callable[[str], None]


def _silent(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where one service answers queries, takes updates, and takes whole graphs (None: it does not, updates are used)."""

    query: str
    update: str
    graphs: str | None

    @classmethod
    def from_store(cls, store: str) -> "Addresses":
        """The addresses that follow from `sparql+http(s)://…`, by the habits of the servers we know.

        >>> Addresses.from_store("sparql+http://h:3030/kg").update
        'http://h:3030/kg'
        >>> Addresses.from_store("sparql+https://h/repositories/kg").graphs
        'https://h/repositories/kg/rdf-graphs/service'
        >>> Addresses.from_store("sparql+http://h:8890/sparql-auth")
        Addresses(query='http://h:8890/sparql-auth', update='http://h:8890/sparql-auth', graphs='http://h:8890/sparql-graph-crud-auth')
        """
        base = store.removeprefix("sparql+").rstrip("/")
        path = urlsplit(base).path
        head, _, last = base.rpartition("/")
        # A repository of RDF4J may be called `sparql` or `query`: its path is looked at before the
        # last name.
        if "/repositories/" in path:  # RDF4J, GraphDB
            return cls(base, f"{base}/statements", f"{base}/rdf-graphs/service")
        if path in ("/sparql", "/sparql-auth"):  # Virtuoso
            return cls(base, base, f"{head}/sparql-graph-crud{'-auth' if last == 'sparql-auth' else ''}")
        if not path:  # Oxigraph's server
            return cls(f"{base}/query", f"{base}/update", f"{base}/store")
        if last in ("query", "sparql"):  # one service of a Fuseki dataset
            return cls(base, f"{head}/update", f"{head}/data")
        return cls(base, base, base)  # a Fuseki dataset: one address for all

    def overridden(self, environment: Mapping[str, str]) -> "Addresses":
        """The same, but for those that KG_SPARQL_QUERY_URL, KG_SPARQL_UPDATE_URL, KG_SPARQL_GRAPH_STORE_URL name.

        An empty KG_SPARQL_GRAPH_STORE_URL means that there is none.
        """
        for name in ("KG_SPARQL_QUERY_URL", "KG_SPARQL_UPDATE_URL", "KG_SPARQL_GRAPH_STORE_URL"):
            given = environment.get(name)
            if given and not (given.startswith(("http://", "https://")) and has_place(given)):
                raise NotAServer(
                    "is not an address of a server.",
                    field=name,
                    given=given.rpartition("@")[2],
                    expected="http://host:port/path or https://host:port/path",
                )
            refuse_login(given or "", "SPARQL", field=name)
        graphs = environment.get("KG_SPARQL_GRAPH_STORE_URL", self.graphs)
        return replace(
            self,
            query=environment.get("KG_SPARQL_QUERY_URL") or self.query,
            update=environment.get("KG_SPARQL_UPDATE_URL") or self.update,
            graphs=graphs or None,
        )


@dataclass(slots=True)
class SparqlEndpoint:
    """One endpoint, used as a store."""

    language: ClassVar[Language] = "sparql"
    addresses: Addresses
    client: HttpClient
    tell: Tell = _silent
    graph_iri: str = VIEW_GRAPH
    timeout_seconds: float = 60.0
    most_rows: int | None = None
    """The number of rows at which this server is known to cut; as many rows as this count as cut."""
    software: str = ""
    """How the server calls itself; known from the first reply on."""

    @classmethod
    def open(
        cls, store: str, *, login: Login | None = None, tell: Tell = _silent, timeout_seconds: float = 60.0
    ) -> "SparqlEndpoint":
        """The endpoint of an address; nothing is sent yet."""
        return cls(
            Addresses.from_store(store).overridden(os.environ),
            HttpClient(login),
            tell,
            timeout_seconds=timeout_seconds,
            most_rows=whole_number(os.environ.get("KG_SPARQL_MAX_ROWS", "")),
        )

    def select(
        self,
        text: str,
        *,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:
        """Rows of a SELECT or ASK query; ids are shortened, numbers are numbers."""
        if parameters:
            raise QueryRefused(given="parameters", expected="SPARQL with its values in the text")
        cuts: list[str] = []
        answer = self._rows(text, timeout_seconds, cuts)
        if cuts:
            self.tell(f"the server cut the result at {cuts[0]}: what follows is not complete")
        if limit is not None and len(answer.rows) > limit:
            return Answer(answer.columns, answer.rows[:limit], complete=False)
        return answer

    def _rows(self, text: str, timeout_seconds: float | None, cuts: list[str]) -> Answer:
        """The rows the server gives to a text, which may be part of what was asked; a cut is noted."""
        reply = self._query(text, _RESULTS, timeout_seconds)
        answer, cut = read_results(reply, known_limit=self.most_rows, address=self.addresses.query)
        if cut is not None:
            cuts.append(f"{len(answer.rows):,} rows ({cut})")
        return answer

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:
        # Old servers know N-Triples as `text/plain` alone.
        """N-Triples of a CONSTRUCT or DESCRIBE query."""
        reply = self._query(text, f"{_TRIPLES}, text/plain;q=0.5", timeout_seconds)
        kind = reply.headers.get("content-type", "").partition(";")[0]
        if kind not in (_TRIPLES, "text/plain", "text/ntriples"):
            raise ServerRefused(path=shown(self.addresses.query), given=f"a graph as {kind}", expected=_TRIPLES)
        triples = sum(1 for line in reply.body.splitlines() if line.strip() and not line.lstrip().startswith(b"#"))
        if cut := _cut(reply, triples, self.most_rows):
            self.tell(f"the server cut the graph at {triples:,} triples ({cut}): what follows is not complete")
        return reply.body

    def update(self, text: str, *, timeout_seconds: float | None = None) -> None:
        """Run a SPARQL update; its graphs are named in the text."""
        body = urlencode({"update": text}).encode("ascii")
        headers = {"Content-Type": _FORM, "Accept": "*/*"}
        reply = self._send("POST", self.addresses.update, body, headers, timeout_seconds)
        self._check_change(reply, self.addresses.update)

    def add(self, lines: Iterable[bytes], graph: str, *, timeout_seconds: float | None = None) -> None:
        """Add N-Triples to a named graph: by the Graph Store Protocol, or by updates where a server does not have it."""
        text = b"".join(lines)
        if self.addresses.graphs is not None:
            address = f"{self.addresses.graphs}?{urlencode({'graph': graph}, quote_via=quote)}"
            headers = {"Content-Type": _TRIPLES, "Accept": "*/*"}
            reply = self._send("POST", address, text, headers, timeout_seconds)
            # No such address, method, media type or nothing behind it: the server has no Graph
            # Store Protocol there.
            if reply.status not in (404, 405, 415, 501):
                self._check_change(reply, address)
                return
            self.addresses = replace(self.addresses, graphs=None)
        for start in range(0, len(given := text.splitlines(keepends=True)), _INSERTED_AT_ONCE):
            part = b"".join(given[start : start + _INSERTED_AT_ONCE]).decode()
            self.update(f"INSERT DATA {{ GRAPH <{graph}> {{\n{part}}} }}", timeout_seconds=timeout_seconds)

    def on(self, graph: str) -> "SparqlEndpoint":
        """The same endpoint, with another named graph as what queries see."""
        return replace(self, graph_iri=graph)

    def close(self) -> None:
        """End the connections."""
        self.client.close()

    def _query(self, text: str, accept: str, timeout_seconds: float | None) -> Reply:
        form = {"query": text, "default-graph-uri": self.graph_iri}
        headers = {"Content-Type": _FORM, "Accept": accept}
        reply = self._sent("POST", self.addresses.query, urlencode(form).encode("ascii"), headers, timeout_seconds)
        self.software = reply.headers.get("server", "")
        # It is the last thing written, and what stands before may be hundreds of megabytes.
        if given_up := _GIVEN_UP.search(reply.body[-_SHOWN_AT_THE_END:]):
            raise _out_of_time(
                self.addresses.query, reported(given_up[1].decode("utf-8", errors="replace"), reply.secrets)
            )
        return reply

    def _sent(
        self, method: str, address: str, body: bytes, headers: Mapping[str, str], timeout_seconds: float | None
    ) -> Reply:
        reply = self._send(method, address, body, headers, timeout_seconds)
        self._check(reply, address)
        return reply

    def _send(
        self, method: str, address: str, body: bytes, headers: Mapping[str, str], timeout_seconds: float | None
    ) -> Reply:
        patience = self.timeout_seconds if timeout_seconds is None else timeout_seconds
        return self.client.send(method, address, body=body, headers=headers, timeout_seconds=patience)

    def _check_change(self, reply: Reply, address: str) -> None:
        """What changes a server is text of ours, so a server that fails in it is not well: some say 400 where their disk is full."""
        if reply.status in _NOT_WELL and not OUT_OF_TIME.search(reply.said()):
            raise ServerRefused(
                path=shown(address),
                given=f"status {reply.status} {reply.said()}".strip(),
                expected="a server that takes a change",
                next_step=SEE_THE_SERVER,
            )
        self._check(reply, address)

    def _check(self, reply: Reply, address: str) -> None:
        if 200 <= reply.status < 300:
            return
        said = reply.said()
        if reply.status in (401, 403):
            raise LoginRefused(
                path=shown(address),
                given=f"{reply.status} {said}".strip(),
                expected="a login that may do this",
                next_step="set KG_SPARQL_USER and KG_SPARQL_PASSWORD",
            )
        if OUT_OF_TIME.search(said):
            raise _out_of_time(address, said)
        if reply.status == 400:
            raise QueryRefused(path=shown(address), given=said, expected="SPARQL 1.1 as this server takes it")
        raise ServerRefused(
            path=shown(address),
            given=f"status {reply.status} {said}".strip(),
            expected="an answer to SPARQL",
            next_step="check the address; KG_SPARQL_QUERY_URL and KG_SPARQL_UPDATE_URL set each by hand",
        )


def _out_of_time(address: str, said: str) -> DeadlinePassed:
    return DeadlinePassed(
        path=shown(address),
        given=said,
        expected="a query that ends within the server's own time",
        next_step="ask for less, or raise the time the server allows",
    )


_NOT_WELL: Final = (400, 500, 503, 507)
_SHOWN_AT_THE_END: Final = 1 << 10
_GIVEN_UP: Final = re.compile(rb"^##\s*(.*\btime\s?out\b.*?)[\s#]*$", re.IGNORECASE | re.MULTILINE)
"""What Fuseki writes behind the rows when a query that it began to answer runs out of its time, with status 200: a line that
is no JSON, and in N-Triples a comment behind which the rest would be missed by nobody. No line of rows or triples begins so."""
_INSERTED_AT_ONCE: Final = 500
"""Triples in one INSERT DATA: some servers turn each into program text and have a limit for that."""


def read_results(reply: Reply, *, known_limit: int | None = None, address: str = "") -> tuple[Answer, str | None]:
    """The rows of a reply, and why they are not all: None when nothing says so.

    >>> body = (b'{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": {"type": "typed-literal", "value": "7", '
    ...     b'"datatype": "http://www.w3.org/2001/XMLSchema#integer"}}]}}')
    >>> answer, cut = read_results(Reply(200, {"x-sparql-maxrows": "1"}, body))
    >>> answer.columns, answer.rows, answer.complete, cut
    (('n',), ((7,),), False, 'its own limit is 1 rows')
    """
    try:
        whole = loads(reply.body)
        if isinstance(given := whole.get("boolean"), bool):
            return Answer(("answer",), ((given,),)), None
        columns = tuple(str(name) for name in whole["head"]["vars"])
        rows = tuple(tuple(_cell(binding.get(name)) for name in columns) for binding in whole["results"]["bindings"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as cause:
        raise ServerRefused(
            path=shown(address),
            given=reply.said() or "nothing",
            expected="SPARQL results as JSON",
            next_step="check that the address is one of a SPARQL endpoint",
        ) from cause
    cut = _cut(reply, len(rows), known_limit)
    return Answer(columns, rows, complete=cut is None), cut


def _cut(reply: Reply, rows: int, known_limit: int | None) -> str | None:
    most = whole_number(reply.headers.get("x-sparql-maxrows", ""))
    if most is not None and rows >= most:
        return f"its own limit is {most:,} rows"
    # 206 Partial Content, or the SQL state of Virtuoso for a result that its "anytime" limit cut.
    if reply.status == 206 or reply.headers.get("x-sql-state", "").upper() == "S1TAT":
        return "it ran out of its own time"
    if known_limit is not None and rows >= known_limit > 0:
        return f"KG_SPARQL_MAX_ROWS is {known_limit:,}"
    return None


def _cell(term: Mapping[str, Any] | None) -> Cell:
    """One term; `typed-literal` is an old word of Virtuoso for `literal`, and a triple is a term of SPARQL 1.2."""
    if term is None:
        return None
    kind, value = term["type"], term["value"]
    if kind == "triple":
        return JsonText(dumps(value, ensure_ascii=False))
    # JSON may hold half of a character, which no page and no file takes.
    if not isinstance(value, str) or not _is_whole(value):
        raise TypeError(f"a {kind} that is no text")
    if kind == "uri":
        return thing_id(value)
    if kind == "bnode":
        return f"_:{value}"
    return literal_cell(value, term.get("datatype"))


def _is_whole(text: str) -> bool:
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False
