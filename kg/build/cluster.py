"""A whole build whose work is done on a Spark cluster, and whose result is what a local build leaves: the derived set and the view.

The work folder keeps the steps that are done, so that a job that failed goes on where it stopped; it is removed when the
view is live. The index of the ledger is not made: the next load makes a whole build, here or on the cluster.
"""

from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from kg.ask.lexicon import write_lexicon
from kg.build.build import Built, StorePlace, live_triples, read_background, view_stamp, write_content
from kg.build.progress import Progress
from kg.build.property_graph import follow_graph
from kg.content.documents import Document
from kg.content.folders import Content
from kg.errors import UsageError
from kg.ledger import durable
from kg.ledger.derived import write_lines
from kg.model.view_stamp import ViewStamp

if TYPE_CHECKING:
    from kg.build.spark import ClusterBuild


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
    from kg.build.spark import ClusterJob, connect, remove_work

    if not address.startswith(("spark://", "local", "yarn", "k8s://")):
        raise UsageError(field="--on", given=address, expected="spark://HOST:PORT, or local[CORES] to try it")
    registry, vocabulary = write_content(place, content, documents=documents)
    manifest = place.ledger.manifest()
    stamp = view_stamp(content, manifest)
    # the key in the name keeps a job from going on with steps that were done for another ledger or other rules
    folder = (work or place.folder.with_name(f"{place.folder.name}.cluster")) / _key(stamp)
    folder.mkdir(parents=True, exist_ok=True)
    background = read_background(content, vocabulary, registry)
    session = connect(address, settings=settings)
    try:
        made = ClusterJob(session, place.ledger, vocabulary, background, work=folder, progress=progress).run(stamp)
    finally:
        session.stop()
    progress("loading the view", 0, 0)
    loading = perf_counter()
    write_lexicon(place.lexicon, content, vocabulary, stamp["fingerprint"])
    findings = _take_over(place, made, stamp)
    follow_graph(place.folder, content, stamp)
    # only now: until the view is live, a repeated command can load it again from the finished steps
    remove_work(folder)
    seconds = {**made.seconds, "load": perf_counter() - loading}
    return Built(made.claims, live_triples(place), findings, manifest.head, seconds)


def _take_over(place: StorePlace, made: "ClusterBuild", stamp: ViewStamp) -> int:
    """Write the derived set and the view from the results of a cluster; the number of findings among them."""
    from kg.build.spark import derived, texts

    before = place.rdf.current()
    findings = 0

    def lines() -> Iterable[bytes]:
        nonlocal findings
        for line in derived(made):
            findings += line.count(b'"record":"finding"')
            yield line

    write_lines(place.derived, stamp, lines(), keep=before[1].get("head") if before else None)
    # an index of the view before would be taken for that of the new one
    place.index.unlink(missing_ok=True)
    place.rdf.build(texts(made), stamp, switch=durable.write_whole)
    return findings


def _key(stamp: ViewStamp) -> str:
    return f"{stamp['head'][:16]}-{stamp['rules']}-{stamp['content'][:8]}"
