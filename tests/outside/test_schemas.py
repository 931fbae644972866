"""GraphML and GEXF fit the schemas that their projects publish (GraphML 1.1, GEXF 1.2), as JGraphT ships them."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from kg.export.formats import export
from kg.session import Graph
from tests.outside.programs import jars

FORMS = ("graphml", "gexf")


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("schemas")
    with zipfile.ZipFile(next(jars("schemas").glob("*.jar"))) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.endswith(".xsd")])
    parser = etree.XMLParser(no_network=True)
    return {form: etree.XMLSchema(etree.parse(folder / f"{form}.xsd", parser)) for form in FORMS}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["hostile", pytest.param("shipped", marks=pytest.mark.long)])
def test_an_exported_network_fits_the_schema(
    form: str, name: str, schemas: dict[str, Any], request: pytest.FixtureRequest, out: Path
) -> None:
    graph: Graph = request.getfixturevalue(name)
    export(graph, form, out / form)
    schemas[form].assertValid(etree.parse(out / form))


@pytest.mark.parametrize(
    ("form", "before", "after"),
    [
        ("graphml", 'edgedefault="directed"', ""),
        ("graphml", "<node id=", "<knot id="),
        ("graphml", 'for="node"', 'for="everything"'),
        ("gexf", 'type="string"', 'type="text"'),
        ("gexf", "<nodes>", "<knots>"),
        ("gexf", 'defaultedgetype="directed"', 'defaultedgetype="sideways"'),
    ],
)
def test_what_does_not_fit_is_found(
    form: str, before: str, after: str, schemas: dict[str, Any], hostile: Graph, out: Path
) -> None:
    export(hostile, form, out / form)
    text = (out / form).read_text("utf-8")
    assert before in text
    broken = etree.fromstring(text.replace(before, after, 1).encode(), etree.XMLParser(recover=True))
    assert not schemas[form].validate(broken)
