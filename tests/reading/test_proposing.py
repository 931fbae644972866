"""Figures are found in a process that can be stopped: it is limited, it is killed, and what it says is what was found."""

import marshal
import resource
from pathlib import Path

import pytest

from kg.content.folders import find_content
from kg.errors import ContentError
from kg.reading import limits
from kg.reading.errors import ReportTooLarge, ReportUnreadable
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.proposal_message import received_proposals, sent_proposals
from kg.reading.propose import propose
from kg.reading.proposing import Proposer
from kg.reading.report import read_report

TEXT = b"""# Memory of the H200

The H200 holds about 141 GB, 1.76x that of the H100, and draws 600-700 W. Tens of thousands of GPUs, on 5 May 2025.

| Chip | HBM (GB) |
|---|---|
| B200 | 192 |
"""


@pytest.fixture(scope="module")
def proposer() -> Proposer:
    return Proposer(find_content().place)


def test_what_another_process_found_is_what_this_one_finds(proposer: Proposer, knowledge: ReadingKnowledge) -> None:
    report = read_report(TEXT, "markdown")
    figures = find_figures(report, knowledge.vocabulary.units, knowledge.names)
    here = propose(report, figures, knowledge)
    assert received_proposals(marshal.loads(marshal.dumps(sent_proposals(here, report.blocks))), report.blocks) == here
    assert proposer.read(TEXT, "markdown") == (report, here)
    assert len({one.figure.block.start for one in here}) > 2


def test_the_process_is_kept_and_limited(proposer: Proposer) -> None:
    proposer.read(b"It draws 700 W.")
    (worker,) = proposer._idle
    memory, _ = resource.prlimit(worker._process.pid, resource.RLIMIT_AS)
    assert limits.MEMORY < memory < 2 * limits.MEMORY
    proposer.read(b"It draws 900 W.")
    assert proposer._idle == [worker]


def test_a_process_that_takes_too_long_is_killed_and_the_next_report_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Proposer(find_content().place)
    monkeypatch.setattr(limits, "SECONDS", 0.01)
    with pytest.raises(ReportTooLarge, match=r"0\.01 s") as refused:
        late.read(b"It draws 700 W.")
    assert (refused.value.path, late._idle) == ("standard input", [])
    monkeypatch.undo()
    assert [one.figure.printed for one in late.read(b"It draws 700 W.")[1]] == ["700"]


def test_a_refused_report_costs_no_process(proposer: Proposer) -> None:
    with pytest.raises(ReportUnreadable, match="U\\+0000"):
        proposer.read(b"text \x00 with a zero")
    assert [one.figure.printed for one in proposer.read(b"It draws 800 W.")[1]] == ["800"]


def test_mistakes_of_the_content_are_told_as_such(tmp_path: Path) -> None:
    for part in ("entities", "claims"):
        (tmp_path / part).mkdir()
    (tmp_path / "entities" / "own.yaml").write_text("- id: family/x\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"own\.yaml") as told:
        Proposer(tmp_path).read(b"It draws 700 W.")
    assert not isinstance(told.value, ReportUnreadable)
