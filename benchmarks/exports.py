"""Each export of a large store against the fastest library that writes the same bytes, and the memory it takes.

    python -m benchmarks.exports [--claims N] [--formats NAME…] [--json FILE]

An export reads the ledger, derives canonical values and keys, joins findings and advice, sorts and writes. Beside it stand
two times of a library: *again* reads the finished file and writes it once more (what any program does that starts from
a disk), *write* has everything in memory as its own objects and only writes (not measured for RDF beyond 30,000 claims:
the objects alone take gigabytes). Libraries: orjson, pyoxigraph, igraph, NetworkX (the only one that writes GEXF), nanopub (the
only one that makes Trusty URIs; on a sample), csv; a Cypher script has none, its lines are written with orjson. The growth of memory is that of a process of its own.

Claims are whole copies of the shipped ones under other ids (`benchmarks.synthetic`), and so are the findings, chains and
advice: nothing is audited here.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import orjson
import pyoxigraph

from benchmarks.synthetic import synthetic_claims
from kg.__about__ import RULES_VERSION, __version__
from kg.ask.lexicon import read_lexicon, write_lexicon
from kg.build.build import StorePlace, content_records
from kg.content.folders import Content, find_content
from kg.export.formats import FORMATS, export
from kg.ledger.derived import read_derived, write_lines
from kg.ledger.ledger import with_revision
from kg.session import Graph, open_graph
from kg.stores.oxigraph import OxigraphStore

Json = Any
RDF = {
    "turtle": pyoxigraph.RdfFormat.TURTLE,
    "trig": pyoxigraph.RdfFormat.TRIG,
    "nquads": pyoxigraph.RdfFormat.N_QUADS,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
    "nanopub": pyoxigraph.RdfFormat.TRIG,
}
OBJECTS = 30_000
"""Beyond so many claims the triples are not held in memory."""


def large_graph(folder: Path, count: int, *, content: Content | None = None) -> Graph:
    """A store of `count` claims with a derived set of their own; opened, but without a view of its triples."""
    content = content or find_content()
    records, _, vocabulary = content_records(content)
    real = [one for one in records if one["record"] == "claim"]
    things = [one for one in records if one["record"] != "claim"]
    with tempfile.TemporaryDirectory(prefix="accelkg-bench-") as name:
        shipped = open_graph(Path(name) / "store", content=content.root)
        templates = list(read_derived(shipped.folder / "ledger" / "derived", shipped.stamp["head"], RULES_VERSION))
        shipped.close()
    place = StorePlace(folder)
    manifest = place.ledger.add(
        (with_revision(one) for one in (*synthetic_claims(real, count), *things)),
        origin="synthetic",
        edition="1",
        scope="full",
        registry="bench",
    )
    stamp: Json = {
        "head": manifest.head,
        "rules": RULES_VERSION,
        "version": __version__,
        "content": content.digest(),
        "fingerprint": "bench",
    }
    copies, rest = divmod(count, len(real))
    within = {one["id"] for one in real[:rest]}
    claims = {one["id"] for one in real}
    derived = map(orjson.dumps, _copied(templates, claims, copies, within))
    write_lines(folder / "ledger" / "derived", stamp, (line + b"\n" for line in derived))
    write_lexicon(place.lexicon, content, vocabulary, "bench")
    lexicon = read_lexicon(place.lexicon, "bench")
    assert lexicon is not None
    return Graph(folder, content, OxigraphStore(pyoxigraph.Store()), stamp, lexicon)


def _copied(templates: list[Json], claims: set[str], copies: int, within: set[str]) -> Iterator[Json]:
    """The derived records of every copy; of the last, those that are about claims it holds."""
    for number in range(copies + 1):
        prefix = f"{number:04d}"

        def renamed(name: str, prefix: str = prefix) -> str:
            source, _, key = name.partition("/")
            return f"{source}/{prefix}.{key}" if name in claims else name

        for one in templates:
            kind = one["record"]
            owner = (
                one["claims"][0]["claim"] if kind == "finding" else one["echo_of"] if kind == "echo" else one["claim"]
            )
            if number == copies and owner not in within:
                continue
            if kind == "finding":
                involved = [{**each, "claim": renamed(each["claim"])} for each in one["claims"]]
                name = one["id"].replace(f"finding/{owner}/", f"finding/{renamed(owner)}/") + (
                    "" if owner in claims else f"-{prefix}"
                )
                yield {**one, "id": name, "claims": involved}
            elif kind == "echo":
                yield {
                    **one,
                    "id": f"{one['id']}-{prefix}",
                    "echo_of": renamed(owner),
                    "members": [renamed(each) for each in one["members"]],
                }
            elif kind == "step":
                yield {
                    **one,
                    "claim": renamed(owner),
                    "reaches": renamed(one["reaches"]) if one.get("is_claim") else one["reaches"],
                }
            else:
                yield {**one, "claim": renamed(owner)}


def opened(folder: Path) -> Graph:
    """A store that `large_graph` made, opened again."""
    derived = next((folder / "ledger" / "derived").glob("*.jsonl.gz"))
    import gzip

    with gzip.open(derived, "rb") as file:
        stamp = orjson.loads(file.readline())
    lexicon = read_lexicon(folder / "lexicon.json", "bench")
    assert lexicon is not None
    return Graph(folder, find_content(), OxigraphStore(pyoxigraph.Store()), stamp, lexicon)


def timed(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def again(form: str, path: Path, target: Path) -> Callable[[], object]:
    """The library reads the finished file and writes the same once more."""
    if form in RDF:
        return lambda: (
            pyoxigraph.serialize(pyoxigraph.parse(path=str(path), format=RDF[form]), str(target), RDF[form])
            if form != "turtle"
            else (
                pyoxigraph.serialize(
                    (one.triple for one in pyoxigraph.parse(path=str(path), format=RDF[form])), str(target), RDF[form]
                )
            )
        )
    if form == "jsonl":
        return lambda: target.write_bytes(b"".join(_dumped(orjson.loads(line)) for line in path.open("rb")))
    if form == "graphml":
        import igraph

        return lambda: igraph.Graph.Read_GraphML(str(path)).write_graphml(str(target))
    if form == "gexf":
        import networkx

        return lambda: networkx.write_gexf(networkx.read_gexf(path, version="1.2draft"), target)
    if form == "cypher":
        return lambda: target.write_bytes(b"".join(_dumped(line.decode()) for line in path.open("rb")))
    return lambda: _rewrite(path, target)


def write(form: str, path: Path, target: Path) -> Callable[[], object] | None:
    """The library writes what it has in memory already."""
    if form == "nanopub":
        return None
    if form in RDF:
        quads: Any = list(pyoxigraph.parse(path=str(path), format=RDF[form]))
        quads = [one.triple for one in quads] if form == "turtle" else quads
        return lambda: pyoxigraph.serialize(quads, str(target), RDF[form])
    if form == "jsonl":
        records = [orjson.loads(line) for line in path.open("rb")]
        return lambda: target.write_bytes(b"".join(map(_dumped, records)))
    if form == "graphml":
        import igraph

        graph = igraph.Graph.Read_GraphML(str(path))
        return lambda: graph.write_graphml(str(target))
    if form == "gexf":
        import networkx

        network = networkx.read_gexf(path, version="1.2draft")
        return lambda: networkx.write_gexf(network, target)
    if form == "cypher":
        lines = path.read_text(encoding="utf-8").split("\n")
        return lambda: target.write_bytes(b"".join(map(_dumped, lines)))
    tables = [
        list(csv.reader(one.open(encoding="utf-8", newline="")))
        for one in sorted(path.iterdir())
        if one.suffix == ".csv"
    ]
    return lambda: _write_tables(tables, target)


def nanopub_package(path: Path, claims: int, *, sample: int = 100) -> float:
    """The package `nanopub` gives as many Trusty URIs and writes as many files; measured on some, scaled to all."""
    import rdflib
    from nanopub.trustyuri.rdf import RdfHasher, RdfUtils

    get_quads: Any = RdfUtils.get_quads
    whole: dict[str, rdflib.ConjunctiveGraph] = {}
    for one in pyoxigraph.parse(path=str(path), format=pyoxigraph.RdfFormat.TRIG):
        own = str(getattr(one.graph_name, "value", "")).partition("#")[0]
        if own not in whole:
            if len(whole) == sample:
                break
            whole[own] = rdflib.ConjunctiveGraph()
        text = f"{one.subject} {one.predicate} {one.object} .\n"
        whole[own].get_context(rdflib.URIRef(str(getattr(one.graph_name, "value", "")))).parse(data=text, format="nt")

    def work() -> None:
        for own, graph in whole.items():
            RdfHasher.make_hash(get_quads(graph), baseuri=own + "#", hashstr=" ")
            graph.serialize(format="trig")

    return timed(work) * claims / len(whole)


def _dumped(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def _rewrite(folder: Path, target: Path) -> None:
    for path in sorted(one for one in folder.iterdir() if one.suffix == ".csv"):
        with path.open(encoding="utf-8", newline="") as source, target.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows(csv.reader(source))


def _write_tables(tables: list[list[list[str]]], target: Path) -> None:
    for rows in tables:
        with target.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows(rows)


def peak() -> float:
    """The most memory this process has held, in megabytes (Linux: since it began to run this program)."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no VmHWM in /proc/self/status: this needs Linux")


