"""Scenes: one node an id, bundles, cuts that are told."""

from kg.render.scene import Scene, SceneEdge, SceneNode, SceneTable, bundled, cut, tidy


def claims(number: int, hub: str = "thing/a") -> tuple[SceneNode, ...]:
    return tuple(
        SceneNode(f"1/{hub[-1]}{n:03}", "claim", f"claim {n}", hub=hub, verdict="confirmed", source="source/1")
        for n in range(number)
    )


def scene(*nodes: SceneNode, edges: tuple[SceneEdge, ...] = (), rows: tuple[str, ...] = ()) -> Scene:
    table = SceneTable("Claims", ("claim",), tuple((one, (one,)) for one in rows))
    return tidy(Scene("t", "a", nodes, edges, (table,)))


def test_order_of_nodes_and_edges_does_not_matter() -> None:
    nodes = (SceneNode("b", "thing", "B"), SceneNode("a", "thing", "A"))
    edges = (SceneEdge("a", "b", "x"), SceneEdge("b", "a", "y"))
    assert scene(*nodes, edges=edges) == scene(*nodes[::-1], edges=edges[::-1])


def test_few_claims_stay_in_the_open() -> None:
    few = scene(SceneNode("thing/a", "thing", "A"), *claims(5))
    assert bundled(few, most=5) == few


def test_many_claims_become_one_bundle_for_each_hub_and_none_is_lost() -> None:
    many = scene(
        SceneNode("thing/a", "thing", "A"),
        SceneNode("thing/b", "thing", "B"),
        *claims(9),
        *claims(4, "thing/b"),
        *claims(2, "thing/c"),
        edges=tuple(SceneEdge("thing/a", one.id) for one in claims(9))
        + tuple(SceneEdge(one.id, "thing/b", "against", is_faint=True) for one in claims(3)),
    )
    made = bundled(many, most=5)
    bundles = {node.id: node for node in made.nodes if node.kind == "bundle"}
    assert set(bundles) == {"bundle/thing/a", "bundle/thing/b"}
    assert bundles["bundle/thing/a"].label == "9"
    assert sum(node.bundle == "bundle/thing/a" for node in made.nodes) == 9
    assert made.claims == many.claims
    assert SceneEdge("bundle/thing/a", "thing/b", "3 × against", is_faint=True) in made.edges
    assert "13 claims are drawn as 2 bundles" in made.notes[0]


def test_a_cut_says_how_much_is_left_out_and_keeps_what_was_asked_for() -> None:
    whole = Scene(
        "t",
        "a",
        (SceneNode("z", "thing", "Z"), *claims(9)),
        tuple(SceneEdge(one.id, "1/a000") for one in claims(9)),
        (SceneTable("Claims", ("claim",), tuple((one.id, (one.id,)) for one in claims(9))),),
        focus=("z",),
    )
    part = cut(tidy(whole), 4)
    assert {node.id for node in part.nodes} >= {"z", "1/a000"}
    assert len(part.nodes) == 4
    assert part.notes[0].startswith("This is a part: 4 of 10 nodes are drawn, 3 of 9 claims among them.")
    assert {row[0] for row in part.tables[0].rows} == {node.id for node in part.nodes} - {"z"}
    assert cut(tidy(whole), 10) == tidy(whole)
