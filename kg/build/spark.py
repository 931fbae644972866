"""Builds the derived set and the text of the view on a Spark cluster: `kg build --on spark://HOST:PORT`.

    segments ─► current records ─► claims alone ─► scopes judged ─┐
                                      │  └─► claims with links ───┼─► advice ─► lines of the derived set ─► triples
                                      └─► echoes, measured rows ──┘

Every step is written as Parquet files in a work folder that driver and workers share, named after the state it was made
from: a step that was done is not done again when the job is run after a failure. What is concluded is concluded by the
functions of the local build (`kg.build.partition`). A scope is judged in one piece, however many claims it has: no rule
allows a scope to be cut, so a scope of thousands of claims is one long task.
"""

import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from kg.audit.objections import REFUTING
from kg.build.deduction import Background
from kg.build.deduction_units import own_mark
from kg.build.partition import (
    Partition,
    Setting,
    write_lookup,
)
from kg.build.progress import Progress
from kg.build.refuted import refuting_lines
from kg.build.spark_paths import read_path
from kg.build.spark_workers import (
    BATCH,
    SentSetting,
    advice_rows,
    claim_rows,
    current_records,
    echo_rows,
    identified_records,
    measured_lines,
    of_group,
    own_rows,
    scope_rows,
    triple_rows,
)
from kg.content.vocabulary import Vocabulary
from kg.errors import UsageError
from kg.ledger.index import EDGY
from kg.ledger.ledger import Ledger, retired
from kg.model.names import all_names
from kg.model.view_stamp import ViewStamp
from kg.projection.classes import class_lines
from kg.projection.derived import meta_lines
from kg.projection.measures import vocabulary_lines
from kg.projection.names import name_lines
from kg.projection.triples import TripleWriter

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


MOST_ROUNDS: Final = 64
"""Rounds of passing labels along links: each at least doubles the distance that a label has come."""
_UNIT: Final = "unit binary, exact binary, involved array<string>"
_CLAIM: Final = (
    "id string, body binary, text string, scopes array<struct<scope:bigint,tag:bigint>>, groups array<string>, said bigint,"
    f" relayed array<string>, inputs array<string>, linked boolean, {_UNIT}"
)


@dataclass(frozen=True, slots=True)
class ClusterBuild:
    """What a job made: the files of lines and of triples, how many claims, and the seconds of each step."""

    lines: Path
    triples: Path
    claims: int
    seconds: Mapping[str, float]


def connect(address: str, *, settings: Mapping[str, str] | None = None) -> "SparkSession":
    """A session on a cluster (`spark://HOST:PORT`) or on this machine (`local[2]`)."""
    try:
        from pyspark.sql import SparkSession
    except ImportError as cause:
        raise UsageError(
            given=f"no {cause.name}",
            expected="the spark extra, and Java 17",
            next_step="pip install 'accelkg[spark]'",
        ) from cause
    warnings.filterwarnings(
        "ignore", category=FutureWarning, module="pyspark"
    )  # its opinion of pandas, which is not used
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # of the workers; set it where theirs lies elsewhere
    builder = SparkSession.builder.master(address).appName("accelkg build")
    defaults = {
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
        "spark.sql.adaptive.enabled": "true",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executorEnv.PYTHONHASHSEED": "0",
    }
    for name, value in {**defaults, **(settings or {})}.items():
        builder = builder.config(name, value)
    session: SparkSession = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


