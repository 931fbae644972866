"""GraphML and GEXF, read by NetworkX and igraph and checked against a schema, hold the network that Python gives."""

from pathlib import Path
from typing import Any

import networkx
from lxml import etree

import kg
from kg.export.formats import export
from kg.export.network import KnownIds, claim_node, edges_of, node_properties, thing_node
from kg.session import Graph
from tests.export.conftest import HOSTILE

SCHEMA = Path(__file__).parent / "gexf.xsd"


def schema() -> Any:
    return etree.XMLSchema(etree.parse(SCHEMA))


def cleaned(text: str) -> str:
    """What XML can hold of a text."""
    return "".join("\ufffd" if ord(one) < 32 and one not in "\t\n\r" else one for one in text)


def by_uid(graph: networkx.MultiDiGraph) -> networkx.MultiDiGraph:
    """A network that was read, with its nodes named as they are; a schema allows few letters in the ids of a file."""
    named = networkx.relabel_nodes(graph, networkx.get_node_attributes(graph, "uid"))
    for _, properties in named.nodes(data=True):
        del properties["uid"]
    return named


def edges(graph: networkx.MultiDiGraph) -> list[tuple[str, str, str, object, object]]:
    return sorted((a, b, str(d["type"]), str(d.get("role")), str(d.get("count"))) for a, b, d in graph.edges(data=True))


def expected(graph: Graph) -> networkx.MultiDiGraph:
    made = kg.to_networkx(graph)
    for _, properties in made.nodes(data=True):
        properties.update({name: cleaned(one) for name, one in properties.items() if isinstance(one, str)})
    for _, _, properties in made.edges(data=True):
        properties.update({name: cleaned(one) for name, one in properties.items() if isinstance(one, str)})
    return made


def test_networkx_reads_graphml_with_every_property(graph: Graph, out: Path) -> None:
    export(graph, "graphml", out / "x.graphml")
    read, given = by_uid(networkx.read_graphml(out / "x.graphml")), expected(graph)
    assert dict(read.nodes(data=True)) == dict(given.nodes(data=True))
    assert edges(read) == edges(given)


def test_igraph_reads_graphml(graph: Graph, out: Path) -> None:
    import igraph  # with it all of matplotlib: two thirds of a second of every worker

    export(graph, "graphml", out / "x.graphml")
    read, given = igraph.Graph.Read_GraphML(str(out / "x.graphml")), kg.to_networkx(graph)
    assert (read.vcount(), read.ecount(), read.is_directed()) == (len(given), given.number_of_edges(), True)
    names = read.vs["uid"]
    assert set(names) == set(given) and len(set(read.vs["id"])) == len(given)
    ends = sorted((names[one.source], names[one.target], one["type"]) for one in read.es)
    assert ends == [one[:3] for one in edges(expected(graph))]


def test_networkx_reads_gexf_with_every_property(graph: Graph, out: Path) -> None:
    export(graph, "gexf", out / "x.gexf")
    read, given = networkx.read_gexf(out / "x.gexf", version="1.2draft"), expected(graph)
    assert set(read) == set(given)
    for name, properties in given.nodes(data=True):
        label = " ".join(properties.pop("label").split())
        assert read.nodes[name] == {**properties, "label": label}
    assert edges(read) == edges(given)


def test_gexf_fits_its_schema(graph: Graph, out: Path) -> None:
    export(graph, "gexf", out / "x.gexf")
    schema().assertValid(etree.parse(out / "x.gexf"))


def test_a_gexf_that_breaks_a_rule_does_not_fit_the_schema(hostile: Graph, out: Path) -> None:
    export(hostile, "gexf", out / "x.gexf")
    text = (out / "x.gexf").read_text(encoding="utf-8")
    for before, after in (
        (' target="org/acme"', ""),
        ('type="directed"', 'type="sideways"'),
        ('for="0"', 'four="0"'),
        ("<nodes>", "<knots>"),
    ):
        assert before in text
        broken = text.replace(before, after, 1)
        parser = etree.XMLParser(recover=True)
        assert not schema().validate(etree.fromstring(broken.encode(), parser))


def test_hostile_labels_come_back_as_text(hostile: Graph, out: Path) -> None:
    export(hostile, "graphml", out / "x.graphml")
    read = by_uid(networkx.read_graphml(out / "x.graphml"))
    labels = [read.nodes[f"accelerator/hostile-{number:02d}"]["label"] for number in range(len(HOSTILE))]
    assert labels == [cleaned(one) for one in HOSTILE]


def test_an_edge_to_a_record_that_is_not_there_is_left_out() -> None:
    known = KnownIds(["x/a", "org/a"])
    record: Any = {
        "record": "claim",
        "id": "x/a",
        "subject": "org/a",
        "asserted_by": "org/gone",
        "source": "source/x",
        "restates": [{"claim": "x/gone"}],
        "metric": "power",
    }
    found = [(one.type, one.target, one.target in known) for one in edges_of(record)]
    assert ("SUBJECT", "org/a", True) in found
    assert ("RESTATES", "x/gone", False) in found
    assert ("ASSERTED_BY", "org/gone", False) in found


def test_nodes_hold_nothing_but_declared_properties() -> None:
    thing = thing_node({"record": "entity", "id": "org/x", "kind": "vendor", "label": "X", "aliases": ["a", "b"]})
    assert thing.properties == {"record": "entity", "label": "X", "kind": "vendor", "aliases": "a; b"}
    one = claim_node(
        {
            "record": "claim",
            "id": "x/a",
            "subject": "accelerator/x",
            "metric": "power",
            "quantity": {"printed": "1-2 W", "value": [1, 2], "unit": "W"},
        }
    )
    assert (one.properties["value"], one.properties["value_high"], one.properties["unit"]) == (1.0, 2.0, "W")
    assert set(one.properties) | set(thing.properties) <= set(node_properties())


def test_types_keep_edges_and_the_nodes_they_join(hostile: Graph) -> None:
    made = kg.to_networkx(hostile, types=("RESTATES", "USED"))
    assert {data["type"] for _, _, data in made.edges(data=True)} == {"RESTATES", "USED"}
    assert set(made) == {"900/derived", "900/power.one", "900/speed.two-one", "unresolved/other-report"}
