"""A whole build whose work is done on a Spark cluster, and whose result is what a local build leaves: the derived set and the view.

The work folder keeps the steps that are done, so that a job that failed goes on where it stopped; it is removed when the
view is live. The index of the ledger is not made: the next load makes a whole build, here or on the cluster.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

from kg.ask.lexicon import write_lexicon
from kg.build.build import Built, StorePlace, read_background, view_stamp, write_content
from kg.build.property_graph import GraphBuild, graph_in_use
from kg.content.documents import Document
from kg.content.folders import Content
from kg.errors import UsageError
from kg.ledger import durable
from kg.ledger.derived import write_lines

Progress = Callable[[str, int, int], None]


def build_on_cluster(
    place: StorePlace,
    content: Content,
    address: str,
    *,
    documents: dict[str, Document] | None = None,
    work: Path | None = None,
    settings: dict[str, str] | None = None,
    progress: Progress,
) -> Built:
    """Replace the content segment, conclude on the cluster, load the view here. The caller holds the writer lock."""
    from kg.build.spark import ClusterJob, connect, derived, remove_work, texts

    if not address.startswith(("spark://", "local", "yarn", "k8s://")):
        raise UsageError(field="--on", given=address, expected="spark://HOST:PORT, or local[CORES] to try it")
    registry, vocabulary = write_content(place, content, documents=documents)
    manifest = place.ledger.manifest()
    stamp = view_stamp(content, manifest)
    folder = (work or place.folder.with_name(f"{place.folder.name}.cluster")) / _key(stamp)
    folder.mkdir(parents=True, exist_ok=True)
    session = connect(address, settings=settings)
    try:
        job = ClusterJob(
            session, place.ledger, vocabulary, read_background(content, vocabulary, registry), folder, progress
        )
        made = job.run(stamp)
    finally:
        session.stop()
    progress("loading the view", 0, 0)
    loading = perf_counter()
    write_lexicon(place.lexicon, content, vocabulary.unit_mapping, stamp["fingerprint"])
    before = place.rdf.current()
    findings = 0

    def lines() -> Iterable[bytes]:
        nonlocal findings
        for line in derived(made):
            findings += line.count(b'"record":"finding"')
            yield line

    write_lines(place.derived, stamp, lines(), keep=before[1].get("head") if before else None)
    place.index.unlink(missing_ok=True)
    place.rdf.build(texts(made), stamp, switch=durable.write_whole)
    if graph_in_use(place.folder):
        graph = GraphBuild.start(place.folder, content, stamp)
        graph.audited()
        graph.finish()
    remove_work(folder)
    live = place.rdf.current()
    return Built(
        made.claims,
        int(live[1]["triples"]) if live else 0,
        findings,
        manifest.head,
        {**made.seconds, "load": perf_counter() - loading},
    )


def _key(stamp: dict[str, Any]) -> str:
    return f"{stamp['head'][:16]}-{stamp['rules']}-{stamp['content'][:8]}"