class ClusterJob:
    """One build on a cluster."""

    def __init__(
        self,
        session: "SparkSession",
        ledger: Ledger,
        vocabulary: Vocabulary,
        background: Background,
        *,
        work: Path,
        progress: Progress,
    ) -> None:
        self._spark, self._ledger, self._vocabulary, self._work = session, ledger, vocabulary, work
        self._manifest = ledger.manifest()
        self._registry = ledger.things(self._manifest)
        self._background, self._progress = background, progress
        self._seconds: dict[str, float] = {}

    def run(self, stamp: ViewStamp) -> ClusterBuild:
        """Run every step that is not done yet."""
        alone = self._setting("alone", None, {})
        claims = self._step("claims", lambda: self._claims(alone))
        lookup = self._lookup(claims)
        linked = self._setting("linked", lookup, {})
        scopes = self._step("scopes", lambda: self._scopes(claims, linked))
        own = self._step("own", lambda: self._own(claims, linked))
        echoes = self._step("echoes", lambda: self._echoes(claims, linked))
        measured = self._step("measured", lambda: self._measured(claims, alone))
        judging = self._setting("advice", lookup, _refuting(own, scopes))
        advice = self._step("advice", lambda: self._advice(claims, own, scopes, judging))
        lines = self._step("lines", lambda: _all_lines(scopes, own, echoes, measured, advice))
        self._step("triples", lambda: self._triples(claims, lines))
        count = claims.count()
        self._write_rest(stamp, count)
        return ClusterBuild(self._work / "lines", self._work / "triples", count, dict(self._seconds))

    # --- steps

    def _step(self, name: str, make: "Callable[[], DataFrame]") -> "DataFrame":
        """The rows of a step: read where it was done before, else made, written and read again."""
        path = self._work / name
        # Spark writes this file last, when all others of a step are there.
        if not (path / "_SUCCESS").is_file():
            started = perf_counter()
            self._progress(f"{name} on the cluster", 0, 0)
            make().write.mode("overwrite").parquet(str(path))
            self._seconds[name] = perf_counter() - started
        return self._spark.read.parquet(read_path(path))

    def _setting(self, name: str, lookup: str | None, bad: Mapping[str, bytes]) -> Any:
        setting = Setting(
            f"{self._work.name}/{name}", self._registry, self._vocabulary.units, self._background, bad, lookup
        )
        return self._spark.sparkContext.broadcast(setting)

    def _claims(self, setting: SentSetting) -> "DataFrame":
        """The current claims, each with what follows from it alone."""
        from pyspark.sql import functions as f

        segments = self._manifest.segments
        out = retired(segments)
        parts = []
        for place, info in enumerate(segments):
            rows = self._spark.read.text(read_path(self._ledger.segments_folder / info.name)).select(
                f.encode("value", "utf-8").alias("body"),
                f.lit(place).alias("place"),
                f.lit(info.edition).alias("edition"),
                f.lit(place in out).alias("retired"),
                f.lit(info.schema).alias("schema"),
            )
            parts.append(rows)
        rows = parts[0]
        for more in parts[1:]:
            rows = rows.unionAll(more)
        # compressed segments cannot be split when read: without this a single file keeps one worker busy and the others
        # idle
        rows = rows.repartition(self._partitions())
        known = rows.mapInArrow(
            identified_records, "id string, kind string, place int, edition string, retired boolean, body binary"
        )
        found = (
            known.where("kind = 'claim'")
            .groupBy("id")
            .agg(f.collect_list(f.struct("edition", "place", "retired", "body")).alias("revisions"))
        )
        current = found.mapInArrow(current_records, "body binary")
        return current.mapInArrow(partial(claim_rows, setting), _CLAIM)

    def _partitions(self) -> int:
        return max(4, 4 * int(self._spark.sparkContext.defaultParallelism))

    def _lookup(self, claims: "DataFrame") -> str:
        """The file of the claims that others link to; small compared with all of them, and needed whole by every worker."""
        from pyspark.sql import functions as f

        path = self._work / "lookup.sqlite"
        if not path.is_file():
            self._progress("collecting what claims link to", 0, 0)
            linked = claims.select(f.explode(f.concat("relayed", "inputs")).alias("id"))
            named = {
                one["claim"] for thing in self._registry.values() for one in thing.get("parts") or () if "claim" in one
            }
            extra = self._spark.createDataFrame([(name,) for name in sorted(named)] or [("",)], "id string")
            wanted = linked.unionAll(extra).distinct()
            rows = wanted.join(claims.select("id", "body"), "id").toLocalIterator(prefetchPartitions=True)
            unfinished = path.with_suffix(".tmp")
            write_lookup(unfinished, ((row.id, bytes(row.body)) for row in rows))
            # whole or not at all: a job that is taken up again trusts what it finds
            os.replace(unfinished, path)
        return str(path)

    def _scopes(self, claims: "DataFrame", setting: SentSetting) -> "DataFrame":
        """The findings of scopes in which something can be found."""
        from pyspark.sql import functions as f

        members = claims.select("body", f.explode("scopes").alias("one")).select("body", "one.scope", "one.tag")
        tags = members.groupBy("scope").agg(f.min("tag").alias("low"), f.max("tag").alias("high"))
        busy = tags.where(f"low < high OR low = {EDGY}").select("scope")
        # A claim may be in one scope with several tags, and is judged there once.
        judged = members.join(busy, "scope").select("scope", "body").dropDuplicates(["scope", "body"])
        found = judged.groupBy("scope").applyInArrow(of_group(scope_rows, setting), f"name bigint, {_UNIT}")
        alone = list(Partition.of(setting.value).unattended(row.scope for row in busy.toLocalIterator()))
        if not alone:
            return found
        rest = self._spark.createDataFrame(
            [
                (name, bytearray(unit), None if exact is None else bytearray(exact), involved)
                for name, unit, exact, involved in alone
            ],
            f"name bigint, {_UNIT}",
        )
        return found.unionAll(rest)

    def _own(self, claims: "DataFrame", setting: SentSetting) -> "DataFrame":
        """What follows from each claim and what it links to; nothing where nothing does."""
        from pyspark.sql import functions as f

        alone = claims.where("NOT linked").select("id", "unit", "exact", "involved")
        linked = claims.where("linked").select("body").mapInArrow(partial(own_rows, setting), f"id string, {_UNIT}")
        return alone.unionAll(linked).where(f.length("unit") > 0)

    def _echoes(self, claims: "DataFrame", setting: SentSetting) -> "DataFrame":
        """The lines of echoes, for each connected set of claims in one piece."""
        from pyspark.sql import functions as f

        # numbers instead of ids: connected components pass every vertex several times over the network
        vertices = claims.select(f.xxhash64("id").alias("vertex"), "id", "said", "relayed")
        # Each to the first of those who say the same, not all to all: a thousand who do would be a million
        # edges.
        first = vertices.where("said IS NOT NULL").groupBy("said").agg(f.min("vertex").alias("a"))
        shared = vertices.join(first, "said").select(f.col("a"), f.col("vertex").alias("b"))
        relayed = vertices.select(f.col("vertex").alias("a"), f.explode("relayed").alias("to"))
        known = claims.select(f.col("id").alias("to"), f.xxhash64("id").alias("b"))
        edges = shared.unionAll(relayed.join(known, "to").select("a", "b")).where("a <> b").distinct()
        labels = _labels(edges, self._partitions())
        bodies = claims.select(f.xxhash64("id").alias("vertex"), "body")
        return labels.join(bodies, "vertex").groupBy("label").applyInArrow(of_group(echo_rows, setting), "line binary")

    def _measured(self, claims: "DataFrame", setting: SentSetting) -> "DataFrame":
        """The rows that are computed from published results, group by group."""
        from pyspark.sql import functions as f

        groups = claims.select("body", f.explode("groups").alias("group"))
        return groups.groupBy("group").applyInArrow(of_group(measured_lines, setting), "line binary")

    def _advice(self, claims: "DataFrame", own: "DataFrame", scopes: "DataFrame", setting: SentSetting) -> "DataFrame":
        """The advice on every claim, from what was concluded about it."""
        from pyspark.sql import functions as f

        marked = own.select(_own_mark("id").alias("name"), "unit", "exact", "involved")
        about = (
            scopes.select("name", "unit", "exact", "involved")
            .unionAll(marked)
            .select("name", "unit", "exact", f.explode("involved").alias("id"))
            .groupBy("id")
            .agg(f.collect_list(f.struct("name", "unit", "exact")).alias("about"))
        )
        mine = own.select("id", f.col("unit").alias("own"), f.col("exact").alias("own_exact"))
        rows = claims.select("id", "body").join(mine, "id", "left").join(about, "id", "left")
        return rows.select("body", "own", "own_exact", "about").mapInArrow(partial(advice_rows, setting), "line binary")

    def _triples(self, claims: "DataFrame", lines: "DataFrame") -> "DataFrame":
        """The text of the view, but for what follows from the registry and the content."""
        return claims.select("text").unionAll(lines.mapInArrow(triple_rows, "text string"))

    def _write_rest(self, stamp: ViewStamp, claims: int) -> None:
        """The triples of things, names, metrics and units, and of the state: a few thousand lines."""
        writer = TripleWriter("view")
        rest = [writer.record(one) for one in self._registry.values()]
        rest += name_lines(all_names(self._registry), "view")
        rest += vocabulary_lines(self._vocabulary.metric_mapping, self._vocabulary.unit_mapping, "view")
        rest += class_lines()
        rest.append(meta_lines(stamp, claims))
        (self._work / "rest.nt").write_text("".join(rest), "utf-8")


