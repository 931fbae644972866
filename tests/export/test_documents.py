"""What the documents show runs, and the notebook is what its cells give."""

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import nbformat as untyped_nbformat
import pytest

from kg.export.formats import FORMATS
from kg.session import Graph

nbformat: Any = untyped_nbformat
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["most", "every"])
def test_the_examples_of_the_python_page_run(
    every: bool, shipped: Graph, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It takes rdflib ten seconds to hold all of the shipped content; `test_rdf.py` gives it less in every run."""
    monkeypatch.setenv("KG_STORE", str(shipped.folder))
    monkeypatch.chdir(out)
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 6
    for number, block in enumerate(one for one in blocks if every or "to_rdflib" not in one):
        exec(compile(block, f"docs/python.md block {number}", "exec"), names)
    said = capsys.readouterr().out
    assert said.startswith("wrong 4,023.78")
    assert "clusters; the largest:" in said and " → " in said and "@misc{accelkg-002" in said
    assert names["rows"] and names["answer"].rows and len(names["carried"]) > 10
    assert sorted(path.name for path in (out / "out").iterdir()) == ["accelkg.ttl", "accelkg.zip"]


def test_the_exports_page_names_every_format() -> None:
    text = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    table = text[text.index("| Format ") : text.index("## RDF")]
    assert {name for name in FORMATS if f"`{name}`" in table} == set(FORMATS)


@pytest.fixture(scope="module")
def maker() -> Any:
    spec = importlib.util.spec_from_file_location("make_notebook", ROOT / "docs" / "examples" / "make_notebook.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_is_what_its_cells_give(
    shipped: Graph, out: Path, maker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_STORE", str(shipped.folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(out)
    kept = nbformat.read(maker.NOTEBOOK, as_version=4)
    made = maker.run(maker.notebook())
    kinds = [kind for cell in made.cells for output in cell.get("outputs", ()) for kind in output.get("data", {})]
    assert len(made.cells) == 10 and kinds.count("image/svg+xml") == 2  # a picture and a chart
    assert list(maker.texts(kept)) == list(maker.texts(made)), "run: python docs/examples/make_notebook.py"
    assert not [output for cell in made.cells for output in cell.get("outputs", ()) if output.output_type == "error"]


def test_the_notebook_holds_no_path_of_a_machine(maker: Any) -> None:
    text = maker.NOTEBOOK.read_text(encoding="utf-8")
    assert not re.search(r"/(home|root|tmp|work|Users|usr)/|[A-Z]:\\\\", text)
    assert str(ROOT) not in text and os.environ.get("HOME", "/nowhere") not in text
    nbformat.validate(nbformat.reads(text, as_version=4))