def peak_megabytes(folder: Path, form: str, target: Path) -> float:
    """How much the memory of a process of its own grows while it exports."""
    code = (
        "import sys; from pathlib import Path; from benchmarks.exports import opened, peak; from kg.export.formats import export\n"
        "import kg.export.rdf, kg.export.jsonld, kg.export.nanopub, kg.export.csv_tables, kg.export.property_rows, kg.export.triples_out\n"
        "graph = opened(Path(sys.argv[1])); before = peak(); export(graph, sys.argv[2], Path(sys.argv[3])); print(peak() - before)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(folder), form, str(target)], capture_output=True, text=True, check=True
    )
    return float(ran.stdout)


def measure(form: str, graph: Graph, folder: Path, claims: int) -> dict[str, float]:
    path, target = folder / f"x.{form}", folder / "again"
    found = {"export": timed(lambda: export(graph, form, path))}
    found["megabytes"] = sum(one.stat().st_size for one in (path.iterdir() if path.is_dir() else [path])) / 1e6
    found["again"] = timed(again(form, path, target))
    work = write(form, path, target) if form not in RDF or claims <= OBJECTS else None
    if work is not None:
        found["write"] = timed(work)
        del work
    if form == "nanopub":
        found["write"] = nanopub_package(path, claims)
    found["memory"] = peak_megabytes(graph.folder, form, folder / f"y.{form}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), choices=list(FORMATS))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="accelkg-bench-") as name:
        folder = Path(name)
        graph = large_graph(folder / "store", options.claims)
        print(f"{options.claims:,} synthetic claims; seconds, times the library, megabytes of memory gained")
        print(f"  {'format':<14}{'size MB':>9}{'export':>9}{'again':>9}{'x':>6}{'write':>9}{'x':>6}{'memory':>9}")
        for form in options.formats:
            one = results[form] = measure(form, graph, folder, options.claims)
            alone = f"{one['write']:9.2f}{one['export'] / one['write']:6.1f}" if "write" in one else f"{'':>15}"
            print(
                f"  {form:<14}{one['megabytes']:9.1f}{one['export']:9.2f}{one['again']:9.2f}{one['export'] / one['again']:6.1f}{alone}{one['memory']:9.0f}",
                flush=True,
            )
    text = json.dumps({"claims": options.claims, "formats": results}, indent=1, sort_keys=True)
    if options.json:
        options.json.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
