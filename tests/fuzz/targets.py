"""What is fuzzed: each target mutates something that a user can hand over, and hands it to the program.

A target runs the command line in this process with `KG_DEBUG` set, so that an error that is not one of ours is raised.
Everything a target writes lies in one folder of its own; the store is that of the small content.
"""

import contextlib
import csv
import io
import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from kg.cli.app import run
from kg.content.folders import Content
from kg.errors import KgError
from kg.model.expression import Expression
from tests.fuzz import reports
from tests.fuzz.mutation import ODD_VALUES, mutated_text, mutated_value
from tests.small_content import CLAIMS, ENTITIES, ROOT, claim, write_small_content

EXPRESSIONS = ("a / b", "(a + b) * 3600 / c", "a * 1e6 - 2", "-(a) / (b - b)", "((((a))))")
PRINTED = (
    "$3.1M",
    "1.6x to 1.7x",
    "15-20%",
    "tenfold",
    "~2k",
    "4.8 TB/s",
    "one and a half trillion",
    "2 × 10^6 USD",
    "$1.42/hr/GPU",
    "two thirds",
    "nearly 3.5x",
    "60K RMB",
    "-5 %",
    "1,979 TFLOPS",
)
TEXTS = (
    "72428",
    "GB200 vs H200",
    "H100",
    "900/power.one",
    "Acme One",
    "memory bandwidth",
    "source/900",
    "wer is 72,428 from?",
)
READING = (
    "trace",
    "show",
    "find",
    "compare",
    "conflicts",
    "origins",
    "impact",
    "verify",
    "cite",
    "audit",
    "explain",
    "ask",
)


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """An input that was tried: the target, and what it was made of, as JSON."""

    target: str
    given: Any


@dataclass
class Bench:
    """A folder with the small content and its store."""

    folder: Path
    content: Content = field(init=False)
    reading: reports.ReadingBench = field(init=False)

    def __post_init__(self) -> None:
        self.content = write_small_content(self.folder / "content")
        self.reading = reports.ReadingBench(self.folder / "reading", self.content)
        os.environ.update(KG_DEBUG="1", KG_STORE=str(self.folder / "store"), COLUMNS="80")
        self.kg("build", "--content", str(self.content.root), "--quiet")

    def kg(self, *arguments: str) -> int:
        """Run one command in silence; what is no error of ours is raised."""
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape")
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            return run(list(arguments))

    def file(self, name: str, data: str | bytes) -> str:
        """Write a file and say where it lies."""
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
        return str(path)


Target = Callable[[Bench, Any], None]
Maker = Callable[[random.Random], Any]


def _records() -> list[dict[str, Any]]:
    return [
        claim(),
        claim("900/range", quantity={"printed": "1 to 2", "value": [1, 2], "unit": "GB"}, hedge="about"),
        claim(
            "900/derived",
            derivations=[{"expression": "a / b", "inputs": {"a": {"claim": "900/power.one"}, "b": {"number": "2"}}}],
        ),
        claim(
            "900/conditions",
            conditions={"precision": "fp8", "batch-size": {"value": 8, "status": "inferred"}},
            note="a note",
        ),
        {
            "record": "entity",
            "id": "accelerator/acme-three",
            "kind": "accelerator",
            "label": "Acme Three",
            "aliases": ["A3"],
        },
        {
            "record": "source",
            "id": "source/901",
            "kind": "source",
            "form": "report",
            "label": "Another",
            "published": "2025-01-02",
        },
    ]


def _lines(value: Any) -> str:
    return "\n".join(json.dumps(one) for one in value) + "\n"


def _load_lines(bench: Bench, given: Any) -> None:
    bench.kg("load", "claims", bench.file("claims.jsonl", _lines(given)), "--dry-run", "--quiet")


def _load_for_good(bench: Bench, given: Any) -> None:
    bench.kg("load", "claims", bench.file("claims.jsonl", _lines(given)), "--quiet")
    for command in ("audit", "conflicts"):
        bench.kg(command, "--quiet")


def _load_yaml(bench: Bench, given: Any) -> None:
    bench.kg(
        "load", "claims", bench.file("claims.yaml", yaml.safe_dump(given, allow_unicode=True)), "--dry-run", "--quiet"
    )


