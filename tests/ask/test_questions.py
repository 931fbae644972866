"""Every saved question has a case; it gives the expected rows here and in rdflib, and keeps the rules of the contract."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import typer
import yaml

from kg.ask.bind import bind
from kg.ask.guard import SparqlToken, check_read_only, tokens
from kg.ask.question import MARKER, Question
from kg.ask.question_files import RESERVED
from kg.cli.app import make_app
from kg.session import Graph
from kg.stores.protocol import Answer
from tests.ask.harness import CASES, Json, ask_small, oracle_rows, questions, small_store
from tests.sampling import FURTHER

NAMES = sorted(questions())
FIRST_OF_A_FOLDER = [
    pytest.param(name, marks=FURTHER if name.partition("/")[0] == before.partition("/")[0] else ())
    for before, name in pairwise(["", *NAMES])
]
"""In an ordinary run rdflib answers all questions on random graphs (tests/equality), and one of each folder here."""
FORBIDDEN_WORDS = {
    "ABS",
    "ROUND",
    "CEIL",
    "FLOOR",
    "RAND",
    "NOW",
    "UUID",
    "STRUUID",
    "SUM",
    "AVG",
    "SERVICE",
    "FROM",
    "GRAPH",
    "LIMIT",
    "OFFSET",
    "GROUP_CONCAT",
    "SAMPLE",
    "REDUCED",
}


def read_case(name: str) -> Json:
    case: Json = yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))
    return case


def picked(answer: Answer, columns: list[str]) -> list[list[Any]]:
    where = [answer.columns.index(column) for column in columns]
    return [[row[place] for place in where] for row in answer.rows]


def own_tokens(question: Question) -> list[SparqlToken]:
    return list(tokens(question.sparql))


def code_only(question: Question) -> Iterator[tuple[SparqlToken, SparqlToken, SparqlToken]]:
    """Each token with its neighbours."""
    own = own_tokens(question)
    return zip(own, own[1:], own[2:], strict=False)


def test_every_question_has_a_case_and_every_case_a_question() -> None:
    cases = {path.relative_to(CASES).with_suffix("").as_posix() for path in CASES.glob("*/*.yaml")}
    assert cases == set(NAMES)
    assert len(NAMES) >= 24


@pytest.mark.parametrize("name", NAMES)
def test_question_gives_the_rows_of_its_case(name: str) -> None:
    case = read_case(name)
    assert picked(ask_small(name, **case["ask"]), case["columns"]) == case["rows"]
    assert case["rows"], "a case that expects nothing shows nothing"


@pytest.mark.parametrize("name", FIRST_OF_A_FOLDER)
def test_rdflib_gives_the_same_rows_for_the_same_text(name: str) -> None:
    question, case = questions()[name], read_case(name)
    ours = list(ask_small(name, **case["ask"]).rows)
    theirs = oracle_rows(bind(question, case["ask"]))
    assert sorted(map(repr, ours)) == sorted(map(repr, theirs))


@pytest.mark.parametrize("name", NAMES)
def test_the_example_runs(name: str) -> None:
    question = questions()[name]
    answer = ask_small(name, **question.example)
    assert answer.columns == question.column_names


@pytest.mark.parametrize("name", NAMES)
def test_cells_have_the_type_of_their_column(name: str) -> None:
    kinds: dict[str, type | tuple[type, ...]] = {
        "id": str,
        "text": str,
        "number": (int, float),
        "integer": int,
        "boolean": bool,
    }
    question = questions()[name]
    for row in ask_small(name, **read_case(name)["ask"]).rows:
        for column, cell in zip(question.columns, row, strict=True):
            assert cell is None or isinstance(cell, kinds[column.type]), column.name
            assert cell != "none", f"{column.name}: what is not known is null"


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_distinct_and_ordered_down_to_an_id(name: str) -> None:
    question = questions()[name]
    words = [token.text.upper() for token in own_tokens(question) if token.kind == "word"]
    assert words[words.index("SELECT") + 1] == "DISTINCT"
    keys = {name for name, _ in question.order}
    types = {column.name: column.type for column in question.columns}
    last = question.order[-1][0]
    assert types[last] == "id" or "id" not in types.values()
    rows = ask_small(name, **read_case(name)["ask"]).rows
    assert len(set(rows)) == len(rows)
    where = [question.column_names.index(one) for one in question.column_names if one in keys]
    assert len({tuple(row[place] for place in where) for row in rows}) == len(rows), (
        "two rows share their place in the order"
    )


@pytest.mark.parametrize("name", NAMES)
def test_question_neither_computes_nor_recurses_nor_leaves_the_store(name: str) -> None:
    question = questions()[name]
    assert check_read_only(question.sparql) == "SELECT"
    for token in own_tokens(question):
        assert not (token.kind == "word" and token.text.upper() in FORBIDDEN_WORDS), token
        assert token.text not in ("+", "*", "/", "^", "|", "-"), token
    assert "ORDER BY" not in question.sparql


@pytest.mark.parametrize("name", NAMES)
def test_optional_after_optional_starts_from_something_bound(name: str) -> None:
    """An OPTIONAL on a variable that an earlier OPTIONAL left unbound would match everything."""
    question = questions()[name]
    optional: set[str] = set()
    required: set[str] = set()
    depth = 0
    stack: list[bool] = []
    given = own_tokens(question)
    start = next(n for n, token in enumerate(given) if token.text == "{")
    for before, token, after in zip(given[start:], given[start + 1 :], given[start + 2 :], strict=False):
        if token.text == "{":
            stack.append(before.text.upper() == "OPTIONAL")
            depth += 1
            if stack == [True] and after.kind == "variable":
                assert after.text not in optional - required, f"{after.text} may be unbound at the start of an OPTIONAL"
        elif token.text == "}" and stack:
            stack.pop()
        elif token.kind == "variable":
            (optional if any(stack) and stack[0] else required).add(token.text)
    assert depth >= 0


@pytest.mark.parametrize("name", NAMES)
def test_an_optional_has_one_pattern_and_nests_the_next_hop(name: str) -> None:
    """Of two patterns the engine may begin with the second, and read all the store has of it."""
    for starts, patterns in patterns_of_groups(own_tokens(questions()[name])):
        assert starts != "OPTIONAL" or len(patterns) < 2, f"{' and '.join(patterns)} stand in one OPTIONAL"


def patterns_of_groups(given: list[SparqlToken]) -> Iterator[tuple[str, list[str]]]:
    """The word before each group, and the subjects of the triple patterns that stand in it and in no group inside."""
    groups: list[tuple[str, list[str]]] = []
    parentheses = 0
    for before, token in pairwise(given):
        parentheses += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text == "{":
            groups.append((before.text.upper(), []))
        elif token.text == "}":
            yield groups.pop()
        elif (
            groups and not parentheses and (before.text == ";" or (token.kind == "variable" and before.text in "{}.)"))
        ):
            groups[-1][1].append(token.text)


def test_names_expand_to_families_and_to_nothing_else() -> None:
    rows = list(ask_small("comparisons/compare", a="NEW3", b="MID2").dicts())
    assert {row["claim"] for row in rows} == {
        "100/faster.mid",
        "100/share.mid",
        "100/wait.mid",
        "100/range.mid",
        "200/faster.mid",
    }
    exact = list(ask_small("comparisons/compare", a="=NEW3", b="=MID2").dicts())
    assert {row["claim"] for row in exact} == {"100/range.mid", "200/faster.mid"}
    by_id = list(ask_small("comparisons/compare", a="system/new-rack", b="family/mid").dicts())
    assert [row["claim"] for row in by_id] == ["100/faster.mid"]


def test_a_limit_cuts_and_says_so() -> None:
    from kg.ask.run import ask

    cut = ask(small_store(), questions()["names/keys"], limit=3)
    assert (len(cut.rows), cut.complete) == (3, False)
    whole = ask(small_store(), questions()["benchmarks/tasks"], limit=2)
    assert (len(whole.rows), whole.complete) == (2, True)


def test_no_block_of_values_has_several_variables_and_several_rows() -> None:
    """Virtuoso 7.2.5 loses values of OPTIONAL parts with such a block."""
    text = bind(
        questions()["audit/findings"],
        {"severity": ["violation"], "code": ["unit.slip", "unit.level"], "source": ["source/002"]},
    )
    line = next(one for one in text.split("\n") if one.strip().startswith("VALUES")).strip()
    assert line == (
        'VALUES (?severity ?source) { ("violation" <https://w3id.org/accelkg/id/source/002>) } '
        'VALUES (?code) { ("unit.slip") ("unit.level") }'
    )


def test_what_was_found_of_a_claim_is_looked_up_from_the_claim() -> None:
    """A pattern with a constant is what the engine begins with: every finding of that kind, once for each claim, took 25 times as long."""
    text = [one.text for one in own_tokens(questions()["claims/findings"])]
    objects = [after for name, after in pairwise(text) if name.startswith("k:")]
    assert [one for one in objects if one.startswith('"')] == []


def test_the_marker_is_the_only_place_that_changes() -> None:
    question = questions()["comparisons/compare"]
    before, after = question.sparql.split("\n"), bind(question, {"a": "x", "b": "y"}, unsorted=True).split("\n")
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    covers = "<https://w3id.org/accelkg/ontology#covers>"
    assert changed == [(f"  {MARKER}", f'  VALUES (?a ?aReach ?b ?bReach) {{ ("x" {covers} "y" {covers}) }}')]


@pytest.mark.parametrize(
    ("asked", "blocks"),
    [
        (["=Mid"], 'VALUES (?thing ?thingKey ?thingReach) { ("=mid" "mid" k:names) }'),
        (["Mid", "=Old"], 'VALUES (?thing ?thingKey ?thingReach) { ("mid" "mid" k:covers) ("=old" "old" k:names) }'),
    ],
)
def test_a_name_for_the_thing_alone_reaches_what_it_names(asked: list[str], blocks: str) -> None:
    line = bind(questions()["names/resolve"], {"thing": asked}).split("\n")[4].strip()
    assert line.replace("<https://w3id.org/accelkg/ontology#", "k:").replace(">", "") == blocks


def test_in_a_list_of_names_each_reaches_as_it_is_written() -> None:
    known = questions()["names/resolve"]
    mine = replace(known, sparql=known.sparql.replace("?thingKey ", "?thing "))
    text = bind(mine, {"thing": ["Mid", "=Old"]}).replace("<https://w3id.org/accelkg/ontology#", "k:").replace(">", "")
    assert 'VALUES (?thing ?thingReach) { ("mid" k:covers) ("old" k:names) }' in text


def test_an_id_has_two_keys_and_one_reach() -> None:
    text = bind(questions()["systems/members"], {"thing": "family/mid"})
    assert '{ ("family/mid") ("family mid") }' in text and text.count("ontology#covers") == 1


def test_no_parameter_can_have_the_name_of_an_option() -> None:
    methods = (Graph.ask, Graph.question_text, Graph.report)
    named = {one for method in methods for one in inspect.signature(method).parameters} - {"values"}
    for command in ("ask", "report"):
        group: Any = typer.main.get_command(make_app([command]))
        options = [one for one in group.commands[command].params if one.param_type_name == "option"]
        named |= {word.lstrip("-").replace("-", "_") for one in options for word in one.opts}
    assert {one for one in named if len(one) > 1} - RESERVED == set()
