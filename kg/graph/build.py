"""From content and loaded segments to a ledger and a live view: the way of the data, in one place.

seeds → records → one full segment of origin *content* → current records → N-Triples with derived keys, findings, chains
and advice → a new generation. Everything runs under the writer lock of the store.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from kg.__about__ import __version__
from kg.audit.advice import Advice, advice_lines, advice_record
from kg.audit.audit import Audited, AuditInput, advice_of, audit
from kg.audit.chains import step_lines, step_record
from kg.audit.finding import RULES_VERSION, finding_lines
from kg.audit.measured_rows import measured_lines, measured_rows
from kg.audit.origins import echo_lines, echo_records
from kg.content.citations import read_citation_lists
from kg.content.claims import read_claims
from kg.content.comparability import read_comparability
from kg.content.documents import Document
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.references import read_references
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.graph.cypher_view import GraphBuild, graph_in_use
from kg.graph.lexicon import write_lexicon
from kg.ledger import durable
from kg.ledger.derived import write_derived
from kg.ledger.ledger import Ledger, with_revision
from kg.model.comparability import Comparability
from kg.model.derived import Deriver, key_lines
from kg.model.measures import metric_lines, unit_lines
from kg.model.names import all_names, name_lines
from kg.model.reference import References
from kg.model.triples import TripleWriter, quoted
from kg.model.vocabulary import expand, thing_iri
from kg.stores.oxigraph import Generations

Json = dict[str, Any]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is (0: unknown)."""

CONTENT_ORIGIN = "content"


def silent(what: str, done: int, total: int) -> None:
    """A progress that tells nothing."""


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made, and how long its parts took in seconds."""

    claims: int
    triples: int
    findings: int
    head: str
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of one store: ledger, view, compiled content."""

    folder: Path

    @property
    def ledger(self) -> Ledger:
        """The records."""
        return Ledger(self.folder / "ledger")

    @property
    def rdf(self) -> Generations:
        """The generations of the RDF view."""
        return Generations(self.folder / "rdf")

    def is_current(self) -> bool:
        """Whether the live view was made from the ledger as it is."""
        live = self.rdf.current()
        return live is not None and live[1].get("head") == self.ledger.manifest().head

    @property
    def lexicon(self) -> Path:
        """Questions, units and codes, compiled so that a question needs no YAML."""
        return self.folder / "lexicon.json"


def content_records(
    content: Content, documents: Mapping[str, Document] | None = None
) -> tuple[list[Json], Registry, Vocabulary]:
    """All records of the shipped content, checked, with revisions: claims first, each sorted by id."""
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    claims = read_claims(content, registry, vocabulary, documents)
    things = [registry.records[name] for name in sorted(registry.records)]
    return [with_revision(record) for record in (*claims, *things)], registry, vocabulary


def build_content(
    place: Place, content: Content, *, documents: Mapping[str, Document] | None = None, progress: Progress = silent
) -> Built:
    """Replace the content segment and rebuild the view. The caller holds the writer lock."""
    started = perf_counter()
    progress("reading content", 0, 0)
    records, registry, vocabulary = content_records(content, documents)
    read = perf_counter()
    place.ledger.add(
        records, origin=CONTENT_ORIGIN, edition=__version__, scope="full", registry=registry.digest, replace=True
    )
    written = perf_counter()
    built = build_view(place, content, vocabulary, registry, progress=progress)
    return Built(
        built.claims, built.triples, built.findings, built.head,
        {"read": read - started, "ledger": written - read, **built.seconds},
    )  # fmt: skip


def build_view(
    place: Place, content: Content, vocabulary: Vocabulary, registry: Registry, *, progress: Progress = silent
) -> Built:
    """A new generation of the RDF view from what the ledger holds now."""
    started = perf_counter()
    manifest = place.ledger.manifest()
    background = read_background(content, vocabulary, registry)
    view = _View(vocabulary, background, progress, sum(info.records for info in manifest.segments))
    fingerprint = content.fingerprint()
    stamp: Json = {
        "head": manifest.head, "fingerprint": fingerprint, "content": content.digest(), "version": __version__,
        "rules": RULES_VERSION,
    }  # fmt: skip
    write_lexicon(place.lexicon, content, vocabulary.unit_mapping, fingerprint)
    before = place.rdf.current()

    graph: list[GraphBuild] = []

    def audited() -> None:
        """The derived set is there before a reader can open the view that goes with it; the property graph needs it too."""
        kept = before[1].get("head") if before else None
        write_derived(place.folder / "ledger" / "derived", stamp, view.derived_records(), keep=kept)
        if graph_in_use(place.folder):
            graph.append(GraphBuild.start(place.folder, content, stamp))

    try:
        chunks = view.chunks(place.ledger.current(manifest), stamp, audited=audited)
        path = place.rdf.build(chunks, stamp, switch=durable.write_whole)
    except BaseException:
        for one in graph:
            one.stop()
        raise
    for one in graph:
        one.finish()
    live = place.rdf.current()
    triples = int(live[1]["triples"]) if live else 0
    assert path.is_dir()
    return Built(
        len(view.claims),
        triples,
        len(view.audited.findings),
        manifest.head,
        {"view": perf_counter() - started, "audit": view.audit_seconds},
    )