def _load_csv(bench: Bench, given: Any) -> None:
    bench.kg("load", "claims", bench.file("claims.csv", given), "--dry-run", "--quiet")


def _check_content(bench: Bench, given: Any) -> None:
    path = bench.content.root / given["file"]
    before = path.read_bytes()
    try:
        path.write_bytes(given["text"].encode("utf-8", "surrogatepass"))
        bench.kg("content", "check", "--content", str(bench.content.root), "--quiet")
    finally:
        path.write_bytes(before)


def _load_published(bench: Bench, given: Any) -> None:
    path = bench.file(given["name"], given["text"])
    bench.kg(
        "load",
        given["source"],
        path,
        "--dry-run",
        "--quiet",
        "--content",
        str(ROOT),
        "--store",
        str(bench.folder / "own"),
    )


def _load_mapping(bench: Bench, given: Any) -> None:
    mapping = bench.file("mapping.yaml", given["mapping"])
    table = bench.file("prices-2026-01-02.csv", given["table"])
    bench.kg("load", "table", table, "--mapping", mapping, "--dry-run", "--quiet")


def _print(bench: Bench, given: Any) -> None:
    bench.kg("trace", "--quiet", "--", given)


def _express(bench: Bench, given: Any) -> None:
    with contextlib.suppress(KgError):
        str(Expression.parse(given))


def _read(bench: Bench, given: Any) -> None:
    bench.kg(*given, "--quiet")


def _query(bench: Bench, given: Any) -> None:
    bench.kg("query", "--quiet", "--timeout", "20", "--", given)


def _read_report(form: str, bench: Bench, given: Any) -> None:
    reports.read_and_propose(bench.reading, given.encode("latin-1" if form == "pdf" else "utf-8", "ignore"), form)


def _review(bench: Bench, given: Any) -> None:
    reports.review(bench.reading, given)


def _check_text(bench: Bench, given: Any) -> None:
    bench.kg("check", bench.file("text.md", given), "--quiet", "--content", str(bench.content.root))


TARGETS: Mapping[str, Target] = {
    "records": _load_lines,
    "loaded": _load_for_good,
    "curated": _load_yaml,
    "table": _load_csv,
    "content": _check_content,
    "published": _load_published,
    "mapping": _load_mapping,
    "printed": _print,
    "expression": _express,
    "commands": _read,
    "query": _query,
    "html": partial(_read_report, "html"),
    "markdown": partial(_read_report, "markdown"),
    "pdf": partial(_read_report, "pdf"),
    "proposals": _review,
    "check": _check_text,
}


def _content_texts() -> Iterator[dict[str, str]]:
    yield {"file": "seeds/entities/things.yaml", "text": ENTITIES}
    yield {"file": "seeds/claims/900.yaml", "text": CLAIMS}
    for name in (
        "ontology/metrics.yaml",
        "ontology/units.yaml",
        "queries/comparisons/compare.yaml",
        "queries/comparisons/compare.rq",
    ):
        yield {"file": name, "text": (ROOT / name).read_text("utf-8")}


def _published_files() -> Iterator[dict[str, str]]:
    folder = ROOT / "tests" / "cases" / "loaders"
    for path in sorted(folder.rglob("*")):
        source = path.relative_to(folder).parts[0]
        if (
            path.suffix in (".csv", ".json", ".md", ".jsonl")
            and (ROOT / "loaders" / source).is_dir()
            and path.stat().st_size < 20_000
        ):
            yield {"source": source, "name": path.name, "text": path.read_text("utf-8")}


def _yaml_mutant(text: str, chance: random.Random) -> str:
    """Half of the mutants are of the text, half of what it says."""
    if chance.random() < 0.5:
        return mutated_text(text, chance)
    return yaml.safe_dump(mutated_value(yaml.safe_load(text), chance), allow_unicode=True, sort_keys=False)


