"""Free Cypher: what only reads passes, everything else is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ask.cypher_guard import check_cypher, looks_like_cypher
from kg.ask.question_files import read_questions
from kg.stores.cypher_tokens import CypherNotRead, tokens
from tests.ask.harness import CHECKOUT

HERE = Path(__file__).parent
READING = (HERE / "cypher-reading.txt").read_text(encoding="utf-8").splitlines()
REFUSED = (HERE / "cypher-refused.txt").read_text(encoding="utf-8").splitlines()
WRITING = [
    "CREATE (n)",
    "SET n.x = 1",
    "DELETE n",
    "MERGE (n)",
    "REMOVE n.x",
    "CALL db.x()",
    "LOAD CSV FROM 'x' AS l",
    "DROP x",
    "COPY a FROM 'b'",
]


@pytest.mark.parametrize("text", READING)
def test_a_text_that_reads_passes(text: str) -> None:
    if text.startswith("//"):
        with pytest.raises(CypherNotRead):
            check_cypher(text)
    else:
        check_cypher(text)


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(CypherNotRead) as caught:
        check_cypher(text)
    assert caught.value.code == "query.refused" and caught.value.given


def test_a_refusal_says_where() -> None:
    with pytest.raises(CypherNotRead) as caught:
        check_cypher("MATCH (n)\nRETURN n // SET\n  SET n.x = 1")
    assert caught.value.line == 3
    assert "3:3" in str(caught.value) and "kg load" in str(caught.value)


def test_a_parameter_needs_a_value() -> None:
    check_cypher("MATCH (c {uid: $claim}) RETURN c, $`other one`", {"claim": 1, "other one": 2})
    with pytest.raises(CypherNotRead, match=r"\$claim"):
        check_cypher("MATCH (c {uid: $claim}) RETURN c", {"other": 1})


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(CypherNotRead, match="200000"):
        check_cypher("RETURN '" + "x" * 200_001 + "'")


def test_every_saved_question_only_reads() -> None:
    for question in read_questions(CHECKOUT / "queries").values():
        assert question.cypher is not None
        check_cypher(question.cypher, {one.name for one in question.parameters})


def test_the_languages_are_told_apart() -> None:
    for question in read_questions(CHECKOUT / "queries").values():
        assert looks_like_cypher(question.cypher or "") and not looks_like_cypher(question.sparql)


quoted = st.text(alphabet=st.characters(exclude_characters="\\'\"`", exclude_categories=["Cs"]), max_size=30)


@given(quoted, st.sampled_from(WRITING), quoted, st.sampled_from(["'{}'", '"{}"', "`{}`", "/* {} */", "// {}\n"]))
def test_words_in_texts_names_and_comments_do_not_count(before: str, word: str, after: str, around: str) -> None:
    inner = f"{before} {word} {after}"
    if "//" in around:
        inner = inner.replace("\n", " ").replace("\r", " ")
    inner = inner.replace("*/", "").replace("'", "") if "'" not in around else inner.replace("'", "")
    check_cypher(f"MATCH (n) RETURN n.x AS y, {around.format(inner)} {'1' if around[0] == '/' else ''}")


@settings(max_examples=300)
@given(
    st.sampled_from(["MATCH (n) ", "MATCH (n) RETURN n ", "UNWIND [1] AS x "]),
    st.lists(
        st.sampled_from(
            ["'", '"', "`", "//", "/*", "*/", "\n", "\\", "''", "``", "n", " ", "(", ")", "{", "}", ":", ".", "$x"]
        ),
        max_size=12,
    ),
    st.sampled_from(WRITING),
)
def test_a_writing_word_that_is_a_token_never_passes(start: str, noise: list[str], word: str) -> None:
    text = start + "".join(noise) + " " + word
    try:
        read = list(tokens(text))
    except CypherNotRead:
        return
    written = word.split(maxsplit=1)[0]
    places = [number for number, token in enumerate(read) if token.kind == "word" and token.text == written]
    as_names = all(
        read[one - 1].text in (".", ":", "|", "&", "!") or (one + 1 < len(read) and read[one + 1].text == ":")
        for one in places
    )
    if not places or as_names:
        return
    with pytest.raises(CypherNotRead):
        check_cypher(text, {"x"})
