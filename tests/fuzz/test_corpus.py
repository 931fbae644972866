"""Every input that ever failed, and a few new ones of each target: nothing but an error of ours may come of them."""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, Bench, made

CORPUS = Path(__file__).parent / "corpus"
KEPT = sorted(path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*.json"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    before = dict(os.environ)
    made = Bench(tmp_path_factory.mktemp("fuzz"))
    yield made
    made.reading.close()
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("kept", KEPT)
def test_what_failed_once_ends_in_an_answer_or_an_error_of_ours(bench: Bench, kept: str) -> None:
    TARGETS[kept.split("/", 1)[0]](bench, json.loads((CORPUS / kept).read_text("ascii")))


@pytest.mark.parametrize("inputs", [2, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize("target", TARGETS)
def test_a_few_new_inputs(bench: Bench, target: str, inputs: int) -> None:
    for seed in range(inputs):
        TARGETS[target](bench, made(target, random.Random(seed)))


def test_the_corpus_is_there() -> None:
    assert KEPT, "an empty corpus would test nothing"
    assert {kept.split("/", 1)[0] for kept in KEPT} <= set(TARGETS)
