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
from kg.audit.advice import advice_lines, advise
from kg.audit.chains import Step, Texts, citation_steps, derivation_steps, step_lines
from kg.audit.finding import RULES_VERSION, Finding, finding_lines
from kg.audit.recompute import DerivationAudit
from kg.content.claims import read_claims
from kg.content.documents import Document
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.graph.lexicon import write_lexicon
from kg.ledger import durable
from kg.ledger.derived import write_derived
from kg.ledger.ledger import Ledger, with_revision
from kg.model.derived import Deriver, key_lines
from kg.model.measures import metric_lines, unit_lines
from kg.model.names import all_names, name_lines
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
    built = build_view(place, content, vocabulary, progress=progress)
    return Built(
        built.claims, built.triples, built.findings, built.head,
        {"read": read - started, "ledger": written - read, **built.seconds},
    )  # fmt: skip


def build_view(place: Place, content: Content, vocabulary: Vocabulary, *, progress: Progress = silent) -> Built:
    """A new generation of the RDF view from what the ledger holds now."""
    started = perf_counter()
    manifest = place.ledger.manifest()
    view = _View(vocabulary, progress, sum(info.records for info in manifest.segments))
    fingerprint = content.fingerprint()
    stamp: Json = {
        "head": manifest.head, "fingerprint": fingerprint, "content": content.digest(), "version": __version__,
        "rules": RULES_VERSION,
    }  # fmt: skip
    write_lexicon(place.lexicon, content, vocabulary.unit_mapping, fingerprint)
    before = place.rdf.current()

    def switch(pointer: Path, chunks: Iterable[bytes]) -> None:
        """The derived set is there before a reader can open the view that goes with it."""
        kept = before[1].get("head") if before else None
        write_derived(place.folder / "ledger" / "derived", stamp, view.derived_records(), keep=kept)
        durable.write_whole(pointer, chunks)

    path = place.rdf.build(view.chunks(place.ledger.current(manifest), stamp), stamp, switch=switch)
    live = place.rdf.current()
    triples = int(live[1]["triples"]) if live else 0
    assert path.is_dir()
    return Built(view.claims, triples, len(view.findings), manifest.head, {"view": perf_counter() - started, "audit": view.audit_seconds})


_KEPT = ("id", "quantity", "relation", "statistic", "conditions", "source", "asserted_by", "modality", "path")


