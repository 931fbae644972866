"""Reading a saved question: header, texts and fragments, and every mistake told with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.ask import cache
from kg.ask.assembly import cypher_text, sparql_text
from kg.ask.question import Question, UnknownQuestion, get_question
from kg.ask.question_files import read_questions
from kg.errors import KgError, Mistakes
from tests.ask.harness import questions

HEADER = """\
title: Names
question: >-
  What is a thing
  called?
parameters:
  thing: {type: id, example: org/x, about: any id}
  rank: {type: list-of-integer, default: [1, 2]}
columns:
  thing: id
  label: text
order: [thing, -label]
example: {thing: org/x}
"""
SPARQL = """\
SELECT DISTINCT #COLUMNS
WHERE {
  #VALUES
  ?thing k:name ?label ; k:rank ?rank .
}
"""
CYPHER = """\
MATCH (n:Thing {uid: $thing})
RETURN DISTINCT
  n.label AS label,
  n.uid AS thing
"""


def write(folder: Path, *, header: str = HEADER, sparql: str = SPARQL, cypher: str = CYPHER) -> Path:
    for suffix, text in ((".yaml", header), (".rq", sparql), (".cypher", cypher)):
        path = folder / f"topic/one{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def read(folder: Path) -> Question:
    return read_questions(folder)["topic/one"]


def mistakes(folder: Path) -> list[KgError]:
    with pytest.raises(KgError) as caught:
        read(folder)
    return list(caught.value.errors) if isinstance(caught.value, Mistakes) else [caught.value]


def test_reading_gives_header_and_texts(tmp_path: Path) -> None:
    question = read(write(tmp_path))
    assert (question.name, question.topic, question.title) == ("topic/one", "topic", "Names")
    assert question.question == "What is a thing called?"
    assert [(p.name, p.type, p.required, p.default) for p in question.parameters] == [
        ("thing", "id", True, None),
        ("rank", "list-of-integer", False, (1, 2)),
    ]
    assert question.column_names == ("thing", "label")
    assert question.order == (("thing", False), ("label", True))
    assert question.sparql.startswith("PREFIX k: <https://w3id.org/accelkg/ontology#>\nSELECT DISTINCT ?thing ?label\n")
    assert question.cypher == (
        "MATCH (n:Thing {uid: $thing})\nRETURN DISTINCT\n  n.uid AS thing,\n  n.label AS label\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("title: Names\n", "titel: Names\n", 1, "titel"),
        ("title: Names\n", "title: ''\n", 1, ""),
        ("thing: {type: id, example", "limit: {type: id, example", 6, "limit"),
        ("thing: {type: id, example", "Thing: {type: id, example", 6, "Thing"),
        ("type: id, example: org/x", "type: iri, example: org/x", 6, "iri"),
        ("type: id, example: org/x", "type: id, exampel: org/x", 6, "exampel"),
        ("  label: text", "  label: string", 10, "string"),
        ("  label: text", "  thing: text", 10, "the key twice"),
        ("  label: text", "  name: text", 11, "label"),
        ("order: [thing, -label]", "order: []", 11, "[]"),
        ("order: [thing, -label]", "order: [thing, other]", 11, "other"),
        ("order: [thing, -label]", "shown: [label, other]\norder: [thing]", 11, "other"),
        ("example: {thing: org/x}", "example: {}", 12, "no thing"),
        ("example: {thing: org/x}", "example: {thing: org/x, other: 1}", 12, "other"),
        ("columns:\n", "columns: [\n", 10, ""),
        (", example: org/x, about: any id", "", 6, "thing"),
    ],
)
def test_a_mistake_of_the_header_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, word: str
) -> None:
    assert old in HEADER
    found = mistakes(write(tmp_path, header=HEADER.replace(old, new)))
    assert any(one.line == line and word in (one.given or "") for one in found), [str(one) for one in found]
    assert all((one.path or "").endswith("one.yaml") for one in found)


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ("  #VALUES\n", "", 1, "0 lines #VALUES"),
        ("k:rank ?rank", "k:rank ?other", 1, "?rank"),
        ("k:name ?label", "k:name ?other", 1, "no ?label"),
        ("#COLUMNS", "?label ?thing", 1, "label, thing"),
        ("  #VALUES\n", "  #VALUES\n  #IF other\n  #END\n", 1, "#IF other"),
        ("  #VALUES\n", "  #VALUES\n  #IF thing\n  #END\n", 1, "#IF thing"),
        ("  #VALUES\n", "  #VALUES\n  #IF thing\n", 1, "#IF"),
        ("  #VALUES\n", "  #VALUES\n  #FRAGMENT nowhere\n", 4, "nowhere.rq"),
    ],
)
def test_a_mistake_of_the_text_is_told_with_its_file(tmp_path: Path, old: str, new: str, line: int, word: str) -> None:
    assert old in SPARQL
    found = mistakes(write(tmp_path, sparql=SPARQL.replace(old, new)))
    assert any(one.line == line and word in (one.given or "") for one in found), [str(one) for one in found]
    assert all((one.path or "").endswith("one.rq") for one in found)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("  n.label AS label,\n", "", "no label"),
        ("n.label AS label", "n.label AS name", "name"),
        ("RETURN DISTINCT\n", "RETURN DISTINCT ", "0 RETURN"),
        ("  n.label AS label,\n", "  #FRAGMENT nowhere\n", "nowhere.cypher"),
    ],
)
def test_a_mistake_of_the_cypher_is_told_with_its_file(tmp_path: Path, old: str, new: str, word: str) -> None:
    assert old in CYPHER
    (error,) = mistakes(write(tmp_path, cypher=CYPHER.replace(old, new)))
    assert word in (error.given or "") and (error.path or "").endswith("one.cypher") and error.line


def test_all_mistakes_of_all_files_are_told_together(tmp_path: Path) -> None:
    write(tmp_path, header=HEADER.replace("type: id", "type: iri").replace("title: Names\n", ""))
    (tmp_path / "topic/two.yaml").write_text(HEADER)
    (tmp_path / "topic/three.rq").write_text(SPARQL)
    with pytest.raises(Mistakes) as caught:
        read_questions(tmp_path)
    assert {Path(one.path or "").name for one in caught.value.errors} == {"one.yaml", "two.yaml", "three.rq"}
    assert len(caught.value.errors) == 4


FRAGMENTS = {
    "fields.rq": (
        "# what is read of a thing\n"
        "OPTIONAL { ?thing k:note ?note }\n"
        "OPTIONAL {\n  ?thing k:box ?box .\n  OPTIONAL { ?box k:a ?inA }\n  OPTIONAL { ?box k:b ?b }\n}\n"
        "OPTIONAL { ?thing k:other ?elsewhere }\n"
        "BIND(COALESCE(?inA, ?elsewhere) AS ?a)\n"
    ),
    "fields.cypher": "// what is read of a thing\nt.note AS note\ncoalesce(t.a, t.elsewhere) AS a\nt.b AS b\n",
}


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (("thing",), []),
        (("thing", "note"), ["OPTIONAL { ?thing k:note ?note }"]),
        (("thing", "b"), ["OPTIONAL {", "  ?thing k:box ?box .", "  OPTIONAL { ?box k:b ?b }", "}"]),
        (
            ("a",),
            [
                "OPTIONAL {",
                "  ?thing k:box ?box .",
                "  OPTIONAL { ?box k:a ?inA }",
                "}",
                "OPTIONAL { ?thing k:other ?elsewhere }",
                "BIND(COALESCE(?inA, ?elsewhere) AS ?a)",
            ],
        ),
    ],
)
def test_a_fragment_gives_the_lines_of_the_columns_that_are_asked_for(
    columns: tuple[str, ...], lines: list[str]
) -> None:
    text = sparql_text(
        "SELECT DISTINCT #COLUMNS\nWHERE {\n  ?thing a k:Thing .\n  #FRAGMENT fields\n}\n", columns, FRAGMENTS
    )
    assert (
        text.partition("k:Thing .\n")[2].removesuffix("}\n")
        == "".join(f"  {line}\n" for line in lines or [""])[0 if lines else 2 :]
    )


def test_a_group_within_a_group_is_kept_as_far_as_it_is_asked_for() -> None:
    fields = (
        "OPTIONAL {\n  ?thing k:at ?place .\n  OPTIONAL { ?place k:name ?name }\n"
        "  OPTIONAL {\n    ?thing k:at ?place .\n    OPTIONAL { ?place k:row ?row }\n    OPTIONAL { ?place k:column ?column }\n  }\n}\n"
    )
    body = "SELECT DISTINCT #COLUMNS\nWHERE {\n?thing a k:Thing .\n#FRAGMENT fields\n}\n"

    def given(*columns: str) -> str:
        return (
            sparql_text(body, ("thing", *columns), {"fields.rq": fields})
            .partition("k:Thing .\n")[2]
            .removesuffix("}\n")
        )

    assert given("name", "row", "column") == fields
    assert given("name") == "OPTIONAL {\n  ?thing k:at ?place .\n  OPTIONAL { ?place k:name ?name }\n}\n"
    assert given("row") == (
        "OPTIONAL {\n  ?thing k:at ?place .\n  OPTIONAL {\n    ?thing k:at ?place .\n    OPTIONAL { ?place k:row ?row }\n  }\n}\n"
    )


def test_a_fragment_leaves_out_what_the_text_gives_itself_and_follows_another_variable() -> None:
    body = "SELECT DISTINCT #COLUMNS\nWHERE {\n  ?one k:says ?other . ?other k:mark ?b .\n  #FRAGMENT fields other\n}\n"
    text = sparql_text(body, ("one", "b", "note"), FRAGMENTS)
    assert "OPTIONAL { ?other k:note ?note }" in text and "?box" not in text and "?thing" not in text
    cypher = cypher_text("MATCH (o)\nRETURN\n  o.mark AS b,\n  #FRAGMENT fields o\n", ("note", "a", "b"), FRAGMENTS)
    assert cypher == "MATCH (o)\nRETURN\n  o.note AS note,\n  coalesce(o.a, o.elsewhere) AS a,\n  o.mark AS b\n"


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


def test_a_name_that_is_none_is_answered_with_whole_names_each_once() -> None:
    with pytest.raises(UnknownQuestion) as refused:
        get_question(questions(), "of-thin")
    near = str(refused.value.next_step).removeprefix("Did you mean ").removesuffix("?").split(" or ")
    assert len(near) == len(set(near)) == 3
    assert set(near) <= questions().keys()
