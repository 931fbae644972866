"""What is fuzzed of reading: pages, Markdown and PDF to text, figures and proposals; files of proposals to reviewed claims.

The process that reads is a long-lived one here; what it dies of is an answer too, as where a command started it.
"""

import contextlib
import random
import shutil
import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from kg.build.reviewed import open_keeper
from kg.content.folders import Content
from kg.content.own_folder import make_own_folder
from kg.errors import KgError
from kg.reading.deadline import ReadingDeadline
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge, knowledge_of
from kg.reading.proposals_file import ProposedFigure, proposed_figure, read_proposals, write_proposals
from kg.reading.propose import propose
from kg.reading.report import received_report
from kg.reading.review import open_review
from kg.reading.review_log import log_of
from kg.reading.text import ReportText
from kg.stores.protocol import DeadlinePassed
from kg.stores.worker import Worker
from tests.fuzz.mutation import mutated_text
from tests.reading.review_samples import candidate
from tests.reading.test_readers import PAGE, ROWS, drawn, pdf_of

_REQUESTS: int = 40
"""Of one process: its time of the processor is limited as a whole."""
_SECONDS = 30.0
_OURS = "report."
TEXT = "# Acme One, version 2\n\nAcme One carries 150 GB of memory and draws 700 W. Acme Two is 1.4x as fast.\n"
MARKDOWN = (
    (
        "# Acme One\r\n\r\n> *a* **2.2x** in `x = 12`\r\n\r\n| Chip | Memory GB |\r\n|:--|--:|\r\n| Acme One | 141 |\r\n\r\n"
        "- one\r\n  - 700 W [^1]\r\n\r\n[^1]: $3.1M\r\n\r\n```\r\n5 GB\r\n```\r\n"
    ),
    TEXT,
    "Chip Kind Peak (TFLOPS) Memory (GB)\nAcme One Big 989 80\nAcme Two Big 2500 192\n\n<table><tr><td>1<td>2</table>\n",
)
MARKS = (
    "<table>",
    "</td>",
    "<td rowspan=65535 colspan=1000>",
    "<tr>",
    "<ul><li>",
    "<svg><math>",
    "<!--",
    "]]>",
    "&#0;",
    "&#x110000;",
    "<script>",
    "</",
    "<p hidden>",
    "<pre>",
    "|",
    "\n|--|\n",
    "```\n",
    "[^1]: ",
    "> ",
    "    ",
    "- ",
    "<!doctype html>",
    "\x0c",
)
OBJECTS = (
    "<<",
    ">>",
    "/Length 0",
    "/Length -1",
    "/Length 999999999",
    "4 0 R",
    "/Kids[2 0 R]",
    "/Filter/FlateDecode",
    "endstream",
    "BT ",
    " Tf",
    " 1e38 0 Td",
    " Tj",
    "(\\777)",
    "<FEFF>",
    "/MediaBox[0 0 0 0]",
    "/Count 99999",
    "Q q ",
    " 0 0 0 0 0 0 Tm ",
    "%%EOF",
    "startxref\n0",
)


@dataclass
class ReadingBench:
    """What reports are read with here: a process, the small content's names, and a folder of one's own."""

    folder: Path
    content: Content
    knowledge: ReadingKnowledge = field(init=False)
    _worker: Worker | None = None
    _asked: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir()
        made = make_own_folder(self.folder / "own").content
        self.content = Content(self.content.root, made.own)
        self.knowledge = knowledge_of(self.content)

    def read(self, data: bytes, form: str) -> ReportText | None:
        """The report; None where it was refused, as it should be. An error that is none of ours is raised."""
        path = self.folder / "report"
        path.write_bytes(data)
        if self._worker is None or not self._worker.is_alive() or self._asked >= _REQUESTS:
            self.close()
            self._worker, self._asked = Worker("kg.reading.report_process"), 0
        self._asked += 1
        self._worker.messages.run(_SECONDS)
        self._worker.ask(str(path), "report", form)
        try:
            message = self._worker.messages.next()
        except DeadlinePassed as cause:
            self.close()
            raise AssertionError(f"{len(data)} bytes were not read in {_SECONDS} s") from cause
        if message is None:
            self.close()
            return None
        kind, *rest = message
        if kind == "error":
            assert str(rest[0]["code"]).startswith(_OURS), rest[0]["message"]
            return None
        report = received_report(rest)
        for block in report.blocks:
            assert 0 <= block.start <= block.end <= len(report.text), block
        return report

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.kill()
            self._worker.end()
            self._worker = None