class _View:
    """Streams the text of a view; keeps only what findings, chains and names need."""

    def __init__(self, vocabulary: Vocabulary, progress: Progress, expected: int) -> None:
        self._vocabulary, self._progress, self._expected = vocabulary, progress, expected
        self._registry: dict[str, Json] = {}
        self._linked: dict[str, Json] = {}
        self._known: dict[str, Json] = {}
        self.findings: list[Finding] = []
        self.steps: list[Step] = []
        self.claims = 0
        self.audit_seconds = 0.0

    def chunks(self, records: Iterable[Json], stamp: Mapping[str, Any]) -> Iterator[str]:
        """The whole view as pieces of N-Triples text."""
        writer, deriver = TripleWriter(), Deriver(self._vocabulary.units)
        buffer: list[str] = []
        for done, record in enumerate(records, 1):
            buffer.append(writer.record(record))
            if record["record"] == "claim":
                self.claims += 1
                buffer.append(key_lines(record, deriver.keys(record)))
                self._keep(record)
            else:
                self._registry[record["id"]] = record
            if len(buffer) >= 512:
                self._progress("writing the view", done, self._expected)
                yield "".join(buffer)
                buffer.clear()
        yield "".join(buffer)
        yield from self._audited()
        yield from name_lines(all_names(self._registry))
        yield from metric_lines(self._vocabulary.metric_mapping)
        yield from unit_lines(self._vocabulary.unit_mapping)
        yield self._meta(stamp)

    def _keep(self, record: Json) -> None:
        """Remember what an input of a derivation or the target of a restatement needs, and linked claims whole."""
        if "derivations" in record or "restates" in record or "same_as" in record:
            self._linked[record["id"]] = self._known[record["id"]] = record
        else:
            kept = {key: record[key] for key in _KEPT if key in record}
            self._known[record["id"]] = kept

    def _audited(self) -> Iterator[str]:
        started = perf_counter()
        self._progress("auditing", 0, 0)
        audit = DerivationAudit(self._vocabulary.units, self._known.get, per_node(self._registry))
        self.findings = list(audit.findings(self._linked.values()))
        sources = {name: one for name, one in self._registry.items() if one["record"] == "source"}
        agents = frozenset(name for name, one in self._registry.items() if one.get("kind") == "software-agent")
        citations = list(citation_steps(self._known, sources, agents))
        derived = list(derivation_steps(self._linked, Texts(sources, agents), self._known))
        self.steps = [*citations, *derived]
        self.audit_seconds = perf_counter() - started
        yield "".join(finding_lines(one) for one in self.findings)
        yield "".join(step_lines(self.steps))
        yield from self._advice(citations, derived, sources)

    def _advice(self, citations: list[Step], derived: list[Step], sources: Mapping[str, Json]) -> Iterator[str]:
        found: dict[str, list[Finding]] = {}
        for one in self.findings:
            found.setdefault(one.claim, []).append(one)
        bad = {one.claim for one in self.findings if one.code == "arithmetic.inconsistent"}
        below: dict[str, list[str]] = {}
        for step in derived:
            if step.reaches in bad:
                below.setdefault(step.claim, []).append(step.reaches)
        chains: dict[str, list[Step]] = {}
        for step in citations:
            chains.setdefault(step.claim, []).append(step)
        written = {name: one.get("machine_written", "no") for name, one in sources.items()}
        agents = {name for name, one in self._registry.items() if one.get("kind") == "software-agent"}
        buffer: list[str] = []
        for name, record in self._known.items():
            machine = written.get(record["source"]) == "yes" or record["asserted_by"] in agents
            advice = advise(
                record, findings=found.get(name, ()), bad_below=below.get(name, ()), steps=chains.get(name, ()),
                machine_written=machine,
            )  # fmt: skip
            buffer.append(advice_lines(name, advice))
            if len(buffer) >= 2048:
                yield "".join(buffer)
                buffer.clear()
        yield "".join(buffer)

    def _meta(self, stamp: Mapping[str, Any]) -> str:
        node = f"<{thing_iri('meta')}>"
        out = [f"{node} <{expand('rdf:type')}> <{expand('k:Meta')}> .\n"]
        for term, value in (("k:head", stamp["head"]), ("k:contentDigest", stamp["content"]), ("k:packageVersion", stamp["version"])):
            out.append(f"{node} <{expand(term)}> {quoted(str(value))} .\n")
        out.append(f'{node} <{expand("k:claimCount")}> "{self.claims}"^^<{expand("xsd:integer")}> .\n')
        return "".join(out)

    def derived_records(self) -> Iterator[Json]:
        """The derived set as records: findings and steps."""
        for finding in sorted(self.findings, key=lambda one: one.id):
            yield finding.to_json()
        for step in sorted(self.steps, key=lambda one: (one.claim, one.via, one.hop, one.reaches)):
            yield {
                "record": "step", "claim": step.claim, "hop": step.hop, "reaches": step.reaches, "via": step.via,
                "fidelity": step.fidelity, "end_state": step.end_state,
            }  # fmt: skip


def per_node(registry: Mapping[str, Json]) -> dict[str, int]:
    """From an accelerator to how many of it one node holds, where a node of the registry says so."""
    found: dict[str, int] = {}
    for record in registry.values():
        if record.get("kind") == "node":
            for part in record.get("parts") or ():
                if part["part"].startswith("accelerator/"):
                    found[part["part"]] = part["count"]
    return found
