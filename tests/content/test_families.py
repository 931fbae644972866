"""A question about a series covers every thing with its name; nothing else takes the bare name of a series."""

from typing import Any

import pytest

from kg.content.entities import Registry, UnknownEntity, read_registry
from kg.content.families import family_gaps
from kg.content.folders import copy_content, find_content
from kg.content.resolution import Resolver
from kg.model.names import all_names

Json = Any


def registry(*things: Json) -> Registry:
    maker: Json = {"id": "org/acme", "kind": "vendor", "label": "Acme"}
    series: Json = {
        "id": "family/acme-x",
        "kind": "chip-family",
        "label": "Acme X1 series",
        "aliases": ["Acme X1"],
        "maker": "org/acme",
    }
    records: Any = {one["id"]: {"record": "entity", **one} for one in (maker, series, *things)}
    return Registry(records, {})


def thing(**fields: Any) -> Json:
    return {"id": "system/acme-box", "kind": "node", "label": "Acme box", "maker": "org/acme", **fields}


@pytest.mark.parametrize(
    ("fields", "given"),
    [
        ({"label": "Acme Box with X1 series"}, None),
        ({"label": "Box (Acme X1, 8 pieces)"}, "nothing"),
        ({"label": "Box (Acme X1, 8 pieces)", "member_of": "family/acme-x"}, None),
        ({"label": "Box of Acme X12"}, None),
        ({"accelerator_inside": "family/acme-x"}, "nothing"),
        ({"aliases": ["X1"], "member_of": "family/acme-x"}, "X1"),
        ({"label": "Acme X1", "maker": "org/other"}, None),
    ],
)
def test_a_thing_stands_below_its_series_and_leaves_it_its_name(fields: Json, given: str | None) -> None:
    found = [one.given for one in family_gaps(registry(thing(**fields)))]
    assert found == ([given] if given else [])


def test_every_shipped_family_covers_what_has_its_name() -> None:
    assert list(family_gaps(read_registry(find_content()))) == []


def test_bare_names_of_series_resolve_by_one_rule() -> None:
    resolver = Resolver(read_registry(find_content()))
    names = ("H100", "H200", "B200", "B300", "GB200", "GB300", "A800", "H800", "MI300", "MI350")
    assert {name: resolver.resolve("any", name).id for name in names} == {
        name: f"family/{'amd' if name.startswith('MI') else 'nvidia'}-{name.lower()}" for name in names
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("model/llama-3-405b", "model/llama-3-1-405b"),
        ("model/ssd-retinanet-training", "model/retinanet"),
        ("accelerator/nvidia-b300", "family/nvidia-b300"),
    ],
)
def test_an_id_that_was_given_up_leads_to_its_thing(old: str, new: str) -> None:
    known = read_registry(find_content())
    assert old not in known.records
    assert Resolver(known).resolve("any", old).id == new
    assert next(one for one in all_names(known.records) if one.key == old).names == (new,)


def test_one_model_has_one_entity_and_two_programs_have_two() -> None:
    resolver = Resolver(read_registry(find_content()))
    assert (
        len({resolver.resolve("model", name).id for name in ("Llama 3 405B", "Llama 3.1 405B", "Llama3.1-405b")}) == 1
    )
    assert len({resolver.resolve("software", name).id for name in ("TensorRT", "TensorRT-LLM")}) == 2
    assert len({resolver.resolve("model", name).id for name in ("DeepSeek-V3.2", "DeepSeek-V3.2-Exp")}) == 2


def test_a_redirect_of_an_id_in_use_or_to_nothing_is_refused(tmp_path: Any) -> None:
    content = copy_content(find_content(), tmp_path / "content")
    path = content.seeds / "entities" / "redirects.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "org/nvidia: org/amd\n", encoding="utf-8")
    with pytest.raises(UnknownEntity, match="no longer used"):
        read_registry(content)


def test_an_id_that_two_things_gave_up_is_one_name_of_both() -> None:
    things = {
        one: {"record": "entity", "id": one, "kind": "accelerator", "label": one, "formerly": ["accelerator/old"]}
        for one in ("accelerator/a", "accelerator/b")
    }
    found = [one for one in all_names(things) if one.key == "accelerator/old"]  # type: ignore[arg-type]
    assert [one.covers for one in found] == [("accelerator/a", "accelerator/b")]


def test_a_thing_is_named_without_its_maker_where_no_other_is() -> None:
    maker = {"record": "entity", "id": "org/acme", "kind": "vendor", "label": "Acme", "aliases": ["Acme Inc"]}
    made = [
        ("accelerator/one", "Acme One 80"),
        ("accelerator/two", "Acme Inc Two 2"),
        ("accelerator/large", "Acme Large"),
    ]
    things: dict[str, Any] = {
        name: {"record": "entity", "id": name, "kind": "accelerator", "label": label, "maker": "org/acme"}
        for name, label in made
    }
    things |= {"org/acme": maker, "node/two": {"record": "entity", "id": "node/two", "kind": "node", "label": "Two-2"}}
    named = {one.key: one.names for one in all_names(things)}
    assert named["one 80"] == named["acme one 80"] == ("accelerator/one",)
    assert named["two 2"] == ("node/two",), "what has the name keeps it to itself"
    assert "large" not in named, "a word of the language is no name"
