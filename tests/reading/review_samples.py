"""A short report made up here, with proposals for its figures."""

from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from kg.build.reviewed import OwnFolderKeeper, open_keeper
from kg.content.folders import Content
from kg.content.own_folder import make_own_folder
from kg.reading.proposal import Candidate
from kg.reading.proposals_file import Proposals, ProposedFigure, write_proposals
from kg.reading.text import ReportText
from tests.own_content import copied_audit

TEXT = "# A look at H200, version 2\n\nThe H200 carries 150 GB of memory and draws 700 W. It reads 4.8 TB/s, 1.4x an H100.\n"


def candidate(value: str, confidence: float = 0.9, reason: str = "same sentence") -> Candidate:
    return Candidate(value, value.partition("/")[2] or value, confidence, reason)


def figure(printed: str, value: float | None, *, reason: str | None = None, **fields: str) -> ProposedFigure:
    start = TEXT.index(printed)
    offered = {name.replace("__", "."): (candidate(given), candidate("x", 0.1)) for name, given in fields.items()}
    known = {name: found[:1] if name != "subject" else found for name, found in offered.items()}
    if "subject" in known:
        known["subject"] = (known["subject"][0], candidate("family/nvidia-h100", 0.3, "near"))
    return ProposedFigure(start, start + len(printed), printed, value, None, reason, 0.8, candidates=known)


FIGURES = (
    figure("2", None, reason="version"),
    figure("150 GB", 150, subject="family/nvidia-h200", level="accelerator", metric="memory-capacity", unit="GB"),
    figure("700 W", 700, subject="family/nvidia-h200", level="accelerator", metric="power", unit="W"),
    figure("4.8 TB/s", 4.8, subject="family/nvidia-h200", level="accelerator", metric="memory-bandwidth", unit="TB/s"),
    figure(
        "1.4x",
        1.4,
        subject="family/nvidia-h200",
        level="accelerator",
        baseline="family/nvidia-h100",
        metric="memory-bandwidth",
        unit="1",
        relation="ratio",
    ),
)


def report() -> ReportText:
    digest = sha256(TEXT.encode()).hexdigest()
    return ReportText(TEXT, digest, digest, "markdown", (), "A look at H200")


def sample(folder: Path) -> Proposals:
    """The file of proposals, with the text beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    return write_proposals(folder / "look.yaml", report(), FIGURES, file="look.md", source="source/look-at-h200")


def keeper_of(own: Content, proposals: Proposals) -> OwnFolderKeeper:
    """What `open_keeper` gives for the sample and a folder with nothing in it, without reading all that is shipped again."""
    return a_keeper(_opened(), own, proposals)


def a_keeper(opened: OwnFolderKeeper, own: Content, proposals: Proposals) -> OwnFolderKeeper:
    """One for another folder with nothing in it; what it keeps changes nothing of the one that is opened."""
    assert own.own is not None
    audit = copied_audit(opened.audit).under(own, opened.registry, opened.vocabulary)
    return replace(opened, content=own, folder=own.own, proposals=proposals, audit=audit)


@cache
def _opened() -> OwnFolderKeeper:
    with TemporaryDirectory() as made:
        own = make_own_folder(Path(made) / "mine").content
        return open_keeper(own, sample(Path(made) / "in"))
