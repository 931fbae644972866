"""Names as printed, and what they lead to: the lists of tests/cases/names, and the published files where they are."""

import csv
import json
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from kg.content.entities import Registry, UnknownEntity, read_registry
from kg.content.folders import find_content
from kg.content.patterns import PatternError, kind_of, read_patterns
from kg.content.resolution import Resolver, made_id, split_names
from kg.model.names import KIND_OF_NAME, name_key
from tests.small_content import write_small_content

CASES = Path(__file__).parents[1] / "cases" / "names"
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FEWEST_PAIRS = 60
Case = tuple[str, ...]


def lines(name: str) -> list[Case]:
    rows = (CASES / name).read_text(encoding="utf-8").splitlines()
    return [tuple(part.strip() for part in row.split(" | ")) for row in rows if row and not row.startswith("#")]


def context(case: Case, position: int) -> dict[str, str | float]:
    given = case[position].split(";") if len(case) > position else []
    pairs = [one.strip().split("=", 1) for one in given]
    return {key: float(value) if key in ("memory_gb", "total", "nodes", "per_node") else value for key, value in pairs}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return read_registry(find_content())


@pytest.fixture(scope="module")
def resolver(registry: Registry) -> Resolver:
    return Resolver(registry)


@pytest.mark.parametrize("case", lines("confusable.txt"), ids=" | ".join)
def test_confusable_names_stand_for_two_things(case: Case, resolver: Resolver) -> None:
    kind, one, other, *_ = case
    found = [resolver.resolve(kind, name, context(case, 3)) for name in (one, other)]
    assert None not in [each.id for each in found]
    assert found[0].id != found[1].id


def test_there_are_enough_confusable_pairs_and_each_is_told_once() -> None:
    pairs = [frozenset(name_key(name) for name in case[1:3]) for case in lines("confusable.txt")]
    assert len(pairs) >= FEWEST_PAIRS
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("case", lines("resolve.txt"), ids=" | ".join)
def test_spelling_leads_to_its_thing(case: Case, resolver: Resolver) -> None:
    kind, name, identifier, *_ = case
    assert resolver.resolve(kind, name, context(case, 3)).id == identifier


@pytest.mark.parametrize("case", lines("unresolved.txt"), ids=" | ".join)
def test_name_leads_to_nothing_and_says_why(case: Case, resolver: Resolver) -> None:
    kind, name, how, *_ = case
    found = resolver.resolve(kind, name, context(case, 3))
    assert (found.id, found.how) == (None, how)
    assert len(found.candidates) > 1 if how == "ambiguous" else not found.candidates


def test_every_label_and_alias_of_a_thing_leads_to_it_or_is_ambiguous(registry: Registry, resolver: Resolver) -> None:
    """Only the words of a series may mean its counted thing: "GB200" is the GPU where accelerators are counted."""
    strayed = []
    for identifier, record in registry.records.items():
        kind = kind_of(record)
        if record["record"] != "entity" or kind is None:
            continue
        for text in (record["label"], *record.get("aliases", ())):
            around = {"suite": record["suite"]} if "suite" in record else {}
            found = resolver.resolve(kind, text, around)
            if found.id != identifier and identifier not in found.candidates:
                strayed.append((text, identifier, found.id))
    allowed = {
        ("family/nvidia-gb200", "accelerator/nvidia-gb200-gpu"),
        ("family/nvidia-gb300", "accelerator/nvidia-gb300-gpu"),
        ("superchip/nvidia-gb300", "accelerator/nvidia-gb300-gpu"),
    }
    assert [one for one in strayed if one[1:] not in allowed] == []


def test_no_rule_of_names_matches_the_name_of_a_thing_it_is_kept_apart_from(
    registry: Registry, resolver: Resolver
) -> None:
    merged = []
    for record in registry.records.values():
        for other in record.get("not_to_be_confused_with", ()):
            kinds = [
                kind for kind in ("accelerator", "system", "model", "task") if record["kind"] in KIND_OF_NAME[kind]
            ]
            for kind in kinds:
                found = resolver.resolve(kind, record["label"])
                merged += [(record["label"], other)] if found.id == other else []
    assert merged == []


def test_similarity_never_decides(registry: Registry, resolver: Resolver) -> None:
    """One letter more, less or exchanged in a bare chip name never leads to that chip."""
    led = []
    for name in ("H100", "H200", "B200", "GB200", "L40S", "MI300X", "A100", "T4", "RTX 4090"):
        home = resolver.resolve("accelerator", name).id
        for at in range(len(name)):
            for letter in "0X9S":
                for changed in (name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :]):
                    if name_key(changed) != name_key(name) and resolver.resolve("accelerator", changed).id == home:
                        led.append((name, changed))
    assert led == []


def test_a_name_seen_before_still_follows_its_context(resolver: Resolver) -> None:
    ids = [resolver.resolve("accelerator", "H100", {"form": form}).id for form in ("sxm", "pcie", "nvl", "sxm")]
    assert ids[0] == ids[3]
    assert len(set(ids)) == 3
    assert resolver.resolve("accelerator", "H100").id == "family/nvidia-h100"


