"""The page of a scene: stable bytes, nothing that could be loaded, nothing that could be run but our two scripts."""

import json
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from kg.render import drawing, hypertext
from kg.render.page import asset, page
from kg.render.picture_cards import CLAIM_COLUMNS
from kg.render.scene import Scene, SceneEdge, SceneNode, SceneTable, tidy
from kg.render.thing_nodes import link_table


class Tags(HTMLParser):
    """All tags with their attributes, and the content of scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and "type" not in self.tags[-1][1]:
            self.scripts.append(data)
        if self.cdata_elem == "style":
            self.styles.append(data)


def test_the_style_of_cells_names_columns_that_there_are() -> None:
    styled = {one.replace("\\", "") for one in re.findall(r"data-of=((?:\\ |[\w-])+)\]", asset("page.css"))}
    columns = {*CLAIM_COLUMNS, *link_table((), ()).columns, "metric", "value", "sources", "also stated"}
    assert styled and styled <= columns, "a column has another name by now, and a phone shows what it should hide"


def small() -> Scene:
    nodes = (
        SceneNode(
            "1/a",
            "claim",
            "2.5x\nspeed",
            facts=(("as printed", "2.5x"),),
            source="source/1",
            date="2025",
            verdict="wrong",
            findings=(("warning", "unit.header"),),
        ),
        SceneNode("source/1", "source", "A source"),
    )
    rows = SceneTable("Claims", ("says", "claim"), (("1/a", ("2.5x", "1/a")),))
    return tidy(
        Scene(
            "Title",
            "About",
            nodes,
            (SceneEdge("1/a", "source/1", "printed in"),),
            (rows,),
            layout="layers",
            questions=("claims/card",),
        )
    )


def parsed(text: str) -> Tags:
    found = Tags()
    found.feed(text)
    return found


def test_the_same_scene_gives_the_same_bytes() -> None:
    assert page(small()) == page(small())


def test_bytes_are_the_same_in_processes_with_other_hashes() -> None:
    program = "from tests.render.test_page import small, page; import hashlib; print(hashlib.sha256(page(small()).encode()).hexdigest())"
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("3", "4")
    }
    assert len(told) == 1 and len(told.pop().strip()) == 64


def test_no_tag_names_anything_outside_the_file() -> None:
    for tag, attributes in parsed(page(small())).tags:
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            value = attributes.get(name) or ""
            assert not value or value.startswith(("#", "data:")), (tag, name, value)
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        assert "style" not in attributes


def test_the_policy_allows_the_two_scripts_and_the_style_of_the_page_and_no_load() -> None:
    found = parsed(page(small()))
    policy = next(str(one["content"]) for tag, one in found.tags if one.get("http-equiv") == "Content-Security-Policy")
    parts = dict(one.strip().split(" ", 1) for one in policy.split(";"))
    digests = {f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in found.scripts}
    assert len(digests) == 2 and set(parts["script-src"].split()) == digests
    assert parts["style-src"].split() == [
        f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in found.styles
    ]
    assert parts["default-src"] == "'none'"
    assert parts["img-src"] == "data:"
    assert "unsafe" not in policy and "http" not in policy


def test_the_script_of_the_page_never_writes_markup() -> None:
    from kg.render.page import asset

    own = asset("page.js")
    assert not re.findall(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|setAttribute\(\"on|srcdoc", own
    )
    assert not re.findall(r"fetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(|https?://", own)


def test_data_cannot_end_the_element_it_stands_in() -> None:
    nodes = (SceneNode("1/a", "thing", "</script><script>alert(1)</script><!--\u2028"),)
    text = page(tidy(Scene("t", "a", nodes, (), ())))
    kept = re.search(r'<script type="application/json" id=kg-data>(.*?)</script>', text, re.DOTALL)
    assert kept is not None
    assert json.loads(kept[1])["info"]["1/a"]["label"] == "</script><script>alert(1)</script><!--"
    assert "alert(1)</script>" not in text


def test_positions_come_with_the_page_and_physics_is_off() -> None:
    kept = re.search(r"id=kg-data>(.*?)</script>", page(small()), re.DOTALL)
    assert kept is not None
    data = json.loads(kept[1])
    assert data["options"]["physics"] == {"enabled": False}
    assert all(isinstance(one["x"], int) and isinstance(one["y"], int) for one in data["nodes"])


def test_notes_counts_and_questions_are_on_the_page() -> None:
    scene = small()
    told = page(
        Scene(
            **{
                **{name: getattr(scene, name) for name in Scene.__dataclass_fields__},
                "notes": ("This is a part: 1 of 2.",),
            }
        )
    )
    assert "This is a part: 1 of 2." in told
    assert "claims/card" in told


def test_drawing_script_that_is_missing_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "find_spec", lambda _: None)
    with pytest.raises(drawing.ScriptMissing, match="pip install"):
        drawing.vis_script()


def test_the_packaged_script_keeps_its_licence() -> None:
    assert "@license" in drawing.vis_script()[:1500]
    assert "</script" not in drawing.vis_script()


def test_policy_of_a_page_without_scripts_runs_none() -> None:
    assert "script-src 'none'" in hypertext.policy(styles=("a",))
