"""A free query runs in a process of its own: what is too long, too large or not allowed ends there, and is said."""

import subprocess
import sys
from pathlib import Path

import pytest

import kg
from kg import isolated_query as apart
from kg.errors import KgError
from kg.isolated_query import Request, answer_apart
from kg.stores.protocol import Answer, DeadlinePassed, Language
from kg.stores.worker import Worker
from tests.small_content import write_small_content

CLAIMS = "PREFIX k: <https://w3id.org/accelkg/ontology#> SELECT (COUNT(?c) AS ?n) WHERE { ?c a k:Claim }"
ALL_PAIRS = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
KEPT_PAIRS = "SELECT DISTINCT ?a ?c ?d ?f ?g WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A small store and its content, which the queries only read."""
    folder = tmp_path_factory.mktemp("asked")
    root = write_small_content(folder / "content").root
    kg.open(folder / "store", content=root).close()
    return str(folder / "store"), str(root)


def answer(asked: tuple[str, str], text: str, language: Language = "sparql", **more: float) -> Answer | bytes:
    return answer_apart(Request(text, language, *asked, **more), tell=lambda _: None)  # type: ignore[arg-type]


def test_rows_and_graphs_come_back(asked: tuple[str, str]) -> None:
    assert answer(asked, CLAIMS) == Answer(("n",), ((3,),))
    assert answer(asked, "MATCH (c:Claim) RETURN count(*) AS n, [1.5, null] AS l", "cypher") == Answer(
        ("n", "l"), ((3, "[1.5, null]"),)
    )
    made = answer(asked, CLAIMS.replace("SELECT (COUNT(?c) AS ?n)", "CONSTRUCT { ?c a k:Claim }"))
    assert isinstance(made, bytes) and made.count(b"\n") == 3


def test_a_cut_is_said(asked: tuple[str, str]) -> None:
    cut = answer(asked, "SELECT ?s { ?s ?p ?o }", limit=5)
    assert isinstance(cut, Answer) and (len(cut.rows), cut.complete) == (5, False)


@pytest.mark.parametrize(
    ("text", "language"),
    [(ALL_PAIRS, "sparql"), ("MATCH (a), (b), (c), (d) RETURN count(a.uid + b.uid + c.uid + d.uid) AS n", "cypher")],
)
def test_a_query_that_takes_too_long_is_ended(asked: tuple[str, str], text: str, language: Language) -> None:
    answer(asked, "MATCH (c:Claim) RETURN count(*) AS n", "cypher")
    with pytest.raises(KgError) as caught:
        answer(asked, text, language, timeout_seconds=0.5)
    assert (caught.value.code, caught.value.exit_code) == (DeadlinePassed.code, 3)


def test_a_query_that_takes_too_much_memory_is_ended(asked: tuple[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KgError) as caught:
        answer(asked, KEPT_PAIRS, memory=20 << 20)
    assert (caught.value.code, caught.value.exit_code) == ("query.memory", 3)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("DROP ALL", "sparql"),
        ("SELECT ?s { SERVICE <http://x> { ?s ?p ?o } }", "sparql"),
        ("MATCH (c) SET c.x = 1", "cypher"),
        ("MATCH (c", "cypher"),
    ],
)
def test_a_refusal_comes_back_with_its_parts(asked: tuple[str, str], text: str, language: Language) -> None:
    with pytest.raises(KgError) as caught:
        answer(asked, text, language)
    assert caught.value.code == "query.refused" and caught.value.given and caught.value.exit_code == 2


def test_an_engine_that_ends_is_said(asked: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    started = apart._started

    def ended(request: Request) -> Worker:
        made = started(request)
        made.kill()
        return made

    monkeypatch.setattr(apart, "_started", ended)
    with pytest.raises(KgError) as caught:
        answer(asked, CLAIMS)
    assert caught.value.code == "query.memory"


def test_a_process_without_engines_forks_and_gives_the_same(asked: tuple[str, str]) -> None:
    program = (
        "import sys; from kg import isolated_query as apart\n"
        f"request = apart.Request({CLAIMS!r}, 'sparql', {asked[0]!r}, {asked[1]!r})\n"
        "assert apart._may_fork() or not hasattr(__import__('os'), 'fork')\n"
        "print(apart.answer_apart(request, tell=print).rows, 'pyoxigraph' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("((3,),) False\n", 0), done.stderr


def test_building_first_is_told_and_not_timed(tmp_path: Path, root: Path) -> None:
    heard: list[str] = []
    request = Request(CLAIMS, "sparql", str(tmp_path / "fresh"), str(root), timeout_seconds=0.5)
    moved: list[tuple[object, ...]] = []
    opened: list[bool] = []
    given = answer_apart(
        request, tell=heard.append, progress=lambda *step: moved.append(step), opened=lambda: opened.append(True)
    )
    assert isinstance(given, Answer) and given.rows == ((3,),)
    made = f"no store at {tmp_path / 'fresh'}: building one from the shipped content"
    assert heard == [made] and moved and opened == [True]
