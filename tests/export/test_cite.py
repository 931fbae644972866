"""Citations lead back to the claim and the version of the content, in two forms."""

import json
import re

import pytest

from kg.answers.cite import NothingToCite, citation_text, latex
from kg.session import Graph
from tests.export.conftest import HOSTILE

CLAIM = "002/r1.gb200.offline.per-accelerator"


def fields(text: str) -> dict[str, str]:
    """The fields of a BibTeX entry; braces must balance."""
    depth = 0
    for sign in re.sub(r"\\.", "", text):
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    return dict(re.findall(r"^  (\w+) = \{(.*)\},?$", text, re.MULTILINE))


def test_a_claim_is_cited_with_speaker_place_and_content_version(shipped: Graph) -> None:
    citation = shipped.cite(CLAIM)
    found = fields(citation.to_bibtex())
    assert found["url"] == f"https://w3id.org/accelkg/id/claim/{CLAIM}"
    assert shipped.stamp["content"][:16] in found["version"]
    assert "SHA-256" in found["note"] and CLAIM in found["note"]
    assert "72428" in found["title"]
    (item,) = json.loads(citation_text(citation, "csl"))
    assert item["id"] == "accelkg-002-r1-gb200-offline-per-accelerator"
    assert item["version"] == citation.version


def test_a_source_is_cited_by_its_publisher_and_date(shipped: Graph) -> None:
    dated = next(
        one for one in shipped.records() if one["record"] == "source" and one.get("published") and one.get("publisher")
    )
    label = next(one["label"] for one in shipped.records() if one["id"] == dated["publisher"])
    (item,) = shipped.cite(dated["id"]).to_csl()
    assert item["title"] == dated["label"]
    assert item["author"] == [{"literal": label}]
    assert item["issued"]["date-parts"][0][0] == int(dated["published"][:4])


def test_the_graph_itself_is_a_dataset_with_its_state(shipped: Graph) -> None:
    (item,) = shipped.cite().to_csl()
    assert item["type"] == "dataset"
    assert shipped.stamp["head"][:16] in item["note"]


def test_an_id_that_is_not_there_is_refused(shipped: Graph) -> None:
    with pytest.raises(NothingToCite):
        shipped.cite("002/nothing")


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_labels_do_not_break_an_entry(number: int, hostile: Graph) -> None:
    citation = hostile.cite(f"accelerator/hostile-{number:02d}")
    assert set(fields(citation.to_bibtex())) >= {"title", "url", "version"}
    assert json.loads(citation_text(citation, "csl"))[0]["title"] == HOSTILE[number]


def test_signs_of_latex_are_escaped() -> None:
    assert latex("a_b & {c} \\d\ne") == r"a\_b \& \{c\} \textbackslash{}d e"