def refresh_view(
    place: Place, content: Content, vocabulary: Vocabulary, registry: Registry, *, progress: Progress = silent
) -> Built:
    """Bring the view up to the ledger after a load. The caller holds the writer lock."""
    return build_view(place, content, vocabulary, registry, progress=progress)


@dataclass(frozen=True, slots=True)
class Background:
    """What the audit needs beside claims and registry: outside facts with their sources, and the links of the texts."""

    references: References
    links: tuple[Json, ...]
    comparability: Comparability


def read_background(content: Content, vocabulary: Vocabulary, registry: Registry) -> Background:
    """Read the references and the recorded source links of the content."""
    links = read_citation_lists(content, registry)
    return Background(read_references(content, vocabulary.units), tuple(links), read_comparability(content))


class _View:
    """Streams the text of a view and audits the claims on the way."""

    audited: Audited
    advice: tuple[tuple[str, Advice], ...]
    measured: tuple[Json, ...]
    """Rows derived from published results: `kg.audit.measured_rows`."""

    def __init__(self, vocabulary: Vocabulary, background: Background, progress: Progress, expected: int) -> None:
        self._vocabulary, self._background = vocabulary, background
        self._progress, self._expected = progress, expected
        self._deriver = Deriver(vocabulary.units)
        self._registry: dict[str, Json] = {}
        self.claims: dict[str, Json] = {}
        self.audit_seconds = 0.0

    def chunks(
        self, records: Iterable[Json], stamp: Mapping[str, Any], *, audited: Callable[[], None] = lambda: None
    ) -> Iterator[str]:
        """The whole view as pieces of N-Triples text; `audited` is called when the derived set is known."""
        writer = TripleWriter()
        buffer: list[str] = []
        for done, record in enumerate(records, 1):
            buffer.append(writer.record(record))
            if record["record"] == "claim":
                buffer.append(key_lines(record, self._deriver.keys(record)))
                self.claims[record["id"]] = record
            else:
                self._registry[record["id"]] = record
            if len(buffer) >= 512:
                self._progress("writing the view", done, self._expected)
                yield "".join(buffer)
                buffer.clear()
        yield "".join(buffer)
        pieces = self._audited()
        audited()
        yield from pieces
        yield from name_lines(all_names(self._registry))
        yield from metric_lines(self._vocabulary.metric_mapping)
        yield from unit_lines(self._vocabulary.unit_mapping)
        yield self._meta(stamp)

    def _audited(self) -> Iterator[str]:
        """Audit; what was found, as pieces of text."""
        started = perf_counter()
        self._progress("auditing", 0, 0)
        vocabulary = self._vocabulary
        given = AuditInput(
            self.claims,
            self._registry,
            vocabulary.units,
            self._deriver,
            self._background.references,
            self._background.links,
        )
        self.audited = audit(given)
        pieces = [finding_lines(one) for one in self.audited.findings]
        pieces.extend(step_lines(self.audited.steps))
        pieces.extend(echo_lines(self.audited.echoes))
        self.advice = tuple(advice_of(given, self.audited))
        pieces.extend(advice_lines(name, advice) for name, advice in self.advice)
        self.measured = tuple(
            measured_rows(self.claims.values(), self._registry, self._deriver, self._background.comparability)
        )
        pieces.extend(map(measured_lines, self.measured))
        self.audit_seconds = perf_counter() - started
        return ("".join(pieces[start : start + 2048]) for start in range(0, len(pieces), 2048))

    def _meta(self, stamp: Mapping[str, Any]) -> str:
        node = f"<{thing_iri('meta')}>"
        out = [f"{node} <{expand('rdf:type')}> <{expand('k:Meta')}> .\n"]
        for term, value in (
            ("k:head", stamp["head"]),
            ("k:contentDigest", stamp["content"]),
            ("k:packageVersion", stamp["version"]),
        ):
            out.append(f"{node} <{expand(term)}> {quoted(str(value))} .\n")
        out.append(f'{node} <{expand("k:claimCount")}> "{len(self.claims)}"^^<{expand("xsd:integer")}> .\n')
        return "".join(out)

    def derived_records(self) -> Iterator[Json]:
        """The derived set as records: findings, steps, echoes and advice; enough to make any view without another audit."""
        for finding in self.audited.findings:
            yield finding.to_json()
        for step in sorted(self.audited.steps, key=lambda one: (one.claim, one.via, one.hop, one.reaches)):
            yield step_record(step)
        yield from echo_records(self.audited.echoes)
        for claim, advice in self.advice:
            yield advice_record(claim, advice)
        yield from self.measured