def read_and_propose(bench: ReadingBench, data: bytes, form: str) -> None:
    """Read, find the figures, propose claims and write them for review; each figure stands where it is said to stand."""
    report = bench.read(data, form)
    if report is None:
        return
    started = time.process_time()
    with contextlib.suppress(KgError):
        deadline = ReadingDeadline()
        figures = find_figures(report, bench.knowledge.vocabulary.units, bench.knowledge.names, deadline)
        for one in figures:
            assert report.text[one.start : one.end] == one.printed
        proposals = propose(report, figures, bench.knowledge, deadline)
        path = bench.folder / "read.yaml"
        write_proposals(path, report, map(proposed_figure, proposals), file="report", source="source/read")
        again = read_proposals(path)
        assert [one.printed for one in again.figures] == [one.figure.printed for one in proposals]
    assert time.process_time() - started < _SECONDS


def review(bench: ReadingBench, given: dict[str, str]) -> None:
    """Accept every figure of a file of proposals, or reject it, and take half of it back."""
    own = bench.content.own
    assert own is not None
    before = bench.folder / "before"
    shutil.copytree(own, before)
    path = _written(bench.folder / "review", given)
    try:
        with contextlib.suppress(KgError):
            proposals = read_proposals(path)
            keeper = open_keeper(bench.content, proposals)
            session = open_review(path, keeper, who="fuzz")
            for _ in session.figures:
                try:
                    session.accept()
                except KgError:
                    session.reject("idiom")
                session.progress()
                session.next_open()
            session.undo()
            keeper.report()
    finally:
        shutil.rmtree(own)
        before.rename(own)
        shutil.rmtree(bench.folder / "review")


def _written(folder: Path, given: dict[str, str]) -> Path:
    folder.mkdir()
    path = folder / "look.yaml"
    path.write_bytes(given["yaml"].encode("utf-8", "surrogatepass"))
    (folder / f"{sha256(TEXT.encode()).hexdigest()[:16]}.txt").write_bytes(TEXT.encode())
    log_of(path).write_bytes(given["log"].encode("utf-8", "surrogatepass"))
    return path


def proposals_yaml(folder: Path) -> str:
    """A file of proposals for the figures of the text."""

    def figure(printed: str, value: float, **fields: str) -> ProposedFigure:
        start = TEXT.index(printed)
        known = {name: (candidate(said), candidate("x", 0.1)) for name, said in fields.items()}
        return ProposedFigure(start, start + len(printed), printed, value, None, None, 0.8, candidates=known)

    about = {"subject": "accelerator/acme-one", "level": "accelerator"}
    ratio = {"metric": "training-speed", "unit": "1", "relation": "ratio", "baseline": "accelerator/acme-two"}
    digest = sha256(TEXT.encode()).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    made = write_proposals(
        folder / "made.yaml",
        ReportText(TEXT, digest, digest, "markdown", (), "Acme One"),
        (
            figure("150 GB", 150, metric="memory-capacity", unit="GB", **about),
            figure("700 W", 700, metric="power", unit="W", asserted_by="org/acme", **about),
            figure("1.4x", 1.4, **about, **ratio),
        ),
        file="look.md",
        source="source/look",
    )
    return made.path.read_text("utf-8")


def mutated_page(form: str, chance: random.Random) -> str:
    """A page, a Markdown text, or a PDF (as Latin-1) with pieces of its language put in."""
    if form == "html":
        text = PAGE.decode()
    elif form == "markdown":
        text = chance.choice(MARKDOWN)
    else:
        cells = ((60 + 150 * n, 700 - 20 * row, one) for row, texts in enumerate(ROWS) for n, one in enumerate(texts))
        rules = "".join(f"50 {714 - 20 * row} 450 0.5 re f\n" for row in range(5))
        drawing = drawn(50, 750, "Acme One draws 700 W in every test of this report.") + rules
        text = pdf_of(drawing + "".join(drawn(*one) for one in cells), drawing).decode("latin-1")
    for _ in range(chance.randint(0, 6)):
        at = chance.randint(0, len(text))
        end = at + chance.choice((0, 0, 1, 4, 30))
        text = (
            text[:at]
            + chance.choice(OBJECTS if form == "pdf" else MARKS) * chance.choice((1, 1, 1, 3, 40))
            + text[end:]
        )
    return mutated_text(text, chance)


def decisions() -> list[dict[str, Any]]:
    """The lines of a log: a choice, an acceptance, a rejection, and one taken back."""
    common = {
        "at": TEXT.index("150 GB"),
        "printed": "150 GB",
        "who": "a",
        "when": "2026-01-01T00:00:00+00:00",
        "figure": 0,
    }
    last = {**common, "figure": 1, "at": TEXT.index("700 W"), "printed": "700 W"}
    taken = {"subject": "accelerator/acme-two", "metric": "memory-capacity", "unit": "GB", "level": "accelerator"}
    return [
        {**common, "number": 0, "action": "choose", "field": "subject", "value": "accelerator/acme-two"},
        {
            **common,
            "number": 1,
            "action": "accept",
            "claim": "look/memory-capacity.acme-two",
            "taken": taken,
            "keys": 1,
        },
        {**last, "number": 2, "action": "reject", "reason": "idiom"},
        {**last, "number": 3, "action": "undo", "undoes": 2},
    ]
