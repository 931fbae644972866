"""The measures of reading: what counts as right, what is withheld, and annotations that point at figures."""

import json
from pathlib import Path

from benchmarks.reading.judged import judge
from benchmarks.reading.pages import ANNOTATED
from benchmarks.reading.score import ReadingTally, f1
from benchmarks.reading.withheld import withheld_of
from kg.content.documents import Document
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.reading.figure import ReportFigure
from kg.reading.proposal import Candidate, ClaimProposal
from kg.reading.text import Block


def proposal(**values: tuple[str, ...]) -> ClaimProposal:
    figure = ReportFigure(0, 3, "700", None, "W", None, "absolute", Block("paragraph", 0, 3))
    fields = {name: tuple(Candidate(one, one, 0.5, "") for one in found) for name, found in values.items()}
    return ClaimProposal(figure, fields)


def test_a_second_candidate_counts_among_three_and_not_as_the_first() -> None:
    tally = ReadingTally()
    judge(proposal(subject=("b", "a")), {"subject": {"a"}}, None, tally, "x")
    assert (tally.share("subject"), tally.share("subject in three")) == (0.0, 1.0)
    assert tally.misses["subject"][0].right == "a"


def test_a_field_that_is_not_stated_is_right_when_nothing_is_proposed() -> None:
    tally = ReadingTally()
    judge(proposal(subject=("a",)), {"baseline": {""}, "normaliser": {"unstated"}}, None, tally, "x")
    assert (tally.share("baseline"), tally.share("normaliser")) == (1.0, 1.0)


def test_all_fields_are_right_only_together() -> None:
    right = {"subject": {"a"}, "baseline": {""}, "metric": {"m"}, "relation": {"absolute"}, "unit": {"W"}}
    tally = ReadingTally()
    good = {"subject": ("a",), "metric": ("m",), "relation": ("absolute",), "unit": ("W",)}
    judge(proposal(**good), right, None, tally, "x")
    judge(proposal(**{**good, "unit": ("kW",)}), right, None, tally, "x")
    assert (tally.right["core fields"], tally.asked["core fields"]) == (1, 2)


def test_the_harmonic_mean_of_nothing_is_nothing() -> None:
    assert f1(None, 1.0) is None
    assert f1(0.5, 1.0) == 2 / 3


def test_what_only_one_document_brought_is_withheld_and_what_published_files_name_is_not() -> None:
    content = find_content()
    registry = read_registry(content)
    sources = [one for one in registry.sources() if one.get("sha256") and one["id"] in ("source/000", "source/004")]
    documents = {
        one["sha256"]: Document(Path(one["id"]), one["sha256"], f"text of {one['id']}: H100, MI300X", 1)
        for one in sources
    }
    claims = [
        {"source": "source/004", "subject": "config/omniyq-8x-l40", "asserted_by": "org/omniyq"},
        {"source": "source/004", "subject": "accelerator/amd-mi300x", "asserted_by": "org/nvidia"},
        {"source": "source/000", "subject": "org/nvidia", "asserted_by": "org/nvidia"},
    ]
    withheld = withheld_of("source/004", claims, documents, registry, content)
    assert {"config/omniyq-8x-l40", "org/omniyq"} <= withheld.ids
    assert not {"accelerator/amd-mi300x", "org/nvidia"} & withheld.ids


def test_annotations_lie_in_their_page_and_are_as_long_as_what_they_print() -> None:
    pages = json.loads(ANNOTATED.read_text(encoding="utf-8"))
    assert len(pages) == 4
    for page in pages:
        left, right = page["span"]
        for claim in page["claims"]:
            assert left <= claim["start"] < claim["end"] <= right
            assert claim["end"] - claim["start"] == len(claim["printed"])
