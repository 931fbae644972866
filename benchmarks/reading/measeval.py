"""MeasEval train and trial: where quantities stand and in which unit, beside quantulum3 in the same run."""

import csv
import io
import json
import logging
import re
import tarfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.reading.score import ReadingTally
from kg.model.units import UnitTable
from kg.reading.figures import find_figures
from kg.reading.plain_text import plain_blocks
from kg.reading.text import ReportText

Span = tuple[int, int, str | None]
"""Start, end, and the unit as the reader names it."""
_ARCHIVES: Final = ("measeval-train.tar.gz", "measeval-trial.tar.gz")


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A paragraph with its quantities: start, end, and the unit as annotated."""

    name: str
    text: str
    quantities: tuple[Span, ...]


def read_measeval(folder: Path) -> Iterator[AnnotatedText]:
    """The annotated paragraphs of both archives; those without an annotation file are left out."""
    for archive in _ARCHIVES:
        with tarfile.open(folder / archive) as packed:
            files = {one.name: one for one in packed.getmembers() if one.isfile()}
            for name in sorted(one for one in files if one.endswith(".tsv")):
                stem = Path(name).stem
                paths = [one for one in files if one.endswith(f"/{stem}.txt")]
                if paths:
                    yield AnnotatedText(
                        stem, _content(packed, files[paths[0]]), tuple(_quantities(_content(packed, files[name])))
                    )


def _content(packed: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = packed.extractfile(member)
    assert file is not None
    return file.read().decode("utf-8")


def _quantities(text: str) -> Iterator[Span]:
    for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["annotType"] == "Quantity":
            other = json.loads(row["other"]) if row["other"] else {}
            yield int(row["startOffset"]), int(row["endOffset"]), other.get("unit")


def our_reader(units: UnitTable) -> Callable[[str], list[Span]]:
    """The figures that are called claims, with the id of their unit."""

    def read(text: str) -> list[Span]:
        digest = sha256(text.encode()).hexdigest()
        report = ReportText(text, digest, digest, "text", tuple(plain_blocks(text)))
        return [(one.start, one.end, one.unit) for one in find_figures(report, units) if one.is_claim]

    return read


def quantulum_reader() -> tuple[Callable[[str], list[Span]], Callable[[str], str | None]]:
    """quantulum3 without its classifier, and the name that it has for a unit."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    parser: Any = import_module("quantulum3.parser")
    classifier: Any = import_module("quantulum3.classifier")
    classifier.USE_CLF = False

    def read(text: str) -> list[Span]:
        return [(*one.span, one.unit.name) for one in parser.parse(text)]

    def unit(name: str) -> str | None:
        found = parser.parse(f"5 {name}")
        return found[0].unit.name if len(found) == 1 and found[0].unit.name != "dimensionless" else None

    return read, unit


def our_units(units: UnitTable) -> Callable[[str], str | None]:
    """The id of an annotated unit, None where the unit table does not hold it."""

    def unit(name: str) -> str | None:
        found = units.find(name) or units.find(name.strip().rstrip("s"))
        return found.id if found and not re.match(r"count", found.id) else None

    return unit


def measure_measeval(
    texts: list[AnnotatedText], read: Callable[[str], list[Span]], unit_of: Callable[[str], str | None]
) -> tuple[ReadingTally, float]:
    """Quantities that overlap one found, found ones that overlap a quantity, units that the reader knows; and the seconds."""
    tally = ReadingTally()
    started = time.perf_counter()
    for one in texts:
        found = read(one.text)
        for start, end, unit in one.quantities:
            over = [span for span in found if span[0] < end and start < span[1]]
            tally.count("recall", right=bool(over))
            wanted = unit_of(unit) if unit else None
            if over and wanted is not None:
                tally.count("unit", right=any(span[2] == wanted for span in over))
        for span in found:
            tally.count("precision", right=any(span[0] < end and start < span[1] for start, end, _ in one.quantities))
    return tally, time.perf_counter() - started
