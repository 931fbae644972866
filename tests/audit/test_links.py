"""Source links: the rule on recorded facts, the reader of the facts, and the links of documents 000 and 004."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.audit.finding import Finding
from kg.audit.links import link_findings
from kg.content.citations import difference, read_citation_lists
from kg.content.documents import Document
from kg.content.entities import Registry
from kg.content.folders import Content
from kg.errors import KgError, Mistakes
from tests.audit.seeds import CHECKOUT, DOCUMENTS, claim, seeds

CASES = sorted((CHECKOUT / "tests" / "cases" / "source-links").glob("*.yaml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_has_the_expected_findings(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    found = link_findings([{"source": "source/x", "links": [case["link"]]}])
    assert [[one.code, one.severity, one.message.partition(": ")[2], one.key] for one in found] == case["expect"]


def test_the_claims_that_rely_on_a_link_have_a_role() -> None:
    link: Any = {"number": 1, "label": "x", "source": "unresolved/u", "cited": [{"start": 0, "end": 3, "sha256": "a"}]}
    claims = [
        claim("x/b", restates=[{"source": "unresolved/u"}, {"source": "unresolved/u"}], source="source/x"),
        claim("x/a", restates=[{"source": "unresolved/u"}], source="source/x"),
        claim("x/c", restates=[{"source": "unresolved/v"}], source="source/x"),
        claim("y/a", restates=[{"source": "unresolved/u"}], source="source/y"),
    ]
    (found,) = link_findings([{"source": "source/x", "links": [link]}], claims)
    assert found.claims == (("source/x", "text"), ("x/a", "relies on the link"), ("x/b", "relies on the link"))


def seed_findings() -> list[Finding]:
    given_seeds = seeds()
    return list(
        link_findings(read_citation_lists(given_seeds.content, given_seeds.registry), given_seeds.claims.values())
    )


def test_the_five_links_of_document_000_that_differ_are_found() -> None:
    found = [one for one in seed_findings() if one.code == "citation.address-differs"]
    assert {one.key: one.message.partition("one at ")[2] for one in found} == {
        "1": "40: 1 character of 236",
        "4": "94: 3 characters of 188",
        "5": "161: 14 characters against 28, 176 and 190 in all",
        "6": "183: 1 character of 284",
        "7": "163: 1 character against none, 164 and 163 in all",
    }
    assert {one.claim for one in found} == {"source/000"} and {one.severity for one in found} == {"warning"}
    assert all(len(one.claims) > 1 for one in found)


def test_listed_and_cited_are_told_apart() -> None:
    found = {(one.code, one.claim, one.key) for one in seed_findings() if one.code != "citation.address-differs"}
    cited = {("citation.cited-not-listed", "source/004", number) for number in ("3", "17", "26", "36")}
    assert found == {("citation.listed-not-cited", "source/000", "9"), *cited}


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the source documents are not beside this checkout")
def test_the_recorded_links_are_those_of_the_documents() -> None:
    given_seeds = seeds()
    documents = given_seeds.documents()
    assert len(documents) == 5
    lists = read_citation_lists(given_seeds.content, given_seeds.registry, documents)
    assert [len(one["links"]) for one in lists] == [9, 4]


TEXT = "see AAAAXBBB and AAAAYYBBB"
GOOD = """source: source/x
document: x.txt
links:
- {number: 1, label: x, listed: {at: 4, to: 12, sha256: %s}, cited: [{at: 17, to: 26, sha256: %s, first_difference: 4, equal_suffix: 3}]}
"""


def read(folder: Path, text: str, *, document: bool = True) -> list[Any]:
    (folder / "seeds" / "citations").mkdir(parents=True, exist_ok=True)
    (folder / "seeds" / "citations" / "x.yaml").write_text(text, encoding="utf-8")
    records: Any = {"source/x": {"id": "source/x", "record": "source", "kind": "source", "sha256": "d"}}
    registry = Registry(records, {})
    documents = {"d": Document(folder / "x.txt", "d", TEXT, len(TEXT))} if document else {}
    return read_citation_lists(Content(folder), registry, documents)


def digests(*parts: str) -> tuple[str, ...]:
    return tuple(sha256(part.encode()).hexdigest() for part in parts)


def test_links_are_read_and_compared_with_the_document(tmp_path: Path) -> None:
    (one,) = read(tmp_path, GOOD % digests("AAAAXBBB", "AAAAYYBBB"))
    assert one["source"] == "source/x"
    assert one["links"][0]["listed"]["start"] == 4 and one["links"][0]["cited"][0]["end"] == 26


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("at: 4, to: 12", "at: 5, to: 12", "listed.sha256"),
        ("at: 17", "at: 16", "cited.sha256"),
        ("first_difference: 4", "first_difference: 3", "cited.first_difference"),
        ("equal_suffix: 3", "equal_suffix: 2", "cited.first_difference"),
    ],
)
def test_a_link_that_the_document_does_not_have_is_refused(tmp_path: Path, old: str, new: str, field: str) -> None:
    text = (GOOD % digests("AAAAXBBB", "AAAAYYBBB")).replace(old, new)
    with pytest.raises(KgError) as caught:
        read(tmp_path, text)
    errors = caught.value.errors if isinstance(caught.value, Mistakes) else (caught.value,)
    assert (errors[0].code, errors[0].field, errors[0].line) == ("citation.link-changed", field, 4)
    assert read(tmp_path, text, document=False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("at: 4, to: 12", "at: 12, to: 12"),
        (", first_difference: 4, equal_suffix: 3", ""),
        (", equal_suffix: 3", ""),
        ("number: 1", "number: 0"),
        ("label: x", "label: x, source: unresolved/unknown"),
        ("source: source/x", "source: source/unknown"),
        ("label: x", "label: x, further: y"),
    ],
)
def test_a_file_of_the_wrong_form_is_refused(tmp_path: Path, old: str, new: str) -> None:
    text = (GOOD % digests("AAAAXBBB", "AAAAYYBBB")).replace(old, new, 1)
    with pytest.raises(KgError):
        read(tmp_path, text, document=False)


def test_equal_links_have_no_difference(tmp_path: Path) -> None:
    with pytest.raises(KgError, match="first_difference"):
        read(tmp_path, GOOD % digests("AAAAXBBB", "AAAAXBBB"), document=False)


def test_a_link_is_listed_or_cited(tmp_path: Path) -> None:
    with pytest.raises(KgError, match="listed or cited"):
        read(tmp_path, "source: source/x\ndocument: x.txt\nlinks: [{number: 1, label: x}]\n", document=False)


WORDS = st.text("ab", max_size=8)


@given(WORDS, WORDS)
def test_what_lies_between_differs_and_the_rest_is_equal(one: str, other: str) -> None:
    first, suffix = difference(one, other)
    assert one[:first] == other[:first] and one[len(one) - suffix :] == other[len(other) - suffix :]
    left, right = one[first : len(one) - suffix], other[first : len(other) - suffix]
    assert (left == right) == (one == other)
    if left and right:
        assert left[0] != right[0] and left[-1] != right[-1]