def _command(chance: random.Random) -> list[str]:
    command = chance.choice(READING)
    text = mutated_text(chance.choice(TEXTS), chance) if chance.random() < 0.7 else str(chance.choice(ODD_VALUES))
    if command == "ask" and chance.random() < 0.6:
        return ["ask", "comparisons/compare", f"a={text}".replace("\0", ""), f"b={chance.choice(TEXTS)}"]
    words = [text, chance.choice(TEXTS)] if command == "compare" else [text]
    return [command, *(["--format", "json"] if chance.random() < 0.4 else []), "--", *words]


@cache
def _proposals_text() -> str:
    with tempfile.TemporaryDirectory() as folder:
        return reports.proposals_yaml(Path(folder))


def _reviewed(chance: random.Random) -> dict[str, str]:
    """A file of proposals and a log of decisions; one of them is changed, or both are."""
    which, log = chance.randrange(3), reports.decisions()
    text = _lines(mutated_value(log, chance) if which else log)
    if which and chance.random() < 0.2:
        text = mutated_text(text, chance)
    return {"yaml": _proposals_text() if which == 1 else _yaml_mutant(_proposals_text(), chance), "log": text}


def again(kept: Any, chance: random.Random) -> Any:
    """An input that failed once, changed a little: one text of it where it has several, else any part."""
    if isinstance(kept, str):
        return mutated_text(kept, chance)
    if isinstance(kept, dict):
        name = max(kept, key=lambda one: len(kept[one]))  # the content of a file, not its name
        return {**kept, name: mutated_text(kept[name], chance)}
    if all(isinstance(one, str) for one in kept):
        return [*kept[:-1], mutated_text(kept[-1], chance)]
    return mutated_value(kept, chance)


def made(target: str, chance: random.Random) -> Any:
    """One input of a target."""
    match target:
        case "html" | "markdown" | "pdf":
            return reports.mutated_page(target, chance)
        case "check":
            return reports.mutated_page("markdown", chance)
        case "proposals":
            return _reviewed(chance)
        case "records" | "loaded":
            picked = [json.loads(json.dumps(one)) for one in chance.sample(_records(), 2)]
            return [mutated_value(picked[0], chance), *picked[1:]]
        case "curated":
            return mutated_value(yaml.safe_load(CLAIMS), chance)
        case "table":
            output = io.StringIO()
            rows = [
                [
                    "record",
                    "id",
                    "kind",
                    "label",
                    "subject",
                    "level",
                    "metric",
                    "quantity.printed",
                    "quantity.value",
                    "quantity.unit",
                    "asserted_by",
                    "source",
                    "anchor.locator",
                ],
                [
                    "claim",
                    "900/x",
                    "specification",
                    "",
                    "accelerator/acme-one",
                    "accelerator",
                    "power",
                    "700 W",
                    "700",
                    "W",
                    "org/acme",
                    "source/900",
                    "page 4",
                ],
            ]
            csv.writer(output).writerows(rows)
            return mutated_text(output.getvalue(), chance)
        case "content":
            one = dict(chance.choice(list(_content_texts())))
            one["text"] = (
                mutated_text(one["text"], chance) if one["file"].endswith(".rq") else _yaml_mutant(one["text"], chance)
            )
            return one
        case "published":
            one = dict(chance.choice(list(_published_files())))
            if one["name"].endswith(".json") and chance.random() < 0.7:
                one["text"] = json.dumps(mutated_value(json.loads(one["text"]), chance))
            else:
                one["text"] = mutated_text(one["text"], chance)
            return one
        case "mapping":
            shop = ROOT / "tests" / "cases" / "loaders" / "shop" / "mapping.yaml"
            return {
                "mapping": _yaml_mutant(shop.read_text("utf-8"), chance),
                "table": "Name,Chip,Count,Price\na,Acme One,4,8.00\n",
            }
        case "printed":
            return mutated_text(chance.choice(PRINTED), chance)
        case "expression":
            return mutated_text(chance.choice(EXPRESSIONS), chance)
        case "commands":
            return _command(chance)
        case _:
            text = (ROOT / "queries" / "specifications" / "by-metric.rq").read_text("utf-8")
            return mutated_text(
                chance.choice((text, "SELECT ?s WHERE { ?s ?p ?o } LIMIT 3", "MATCH (n) RETURN n LIMIT 3")), chance
            )
