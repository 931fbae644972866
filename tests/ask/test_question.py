"""Reading a saved question: its header, and every mistake told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.ask import cache
from kg.ask.question import HeaderMistake, UnknownQuestion, get_question, read_question, read_questions
from kg.errors import KgError, Mistakes
from tests.ask.harness import questions

GOOD = """\
# title: Names
# question: What is a thing
#   called?
# parameters:
# - {name: thing, type: id, example: org/x, about: any id}
# - {name: rank, type: list-of-integer, default: [1, 2]}
# columns:
# - {name: thing, type: id}
# - {name: label, type: text}
# example: {thing: org/x}
PREFIX k: <urn:k>
SELECT DISTINCT ?thing (STR(?name) AS ?label) WHERE {
  #VALUES
  ?thing k:name ?name ; k:rank ?rank .
}
ORDER BY ?thing
"""


def write(folder: Path, text: str, name: str = "topic/one.rq") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def mistakes(path: Path) -> list[KgError]:
    with pytest.raises(KgError) as caught:
        read_question(path)
    return list(caught.value.errors) if isinstance(caught.value, Mistakes) else [caught.value]


def test_reading_gives_header_and_text(tmp_path: Path) -> None:
    question = read_question(write(tmp_path, GOOD))
    assert (question.name, question.topic, question.title) == ("topic/one", "topic", "Names")
    assert question.question == "What is a thing called?"
    assert [(p.name, p.type, p.required, p.default) for p in question.parameters] == [
        ("thing", "id", True, None),
        ("rank", "list-of-integer", False, (1, 2)),
    ]
    assert question.column_names == ("thing", "label")
    assert question.text.startswith("PREFIX k:") and question.text.endswith("ORDER BY ?thing\n")


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("# title: Names\n", "# titel: Names\n", 1, "titel"),
        ("name: thing, type: id, example", "name: limit, type: id, example", 5, "limit"),
        ("name: thing, type: id, example: org/x", "name: thing, type: iri, example: org/x", 5, "iri"),
        ("# - {name: label, type: text}", "# - {name: label, type: string}", 9, "string"),
        ("# - {name: label, type: text}", "# - {name: name, type: text}", 11, "thing, name"),
        ("# example: {thing: org/x}", "# example: {}", 10, "no thing"),
        ("# example: {thing: org/x}", "# example: {thing: org/x, other: 1}", 10, "other"),
        ("  #VALUES\n", "", 11, "0 lines #VALUES"),
        ("k:rank ?rank", "k:rank ?other", 11, "?rank"),
        ("# columns:\n", "# columns: [\n", 8, ""),
        (", example: org/x, about: any id", "", 5, "thing"),
        ("  #VALUES\n", "  #VALUES\n  #IF other\n  #END\n", 11, "#IF other"),
        ("  #VALUES\n", "  #VALUES\n  #IF thing\n  #END\n", 11, "#IF thing"),
        ("  #VALUES\n", "  #VALUES\n  #IF thing\n", 11, "#IF"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, word: str) -> None:
    assert old in GOOD
    found = mistakes(write(tmp_path, GOOD.replace(old, new)))
    assert any(one.line == line and word in (one.given or "") for one in found), [str(one) for one in found]
    assert all(isinstance(one, HeaderMistake) and one.path for one in found)


def test_all_mistakes_of_all_files_are_told_together(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace("type: id", "type: iri").replace("# title: Names\n", ""))
    write(tmp_path, "SELECT ?x { ?x ?y ?z }", "topic/two.rq")
    with pytest.raises(Mistakes) as caught:
        read_questions(tmp_path)
    assert {Path(one.path or "").name for one in caught.value.errors} == {"one.rq", "two.rq"}
    assert len(caught.value.errors) >= 4


def test_a_cypher_question_has_the_same_header(tmp_path: Path) -> None:
    header = "".join(line.replace("#", "//", 1) + "\n" for line in GOOD.split("\n") if line.startswith("# "))
    write(tmp_path, header + "MATCH (n) RETURN n.id AS thing, n.label AS label", "topic/one.cypher")
    assert read_questions(tmp_path, language="cypher")["topic/one"].language == "cypher"


def test_the_compiled_form_gives_the_same_questions_back() -> None:
    assert cache.from_json(cache.to_json(questions().values())) == questions()


@pytest.mark.parametrize("text", ["", "[]", '{"shape": 99, "questions": []}', "{"])
def test_a_compiled_form_of_another_version_is_nothing(text: str) -> None:
    assert cache.from_json(text) is None


def test_a_question_is_found_by_name_or_by_a_stem_of_its_own() -> None:
    assert get_question(questions(), "compare").name == "comparisons/compare"
    assert get_question(questions(), "comparisons/compare").name == "comparisons/compare"
    with pytest.raises(UnknownQuestion) as caught:
        get_question(questions(), "card")
    assert "claims/card" in str(caught.value) and "sources/card" in str(caught.value)
    with pytest.raises(UnknownQuestion, match="comparisons/compare"):
        get_question(questions(), "comparisons/compere")