def texts(build: ClusterBuild) -> Iterator[str]:
    """The text of the view, file by file, as the workers left it."""
    yield (build.triples.parent / "rest.nt").read_text("utf-8")
    yield from _column(build.triples, "text")


def derived(build: ClusterBuild) -> Iterator[bytes]:
    """The lines of the derived set, as the workers left them."""
    for value in _column(build.lines, "line"):
        yield value if value.endswith(b"\n") else value + b"\n"


def _column(folder: Path, name: str) -> Iterator[Any]:
    from pyarrow import parquet

    for path in sorted(folder.glob("*.parquet")):
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(columns=[name]):
                yield from batch.column(0).to_pylist()


def remove_work(work: Path) -> None:
    """Delete the work folder of a job that is through."""
    shutil.rmtree(work, ignore_errors=True)


# --- steps without a worker function


def _labels(edges: "DataFrame", partitions: int) -> "DataFrame":
    """The smallest vertex of the connected component of each vertex: in each round labels pass along links, then jump to the label
    of their label."""
    from pyspark.sql import functions as f

    both = edges.unionAll(edges.select(f.col("b").alias("a"), f.col("a").alias("b"))).repartition(partitions, "a")
    # Each checkpoint cuts the plan: without it every round would compute all rounds before it once more.
    both = both.localCheckpoint()
    labels = both.groupBy(f.col("a").alias("vertex")).agg(f.least(f.min("b"), f.first("a")).alias("label"))
    labels = labels.localCheckpoint()
    for _ in range(MOST_ROUNDS):
        near = both.join(labels, both.b == labels.vertex).groupBy("a").agg(f.min("label").alias("near"))
        passed = labels.join(near, labels.vertex == near.a).select("vertex", f.least("label", "near").alias("label"))
        above = passed.select(f.col("vertex").alias("label"), f.col("label").alias("above"))
        jumped = passed.join(above, "label", "left").select(
            "vertex", f.least("label", f.coalesce("above", "label")).alias("next")
        )
        changed = jumped.join(labels, "vertex").where("next <> label").limit(1).localCheckpoint()
        labels = jumped.withColumnRenamed("next", "label").localCheckpoint()
        if changed.count() == 0:
            return labels
    raise UsageError(
        given=f"links that do not settle in {MOST_ROUNDS} rounds",
        expected="chains of at most some thousand claims",
        next_step="build without --on",
    )


def _own_mark(column: str) -> Any:
    """The mark of the unit of a claim, computed where the claims are."""
    from pyspark.sql.functions import col, udf

    return udf(own_mark, "bigint")(col(column))


def _refuting(*units: "DataFrame") -> dict[str, bytes]:
    """The findings that refute a claim, by the claim."""
    from pyspark.sql import functions as f

    found: dict[str, bytes] = {}
    for one in units:
        holds = [f.contains("unit", f.lit(f'"code":"{code}'.encode())) for code in REFUTING]
        for row in one.where(reduce(or_, holds)).select("unit").toLocalIterator():
            for name, lines in refuting_lines(bytes(row.unit)).items():
                found[name] = found.get(name, b"") + b"".join(lines)
    return found


def _all_lines(scopes: "DataFrame", own: "DataFrame", *others: "DataFrame") -> "DataFrame":
    """The lines of every unit."""
    lines = scopes.select(scopes.unit.alias("line")).unionAll(own.select(own.unit.alias("line")))
    for one in others:
        lines = lines.unionAll(one.select("line"))
    return lines
