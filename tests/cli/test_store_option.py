"""Which store a command asks: none is made by a typing error, and what a store was built from is kept."""

import shutil
from pathlib import Path

import pytest

import kg as package
from kg.cli.app import run
from kg.errors import UsageError
from kg.session import open_graph
from tests.small_content import write_small_content
from tests.stores.fake_server import Reply as ServerReply
from tests.stores.fake_server import fake_server

HERE = Path(package.__file__).parents[1]


@pytest.mark.parametrize(
    "arguments", [["find", "h200"], ["trace", "72428"], ["query", "ASK {}"], ["status"], ["load", "claims", "x.jsonl"]]
)
def test_a_typing_error_in_store_makes_no_store(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--store", str(tmp_path / "sotre")]) == 3
    said = capsys.readouterr().err
    assert f"kg build --store {tmp_path / 'sotre'} makes one there" in said and "kg explain store.missing" in said
    assert list(tmp_path.iterdir()) == []


def test_a_server_asks_for_a_login_when_its_refused_names_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("kg.cli.names.ask_login", asked.append)
    with fake_server(ServerReply(401, b"no", {"WWW-Authenticate": 'Basic realm="kg"'})) as server:
        assert run(["names", "unresolved", "--store", f"sparql+{server.address}"]) == 3
    assert asked == [server.address] and "login" in capsys.readouterr().err


def test_a_store_whose_name_is_no_text_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "st\udce4"
    try:
        store.mkdir()
    except OSError:
        pytest.skip("this disk takes no such name")
    monkeypatch.delenv("KG_STORE", raising=False)
    assert run(["build", "--store", str(store)]) == 2
    err = capsys.readouterr().err
    assert "st\\udce4" in err and "a path in UTF-8" in err
    with pytest.raises(UsageError, match="a path in UTF-8"):
        open_graph(store)
    assert list(store.iterdir()) == []
    with pytest.raises(UsageError, match="NUL"):
        open_graph(f"{tmp_path}\0")


def test_a_store_with_content_of_its_own_is_asked_without_naming_it(tmp_path: Path) -> None:
    root, store, told = write_small_content(tmp_path / "content").root, tmp_path / "store", list[str]()
    first = open_graph(store, content=root)
    again = open_graph(store, tell=told.append)
    assert (again.stamp, again.content, told) == (first.stamp, first.content, [])


def test_a_store_that_a_variable_names_and_is_not_there_is_made_and_said_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, store, told = write_small_content(tmp_path / "content").root, tmp_path / "sotre", list[str]()
    monkeypatch.setenv("KG_STORE", str(store))
    open_graph(content=root, tell=told.append)
    assert told == [f"no store at {store}: building one from the shipped content"]
    shutil.rmtree(store / "rdf")
    open_graph(content=root, tell=told.append)
    assert told[1:] == ["building the store from the shipped content"]


def test_content_that_is_gone_leaves_the_store_as_it_is(tmp_path: Path) -> None:
    root, store, told = write_small_content(tmp_path / "content").root, tmp_path / "store", list[str]()
    first = open_graph(store, content=root)
    shutil.rmtree(root)
    again = open_graph(store, tell=told.append)
    assert again.stamp == first.stamp and again.query("ASK { ?s ?p ?o }")
    assert len(told) == 1 and str(root) in told[0] and "as it is" in told[0]
    assert run(["build", "--store", str(store)]) != 0  # which content it shall be, a person has to say


def test_equal_content_in_another_place_does_not_rebuild_the_store(tmp_path: Path) -> None:
    root, store, told = write_small_content(tmp_path / "content").root, tmp_path / "store", list[str]()
    first = open_graph(store, content=root)
    for path in shutil.copytree(root, tmp_path / "copy").rglob("*"):
        path.touch()
    again = open_graph(store, content=tmp_path / "copy", tell=told.append)
    assert (again.stamp, told) == (first.stamp, [])


@pytest.mark.parametrize(
    ("kind", "address"), [("NEO4J", "bolt://127.0.0.1:1"), ("SPARQL", "sparql+http://127.0.0.1:1/kg")]
)
def test_a_login_of_bytes_that_are_no_text_is_refused_unseen(
    kind: str, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"KG_{kind}_USER", "kg")
    monkeypatch.setenv(f"KG_{kind}_PASSWORD", "hunter\udce4")  # as a terminal in Latin-1 gives it
    assert run(["status", "--store", address]) == 2
    said = capsys.readouterr().err
    assert f"KG_{kind}" in said and "UTF-8" in said and "hunter" not in said and "mistake" not in said
