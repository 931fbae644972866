"""Layouts: every node has a place, none stands on another, and nothing depends on chance or order."""

import random
import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.render.layout import Place, place
from kg.render.looks import LOOKS, shape_size, size_of
from kg.render.scene import KINDS, Layout, Scene, SceneEdge, SceneNode, bundled, tidy


def some_scene(number: int, layout: Layout, seed: int = 1) -> Scene:
    dice = random.Random(seed)
    nodes = tuple(
        SceneNode(
            f"n{n}",
            dice.choice(KINDS[:-1]),
            "word " * dice.randint(1, 9),
            column=dice.randint(0, 3),
            weight=dice.choice([1.0, 1.5, 3.0]),
            hub=f"n{n - n % 7}" if n % 7 else None,
        )
        for n in range(number)
    )
    edges = tuple(SceneEdge(f"n{dice.randrange(number)}", f"n{dice.randrange(number)}", "x") for _ in range(number * 2))
    return tidy(Scene("t", "a", nodes, edges, (), layout=layout, focus=("n0",)))


def rectangle(node: SceneNode, at: Place) -> tuple[float, float, float, float]:
    wide, high = size_of(node)
    above = high / 2 if LOOKS[node.kind].has_label_inside else shape_size(node) + 4
    return at[0] - wide / 2, at[1] - above, at[0] + wide / 2, at[1] - above + high


def overlapping(scene: Scene) -> list[tuple[str, str]]:
    places = place(scene)
    boxes = {node.id: rectangle(node, places[node.id]) for node in scene.nodes if node.bundle is None}
    return [
        (a, b)
        for a, b in combinations(sorted(boxes), 2)
        if boxes[a][0] + 1 < boxes[b][2]
        and boxes[b][0] + 1 < boxes[a][2]
        and boxes[a][1] + 1 < boxes[b][3]
        and boxes[b][1] + 1 < boxes[a][3]
    ]


@pytest.mark.parametrize("layout", ["layers", "near", "blocks"])
def test_no_node_stands_on_another(layout: Layout) -> None:
    scene = some_scene(120, layout)
    assert set(place(scene)) == {node.id for node in scene.nodes}
    assert overlapping(scene) == []


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.sampled_from(["layers", "near", "blocks"]), st.integers(0, 999))
def test_every_scene_has_a_layout_without_overlaps(number: int, layout: Layout, seed: int) -> None:
    assert overlapping(some_scene(number, layout, seed)) == []


@pytest.mark.parametrize("layout", ["layers", "near", "blocks"])
def test_places_do_not_depend_on_the_order_given(layout: Layout) -> None:
    scene = some_scene(60, layout)
    turned = Scene(scene.title, scene.about, scene.nodes[::-1], scene.edges[::-1], (), layout=layout, focus=scene.focus)
    assert place(tidy(turned)) == place(scene)


def test_places_are_the_same_in_processes_with_other_hashes() -> None:
    program = (
        "from tests.render.test_layout import some_scene, place; print(sorted(place(some_scene(80, 'near')).items()))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1 and len(told.pop()) > 1000


def test_columns_go_from_left_to_right() -> None:
    scene = some_scene(40, "layers")
    places = place(scene)
    for low in range(3):
        right = max(places[node.id][0] for node in scene.nodes if node.column == low)
        assert right < min(places[node.id][0] for node in scene.nodes if node.column == low + 1)


def test_what_was_asked_for_is_in_the_middle() -> None:
    scene = some_scene(80, "near")
    x, y = place(scene)["n0"]
    assert abs(x) < 250 and abs(y) < 250


def test_claims_of_a_bundle_stand_around_it_without_overlap() -> None:
    nodes = (SceneNode("h", "thing", "H"), *(SceneNode(f"c{n:02}", "claim", f"claim {n}", hub="h") for n in range(30)))
    scene = bundled(tidy(Scene("t", "a", nodes, tuple(SceneEdge("h", f"c{n:02}") for n in range(30)), ())), most=3)
    places = place(scene)
    inside = [node for node in scene.nodes if node.bundle]
    assert len(inside) == 30
    for a, b in combinations(inside, 2):
        first, second = rectangle(a, places[a.id]), rectangle(b, places[b.id])
        assert first[0] >= second[2] or second[0] >= first[2] or first[1] >= second[3] or second[1] >= first[3]


def test_no_layout_needs_a_numerical_library() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None; sys.modules['networkx'] = None\n"
        "from tests.render.test_layout import some_scene, place; print(len(place(some_scene(20, 'near'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program.replace("from hypothesis", "")],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "20", done.stderr
