"""Two stores to export: the shipped content, and a small one whose texts are hostile to every format."""

import shutil
from pathlib import Path

import pytest

from kg.build.writing import load_files
from kg.session import Graph, open_graph
from tests.sampling import FURTHER
from tests.small_content import DIGEST, DOCUMENT, ROOT, claim, write_lines, write_small_content

HOSTILE = (
    "<script>alert('x')</script>",
    '=HYPERLINK("http://x","y")',
    "@SUM(A1)",
    "+1",
    "-2+3",
    "\tindented",
    "\rreturned",
    "two\nlines \"quoted\" 'single' back\\slash",
    "\\u0041 \\n not escapes; // no comment",
    "bell\x07 del\x7f esc\x1b[31m",
    "שלום \u202eabc",
    "日本語 🚀 é",
    "a;b,c|d",
    "]]> -- */ ${x} {{y}} %s &amp;",
    "' OR 1=1 //",
    "line\u2028separator \ufeff",
    "'already",
)
"""Texts that mean something to a spreadsheet, a browser, a parser or a terminal."""


def figure(printed: str, value: object, **further: object) -> dict[str, object]:
    """A power figure with its place; nobody has the text to look."""
    return {
        "metric": "power",
        "quantity": {"printed": printed, "value": value, "unit": "W", **further},
        "anchor": {"document": DOCUMENT, "sha256": DIGEST, "start": 5, "end": 5 + len(printed)},
    }


PAGED = claim(
    "900/paged",
    **{
        **figure("720 W", 720),
        "anchor": {
            "document": "other.pdf",
            "sha256": "f" * 64,
            "start": 40,
            "end": 45,
            "page": 3,
            "box": "72,96.5,20.4,9",
            "table": "2",
            "row": "4",
            "column": "Power",
        },
    },
)
"""A figure of a cell on a page."""


@pytest.fixture(scope="session")
def shipped(shipped_store: Path) -> Graph:
    """The graph of the shipped content."""
    return open_graph(shipped_store)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """A small graph with an entity and a claim for each hostile text, and one claim of every form of value."""
    folder = tmp_path_factory.mktemp("hostile")
    content = write_small_content(folder / "content")
    shutil.copytree(ROOT / "queries", content.root / "queries", dirs_exist_ok=True)
    records = []
    for number, text in enumerate(HOSTILE):
        name = f"accelerator/hostile-{number:02d}"
        records.append(
            {
                "record": "entity",
                "id": name,
                "kind": "accelerator",
                "label": text,
                "aliases": [f"{text} alias", f"plain {number}"],
                "level": "accelerator",
                "maker": "org/acme",
                "note": text,
            }
        )
        records.append(
            claim(
                f"900/hostile.{number:02d}",
                subject=name,
                subject_printed=text,
                statement=text,
                direction="higher",
                kind="qualitative",
                quantity=None,
                note=text,
                as_of_basis=text,
                conditions={
                    "workload": text,
                    "accelerators": 8,
                    "includes": [text, "b"],
                    "framework": {"value": text, "status": "inferred", "printed": text, "from": text},
                },
            )
        )
    records += [
        claim("900/pair", **figure("100-200 W", [100, 200], shape="interval")),
        claim(
            "900/derived",
            **figure("350 W", 350),
            restates=[{"claim": "900/power.one", "fidelity": "rounded"}],
            derivations=[
                {
                    "expression": "a / n",
                    "inputs": {"a": {"claim": "900/power.one"}, "n": {"constant": 2, "unit": "1", "why": "-half"}},
                }
            ],
        ),
        claim("900/large", **figure("1e18 W", 10**18)),
        claim("900/float", **figure("700.0 W", 700.0), context_anchors=[{"start": 1, "end": 4, "gives": "unit"}]),
        PAGED,
        claim(
            "900/event",
            kind="event",
            metric="market-position",
            quantity=None,
            statement="It shipped.",
            direction="present",
            event={"type": "shipment", "actor": "org/acme", "date": "2025-01"},
        ),
    ]
    store = folder / "store"
    load_files(
        [write_lines(folder / "hostile.jsonl", *records)],
        store=store,
        content=content.root,
        edition="2025-03-01",
        dry_run=False,
        wait_seconds=5,
    )
    return open_graph(store, content=content.root)


@pytest.fixture(params=["hostile", pytest.param("shipped", marks=FURTHER)])
def graph(request: pytest.FixtureRequest) -> Graph:
    """Each of the two; the first has every form of a value, the other is larger."""
    found: Graph = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder to write to."""
    made = tmp_path / "out"
    made.mkdir()
    return made
