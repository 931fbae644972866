"""A content root small enough to be built in a moment: the shipped ontology, three questions, a few things and claims."""

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

from kg.content.folders import Content

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ("comparisons/compare", "meta/store", "specifications/by-metric")
TEXT = (
    "🚀 Acme One draws 700 W, and Acme Two draws 1,000 W at most.\n"
    "In tests Acme Two was 2.5x as fast as Acme One 🚀; a rack of either costs $3.1M.\n"
    "| thing | memory |\n| Acme One | 141 GB |\n| Acme Two | 288 GB |\n"
)
DOCUMENT = "900_small.txt"
DIGEST = sha256(TEXT.encode()).hexdigest()
ENTITIES = f"""\
- {{id: org/acme, kind: vendor, label: Acme, aliases: [Acme Inc]}}
- {{id: accelerator/acme-one, kind: accelerator, label: Acme One, level: accelerator, maker: org/acme}}
- {{id: accelerator/acme-two, kind: accelerator, label: Acme Two, level: accelerator, maker: org/acme}}
- {{id: source/900, kind: source, form: report, label: A small report, document: {DOCUMENT}, publisher: org/acme, published: '2025-01-02', published_basis: printed, sha256: {DIGEST}}}
- {{id: unresolved/other-report, kind: unresolved-source, label: A report nobody opened}}
"""
CLAIMS = f"""\
source: source/900
document: {DOCUMENT}
groups:
- about: power
  with:
    kind: specification
    level: accelerator
    metric: power
    unit: W
    asserted_by: org/acme
  claims:
  - {{id: power.one, subject: accelerator/acme-one, printed: 700 W, at: {TEXT.index("700 W")}}}
  - {{id: power.two, subject: accelerator/acme-two, printed: '1,000 W', at: {TEXT.index("1,000 W")}, hedge: up-to}}
- about: speed
  claims:
  - {{id: speed.two-one, kind: comparison, subject: accelerator/acme-two, level: accelerator, baseline: accelerator/acme-one, metric: training-speed, relation: ratio, printed: 2.5x, at: {TEXT.index("2.5x")}, unit: '1', conditions: {{phase: training}}, asserted_by: org/acme, path: [source/900], restates: [{{source: unresolved/other-report, fidelity: unverified}}]}}
"""


def write_small_content(root: Path, *, claims: str | None = CLAIMS) -> Content:
    """Make the root in a folder; `claims` is the text of its only claims file."""
    shutil.copytree(ROOT / "ontology", root / "ontology", dirs_exist_ok=True)
    shutil.copytree(ROOT / "queries" / "fragments", root / "queries" / "fragments", dirs_exist_ok=True)
    for name in QUESTIONS:
        for suffix in (".yaml", ".rq", ".cypher"):
            made = root / "queries" / f"{name}{suffix}"
            made.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "queries" / f"{name}{suffix}", made)
    for folder in ("loaders", "seeds/entities", "seeds/claims", "seeds/coverage"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "seeds" / "entities" / "things.yaml").write_text(ENTITIES, encoding="utf-8")
    if claims is not None:
        (root / "seeds" / "claims" / "900.yaml").write_text(claims, encoding="utf-8")
    return Content(root.resolve())


def write_text(folder: Path) -> Path:
    """Put the source text of the small content into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DOCUMENT).write_bytes(TEXT.encode())
    return folder


def claim(name: str = "900/new", **changes: Any) -> dict[str, Any]:
    """A sound claim in the exchange form; a change to None removes the key."""
    whole = {
        "record": "claim",
        "id": name,
        "kind": "specification",
        "subject": "accelerator/acme-one",
        "level": "accelerator",
        "metric": "memory-capacity",
        "asserted_by": "org/acme",
        "source": "source/900",
        "quantity": {"printed": "141 GB", "value": 141, "unit": "GB"},
        "anchor": {
            "document": DOCUMENT,
            "sha256": DIGEST,
            "start": TEXT.index("141 GB"),
            "end": TEXT.index("141 GB") + 6,
        },
    }
    return {key: value for key, value in {**whole, **changes}.items() if value is not None}


def write_lines(path: Path, *records: dict[str, Any]) -> Path:
    """A JSON Lines file of records."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path
