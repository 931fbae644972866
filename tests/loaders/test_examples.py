"""Every example of every mapping gives what it says."""

from collections.abc import Iterator
from functools import cache

import pytest

from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.references import read_references
from kg.content.resolution import Resolver
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.ingest.entities import Things
from kg.ingest.mapping import Example
from kg.ingest.sources import Loader, get_loader, loader_names
from tests.loaders.running import example_mistakes
from tests.small_content import ROOT

CONTENT = find_content(ROOT)
NAMES = loader_names(CONTENT)


@cache
def shared() -> tuple[Things, Vocabulary]:
    """Registry and vocabulary, read once."""
    registry, vocabulary = read_registry(CONTENT), read_vocabulary(CONTENT)
    return Things(registry, Resolver(registry), "test", read_references(CONTENT, vocabulary.units)), vocabulary


@cache
def loader(name: str) -> Loader:
    """A loader, read once."""
    return get_loader(CONTENT, name)


def examples() -> Iterator[object]:
    """Every example with a name."""
    for name in NAMES:
        for position, one in enumerate(loader(name).mapping.examples, 1):
            yield pytest.param(name, one, id=f"{name}-{position}-{one.shape}")


@pytest.mark.parametrize(("name", "example"), list(examples()))
def test_example_gives_what_it_says(name: str, example: Example) -> None:
    things, vocabulary = shared()
    assert list(example_mistakes(loader(name), example, things, vocabulary)) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_shape_of_a_mapping_has_an_example(name: str) -> None:
    mapping = loader(name).mapping
    assert {one.shape for one in mapping.examples} == set(mapping.shapes)


@pytest.mark.parametrize("name", NAMES)
def test_every_mapping_has_a_readme(name: str) -> None:
    assert (CONTENT.loaders / name / "README.md").is_file()
