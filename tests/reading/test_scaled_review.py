"""A figure that its table scales is reviewed, recorded and checked with its whole value; what two scales leave open is refused."""

from pathlib import Path

import pytest

from kg.build.reviewed import open_keeper
from kg.content.own_folder import make_own_folder
from kg.errors import UsageError
from kg.reading.proposal_lines import proposal_record
from kg.reading.proposals_file import read_proposals
from kg.reading.reading_session import ReadingSession
from kg.reading.review import open_review
from tests.own_content import own_claims

TEXT = """# Shipments of 2025

| Chip | GPUs shipped (in thousands) | Capital, $ in millions |
|---|---|---|
| H100 | 512 | 1,250 |
| H200 (in thousands) | 256 | 770 |
"""


def test_the_value_is_whole_from_proposal_to_record(tmp_path: Path) -> None:
    (tmp_path / "shipments.md").write_text(TEXT, encoding="utf-8")
    read = ReadingSession().read(tmp_path / "shipments.md")
    lines = {one["quantity"]["printed"]: one for one in map(proposal_record, read.proposals)}
    assert lines["512"]["value"] == 512_000 and lines["512"]["quantity"]["scaled_by"] == "in thousands"
    assert lines["1,250"]["value"] == 1_250_000_000 and lines["770"]["value"] is None

    read.write_for_review(tmp_path / "p.yaml")
    content = make_own_folder(tmp_path / "mine").content
    proposals = read_proposals(tmp_path / "p.yaml")
    assert {one.printed: one.value for one in proposals.figures if one.is_claim} == {
        "512": 512_000,
        "1,250": 1_250_000_000,
        "256": 256_000,
        "770": None,
    }
    review = open_review(proposals.path, open_keeper(content, proposals), who="ada")
    for at, one in enumerate(review.figures):
        review.position = at
        if one.printed == "512":
            review.accept()
        elif one.printed == "770":
            with pytest.raises(UsageError, match="one scale"):
                review.accept()
    (claim,) = own_claims(content, "source/shipments").values()
    kept, anchor = claim["quantity"], claim["anchor"]
    assert (kept["printed"], kept["value"]) == ("512 [thousand]", 512_000)
    assert TEXT[anchor["start"] : anchor["end"]] == "512"
