"""Each folder of tests/cases/bad-content holds a claims file (or a file of entities or metrics) and what is said of it.

`file.yaml` takes the place of the claims of the small content, `entities.yaml` and `metrics.yaml` of theirs, byte for
byte. `expected.txt` is the whole message. Rewrite it with `pytest tests/content --update-golden` and review the diff.
"""

import shutil
from pathlib import Path

import pytest

from kg.build.build import content_records
from kg.build.content_review import format_content, texts_of
from kg.cli.app import run
from kg.errors import KgError, Mistakes
from tests.small_content import write_small_content, write_text

CASES = sorted((Path(__file__).parents[1] / "cases" / "bad-content").iterdir())
PLACES = {
    "file.yaml": "seeds/claims/900.yaml",
    "second.yaml": "seeds/claims/901.yaml",
    "entities.yaml": "seeds/entities/things.yaml",
    "more-entities.yaml": "seeds/entities/zz.yaml",
    "metrics.yaml": "ontology/metrics.yaml",
    "units.yaml": "ontology/units.yaml",
}


@pytest.fixture(params=CASES, ids=lambda path: path.name)
def case(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def small_content_of(case: Path, root: Path) -> None:
    write_small_content(root)
    for path in case.iterdir():
        if path.name != "expected.txt":
            shutil.copyfile(path, root / PLACES[path.name])


def test_every_mistake_is_told_with_its_place_and_nothing_is_written(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    root, store = tmp_path / "content", tmp_path / "store"
    small_content_of(case, root)
    code = run(
        ["build", "--content", str(root), "--store", str(store), "--documents", str(write_text(tmp_path / "texts"))]
    )
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    if request.config.getoption("--update-golden"):
        (case / "expected.txt").write_text(captured.err, encoding="utf-8")
    assert captured.err == (case / "expected.txt").read_text(encoding="utf-8")
    assert sorted(path.name for path in store.rglob("*")) in ([], ["store.json", "writer.lock"])


def test_every_mistake_has_file_code_given_and_accepted_or_a_next_step(case: Path, tmp_path: Path) -> None:
    root = tmp_path / "content"
    small_content_of(case, root)
    content = write_small_content(tmp_path / "sound")
    texts = texts_of(content, write_text(tmp_path / "texts"))
    with pytest.raises(KgError) as raised:
        content_records(type(content)(root), texts)
    mistakes = raised.value.errors if isinstance(raised.value, Mistakes) else (raised.value,)
    for one in mistakes:
        assert one.path and one.path.startswith(("seeds/", "ontology/")), f"no file in: {one}"
        assert one.line is not None, f"no line in: {one}"
        assert one.given is not None and (one.expected or one.next_step), f"nothing to go by in: {one}"
        assert "\n" not in str(one).split("\n  kg explain")[0], "a mistake is one line and its code"


@pytest.mark.parametrize("name", ["wrong-types", "file-is-a-list", "binary", "empty", "group-is-text"])
def test_the_formatter_refuses_and_leaves_the_file_alone(name: str, tmp_path: Path) -> None:
    case = Path(__file__).parents[1] / "cases" / "bad-content" / name
    content = write_small_content(tmp_path)
    shutil.copyfile(case / "file.yaml", tmp_path / PLACES["file.yaml"])
    with pytest.raises(KgError):
        format_content(content, None, tell=lambda _: None)
    assert (tmp_path / PLACES["file.yaml"]).read_bytes() == (case / "file.yaml").read_bytes()