def test_mixed_cells_are_split_with_their_counts() -> None:
    cell = "AMD Instinct MI300X 192GB HBM3 (x8) and AMD Instinct MI325X 256GB HBM3e (x8)"
    assert split_names(cell) == (("AMD Instinct MI300X 192GB HBM3", 8), ("AMD Instinct MI325X 256GB HBM3e", 8))
    assert split_names("NVIDIA L4") == (("NVIDIA L4", None),)


def test_a_cell_with_a_long_run_of_blanks_is_split_at_once() -> None:
    began = time.process_time()
    assert split_names(f"A{' ' * 50_000}B (x8)") == (("A B", 8),)
    assert time.process_time() - began < 2  # it took the square of the blanks


def test_digits_that_are_no_number_of_chips_are_part_of_the_name() -> None:
    for cell in (f"NVIDIA L4 (x{'9' * 5_000})", f"{'9' * 5_000}x NVIDIA L4"):
        assert split_names(cell) == ((cell, None),)


def test_made_ids_of_different_names_differ_and_follow_the_name_alone() -> None:
    names = ["Site A", "Site A+", "Site A&", "Site a b", "Site A/B", "昇腾", "思元", "x" * 200, "x" * 201]
    ids = [made_id("cluster", "epoch", name) for name in names]
    assert ids[3] == ids[4]  # one key: a joiner is a space
    assert len(set(ids)) == len(names) - 1
    assert made_id("cluster", "epoch", "Site A") == ids[0]
    assert all(one != other for one, other in combinations({*ids}, 2))


RULE = "- {id: accelerator/acme-one, all: [one], any: [acme]}\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {id: accelerator/acme-on, all: [one]}\n", "accelerator/acme-on"),
        ("- {id: accelerator/acme-one, any: [one]}\n", "either all"),
        ("- {id: accelerator/acme-one, all: [one], match: one}\n", "either all"),
        ("- {id: accelerator/acme-one, all: ['one(']}\n", "regular expression"),
        ("- {id: accelerator/acme-one, all: [one], wen: {form: x}}\n", "wen"),
        ("- {id: accelerator/acme-one, all: [one], when: {colour: red}}\n", "when.colour"),
        ("- {id: accelerator/acme-one, all: [one], any: [+fillers]}\n", "+fillers"),
        ("- {id: accelerator/acme-one, kind: chips, all: [one]}\n", "chips"),
        ("- just words\n", "a mapping"),
    ],
)
def test_a_wrong_rule_is_told_with_file_and_line(text: str, told: str, tmp_path: Path) -> None:
    content = write_small_content(tmp_path)
    (content.seeds / "entities" / "patterns.yaml").write_text(RULE + text, encoding="utf-8")
    with pytest.raises((PatternError, UnknownEntity)) as raised:
        read_patterns(read_registry(content))
    assert str(raised.value).startswith("seeds/entities/patterns.yaml:2: ")
    assert told in str(raised.value)


def test_rules_decide_the_digest_of_the_registry(tmp_path: Path) -> None:
    content = write_small_content(tmp_path)
    before = read_registry(content).digest
    (content.seeds / "entities" / "patterns.yaml").write_text(RULE, encoding="utf-8")
    assert read_registry(content).digest != before


def published_accelerators() -> Iterator[str]:
    """Every accelerator that an MLPerf file prints."""
    for path in sorted(DATA.glob("mlcommons-*/v*/**/*.json")):
        value = json.loads(path.read_text(encoding="utf-8"))
        for row in value if isinstance(value, list) else [value]:
            yield str(row.get("Accelerator") or row.get("accelerator_model_name") or "")
    for path in sorted(DATA.glob("mlcommons-inference/v5.*/*.csv")):
        rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
        head = next(row for row in rows if "Public ID" in row)
        at = next(i for i, cell in enumerate(head) if cell.startswith("Accelerator"))
        yield from (row[at] for row in rows[rows.index(head) + 1 :] if len(row) > at)
    for path in sorted(DATA.glob("mlcommons-inference/v6.*/*.csv")):
        raw = path.read_bytes()
        rows = list(csv.reader(raw[: len(raw) // 2 * 2].decode("utf-16").splitlines(), delimiter="\t"))
        head = next(row for row in rows if "Public ID" in row)
        at = next(i for i, cell in enumerate(head) if cell.startswith("Accelerator"))
        yield from (row[at] for row in rows[rows.index(head) + 1 :] if len(row) > at)
    for path in sorted(DATA.glob("mlcommons-training/v*/*.csv")):
        with path.open(encoding="utf-8") as file:
            yield from (row["accelerator_model_name"] for row in csv.DictReader(file))


@pytest.mark.skipif(not DATA.is_dir(), reason="the published files are not beside this checkout")
def test_every_accelerator_that_mlperf_prints_is_known(resolver: Resolver) -> None:
    unknown = set()
    names = set(published_accelerators())
    for name in names:
        found = resolver.resolve("accelerator", name)
        if found.id is None and found.how != "empty":
            parts = [resolver.resolve("accelerator", part).id for part, _ in split_names(name)]
            unknown |= {name} if len(parts) < 2 or None in parts else set()
    assert len(names) > 70
    assert unknown == set()
