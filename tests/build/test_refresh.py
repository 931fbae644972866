"""A view brought up to date by difference is, triple by triple, the one made from nothing; and it is made by difference."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pyoxigraph
import pytest

from kg.audit.rules.naming import HARDWARE, MODELS
from kg.build import build
from kg.build.build import Built, StorePlace, build_view, content_records, refresh_view
from kg.content.entities import Registry
from kg.content.folders import find_content
from kg.content.vocabulary import Vocabulary
from kg.ledger import durable
from kg.ledger.derived import derived_set
from kg.ledger.ledger import with_revision
from tests.sampling import FURTHER, first

Json = Any
ROOT = Path(__file__).resolve().parents[2]
CONTENT = find_content(ROOT)
START = 150


class Made:
    """The shipped claims and things as material, and two ways to a view."""

    def __init__(self) -> None:
        records, registry, vocabulary = content_records(CONTENT)
        bare = [{key: one for key, one in record.items() if key != "revision"} for record in records]
        self.claims: list[Any] = [one for one in bare if one["record"] == "claim"]
        self.things: list[Any] = [one for one in bare if one["record"] != "claim"]
        self.registry: Registry = registry
        self.vocabulary: Vocabulary = vocabulary
        self.first = Path()

    def add(
        self,
        place: StorePlace,
        records: list[Json],
        *,
        origin: str = "claims/x",
        edition: str = "2025",
        scope: Any = "partial",
    ) -> None:
        by_id = {one["id"]: one for one in records}
        place.ledger.add(
            [with_revision(one) for one in by_id.values()], origin=origin, edition=edition, scope=scope, registry="r"
        )

    def whole(self, place: StorePlace) -> Built:
        return build_view(place, CONTENT, self.vocabulary, self.registry)

    def refreshed(self, place: StorePlace) -> Built:
        return refresh_view(place, CONTENT, self.vocabulary, self.registry)

    def drawn(self, folder: Path, draw: Random) -> StorePlace:
        place = StorePlace(folder)
        self.add(place, [*draw.sample(self.claims, START), *self.things], origin="content", edition="1", scope="full")
        self.whole(place)
        return place

    def start(self, folder: Path) -> StorePlace:
        """A copy of one that was drawn: what is tested comes after."""
        return StorePlace(Path(shutil.copytree(self.first, folder)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "write_lexicon", lambda *_: None)  # the compiled questions are no part of a view
        found = Made()
        found.first = found.drawn(tmp_path_factory.mktemp("drawn") / "store", Random(0)).folder
        yield found


@pytest.fixture
def by_difference_only(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Called, it makes a build from nothing within a refresh a failure of the test."""

    def fail(*_: object, **__: object) -> Built:
        raise AssertionError("made from nothing")

    return lambda: monkeypatch.setattr(build, "build_view", fail)


def triples(place: StorePlace) -> set[bytes]:
    live = place.rdf.current()
    assert live is not None
    store = pyoxigraph.Store.read_only(str(live[0]))
    assert len(store) == live[1]["triples"]
    written = store.dump(format=pyoxigraph.RdfFormat.N_TRIPLES, from_graph=pyoxigraph.DefaultGraph())
    assert written is not None
    return set(written.splitlines())


def derived(place: StorePlace) -> list[bytes]:
    live = place.rdf.current()
    assert live is not None
    return sorted(one.rstrip(b"\n") for one in derived_set(place.derived, live[1]["head"], live[1]["rules"]))


def index(place: StorePlace) -> dict[str, list[Any]]:
    """The tables of the index, claims by id in place of their numbers."""
    with sqlite3.connect(place.index) as base:
        name = dict(base.execute("SELECT n, id FROM claims"))
        found = {
            table: sorted(base.execute(f"SELECT * FROM {table}")) for table in ("things", "others", "units", "involved")
        }
        found["claims"] = sorted(base.execute("SELECT id, segment, edition, number, body FROM claims"))
        found["scopes"] = sorted((scope, name[n], tag) for scope, n, tag in base.execute("SELECT * FROM scopes"))
        found["links"] = sorted((target, name[n]) for target, n in base.execute("SELECT * FROM links"))
    return found


def assert_as_from_nothing(made: Made, place: StorePlace, built: Built) -> None:
    other = StorePlace(place.folder.parent / "again")
    shutil.rmtree(other.folder, ignore_errors=True)
    shutil.copytree(place.folder / "ledger", other.folder / "ledger")
    again = made.whole(other)
    assert triples(place) == triples(other)
    assert derived(place) == derived(other)
    here, there = index(place), index(other)
    assert {name for name in here if here[name] != there[name]} == set()
    assert (built.claims, built.triples, built.findings) == (again.claims, again.triples, again.findings)


def changed(claim: Json, made: Made, draw: Random) -> Json:
    """A correction: of the figure, the conditions, the links, the subject, the place or the metric."""
    claim = orjson.loads(orjson.dumps(claim))
    kind, quantity = draw.randrange(9), claim.get("quantity") or {}
    other = draw.choice(made.claims)
    if kind == 0 and isinstance(quantity.get("value"), int | float):
        quantity["value"] *= draw.choice([2, 3, 10, 1000])
        quantity["printed"] = str(quantity["value"])
    elif kind == 1:
        claim["conditions"] = {**claim.get("conditions", {}), "batch": draw.randrange(9)}
    elif kind in (2, 3, 5):
        claim.pop({2: "restates", 3: "derivations", 5: "conditions"}[kind], None)
    elif kind == 4:
        claim["restates"] = [{"claim": other["id"], "fidelity": "identical"}]
    elif kind == 6:
        claim["subject"] = other["subject"]
    elif kind == 7:
        claim["anchor"] = dict(other["anchor"])
    else:
        claim["metric"] = other["metric"]
    return {**claim, "note": f"changed {draw.randrange(1000)}"}


def twin(claim: Json, draw: Random) -> Json:
    source, _, key = claim["id"].partition("/")
    return {**claim, "id": f"{source}/twin{draw.randrange(500)}.{key}"}


def loads(made: Made, draw: Random, count: int) -> Iterator[tuple[list[Json], Any]]:
    """Random loads: additions, corrections, earlier and later editions, withdrawals, copies, new things."""
    for step in range(count):
        some = draw.sample(made.claims, 12)
        how: Any = {"origin": f"claims/{draw.randrange(3)}", "edition": f"2025-{draw.randrange(1, 13):02d}"}
        kind = draw.choice(["add", "change", "mix", "full", "twins", "things"])
        if kind == "change":
            some = [changed(one, made, draw) for one in some]
        elif kind == "mix":
            some = [changed(one, made, draw) if draw.random() < 0.5 else one for one in some]
        elif kind == "full":
            some = [changed(one, made, draw) if draw.random() < 0.3 else one for one in some[: draw.randrange(12)]]
            how = {"origin": "published", "edition": str(2026 + step), "scope": "full"}
        elif kind == "twins":
            some = [twin(changed(one, made, draw) if draw.random() < 0.5 else one, draw) for one in some]
        elif kind == "things":
            part = draw.choice(["accelerator/nvidia-h200-sxm-141gb", "accelerator/nvidia-gb200-gpu"])
            some = [
                {
                    "record": "entity",
                    "id": f"org/new-{step}",
                    "kind": "vendor",
                    "label": draw.choice(["Llama", "DeepSeek", "Qwen"]),
                },
                {
                    "record": "entity",
                    "id": f"system/new-{step}",
                    "kind": "node",
                    "label": f"Node {step}",
                    "maker": f"org/new-{step}",
                    "parts": [
                        {"part": part, "count": draw.choice([2, 4, 8])},
                        {"part": "cpu/nvidia-grace", "count": 2},
                    ],
                },
                {**twin(some[0], draw), "subject": f"system/new-{step}"},
            ]
        yield some, how


@pytest.mark.parametrize(("seed", "count"), [(0, 2), *(pytest.param(one, 4, marks=FURTHER) for one in range(8))])
def test_any_loads_in_any_order_give_what_a_build_from_nothing_gives(
    seed: int, count: int, made: Made, tmp_path: Path
) -> None:
    draw = Random(seed)
    place = made.drawn(tmp_path / "grown", draw)
    for records, how in loads(made, draw, count):
        made.add(place, records, **how)
        assert_as_from_nothing(made, place, made.refreshed(place))


def published(made: Made, draw: Random, count: int) -> Iterator[list[Json]]:
    """Loads of results, of power measured with them, and of prices of accelerators and of the series above them."""
    results = [
        one for one in made.claims if one["source"].startswith("source/mlcommons-") and one["metric"] == "throughput"
    ]
    shared = ("task", "scenario", "round", "category", "includes", "entry", "model")
    for step in range(count):
        some = []
        for one in draw.sample(results, 12):
            other, quantity = draw.choice(results), {**one["quantity"]}
            conditions = {
                **one["conditions"],
                **{
                    name: other["conditions"][name]
                    for name in shared
                    if name in other["conditions"] and draw.random() < 0.3
                },
            }
            quantity["value"] = quantity["value"] * draw.choice([1, 2, 3, 10])
            quantity["printed"] = str(quantity["value"])
            claim = {**twin(one, draw), "conditions": conditions, "quantity": quantity}
            if draw.random() < 0.3:
                claim["conditions"] = {**conditions, "includes": "power", "entry": "1"}
                some.append(
                    {
                        **claim,
                        "id": f"{claim['id']}.power",
                        "metric": "power",
                        "normaliser": "per-system",
                        "quantity": {"printed": f"{step + 5} kW", "value": step + 5, "unit": "kW"},
                    }
                )
            some.append(claim)
            if draw.random() < 0.5:
                price = draw.choice([2, 3, 40])
                some.append(
                    {
                        "record": "claim",
                        "id": f"{claim['id']}.price",
                        "kind": "price",
                        "metric": "rental-price",
                        "level": "accelerator",
                        "subject": draw.choice([one["subject"], "family/nvidia-b200", "family/nvidia-h200"]),
                        "normaliser": "per-gpu-hour",
                        "quantity": {"printed": f"${price}", "value": price, "unit": "USD/h"},
                        "asserted_by": one["asserted_by"],
                        "source": one["source"],
                        "anchor": one["anchor"],
                    }
                )
        yield some


@pytest.mark.parametrize(("seed", "count"), [(1, 3), *(pytest.param(one, 4, marks=FURTHER) for one in range(6))])
def test_rows_from_published_results_follow_loads_of_results_and_prices(
    seed: int, count: int, made: Made, tmp_path: Path
) -> None:
    draw = Random(seed)
    place, kinds = made.drawn(tmp_path / "grown", draw), set[str]()
    for number, records in enumerate(published(made, draw, count)):
        # the same origin in full takes out what the load before brought
        made.add(place, records, origin=f"published/{number % 2}", edition=f"2026-{number}", scope="full")
        assert_as_from_nothing(made, place, made.refreshed(place))
        rows = [orjson.loads(line) for line in derived(place) if b'"record":"measured"' in line]
        kinds.update(row["kind"] for row in rows)
    assert kinds >= {"best", "gain", "cost", "efficiency"}


def test_a_load_is_made_by_difference(made: Made, tmp_path: Path, by_difference_only: Callable[[], None]) -> None:
    draw = Random(1)
    place = made.start(tmp_path / "grown")
    made.add(place, [twin(one, draw) for one in draw.sample(made.claims, 9)])
    by_difference_only()
    before = place.rdf.current()
    assert made.refreshed(place).claims == START + 9
    after = place.rdf.current()
    assert before is not None and after is not None and before[0] != after[0]
    assert after[1]["previous"] == before[0].name


def test_a_correction_is_seen_where_another_group_leans_on_it(made: Made, tmp_path: Path) -> None:
    place = made.start(tmp_path / "grown")
    source = next(
        one
        for one in made.claims
        if one["metric"] == "memory-capacity" and "baseline" not in one and one.get("quantity", {}).get("unit") == "GB"
    )
    plain = {key: one for key, one in source.items() if key not in ("restates", "same_as", "derivations", "conditions")}
    power = {"printed": "700 W", "value": 700, "unit": "W"}
    above = {**plain, "id": "001/zz.above", "metric": "power", "quantity": power, "statistic": "mean"}
    leaning = {**plain, "id": "001/zz.leaning", "restates": [{"claim": above["id"], "fidelity": "unverified"}]}
    other = {
        **plain,
        "id": "001/zz.other",
        "statistic": "max",
        "quantity": {"printed": "7 GB", "value": 7, "unit": "GB"},
    }
    made.add(place, [above, leaning, other], edition="2024")
    made.refreshed(place)
    before = {line for line in derived(place) if b"zz.leaning" in line and b'"code":"conflict' in line}
    made.add(place, [{key: one for key, one in above.items() if key != "statistic"}], edition="2025")
    built = made.refreshed(place)
    assert before != {line for line in derived(place) if b"zz.leaning" in line and b'"code":"conflict' in line}
    assert_as_from_nothing(made, place, built)


def test_a_correction_is_seen_by_what_repeats_a_claim_computed_from_it(made: Made, tmp_path: Path) -> None:
    place = made.start(tmp_path / "grown")
    named = (one for one in made.claims if (one.get("quantity") or {}).get("unit") == "GB")
    plain = next(one for one in named if not {"restates", "same_as", "derivations"} & one.keys())

    def twice(name: str) -> list[Json]:
        return [{"expression": "a * k", "inputs": {"a": {"claim": name}, "k": {"constant": 2, "unit": "1"}}}]

    first, below = {**plain, "id": "001/zz.first"}, {**plain, "id": "001/zz.below"}
    double = {**plain, "id": "001/zz.double", "derivations": twice(first["id"])}
    copy = {**plain, "id": "001/zz.copy", "restates": [{"claim": double["id"], "fidelity": "unverified"}]}
    above = {**plain, "id": "001/zz.above", "derivations": twice(copy["id"])}
    made.add(place, [first, below, double, copy, above], edition="2024")
    made.refreshed(place)
    made.add(place, [{**first, "derivations": twice(below["id"])}], edition="2025")
    assert_as_from_nothing(made, place, made.refreshed(place))


def test_a_figure_that_others_refute_takes_away_the_ground_of_what_rests_on_it(made: Made, tmp_path: Path) -> None:
    """Found before: a result was confirmed because it recomputes, from inputs that the same audit called wrong."""
    place = made.start(tmp_path / "grown")
    plain = next(
        one
        for one in made.claims
        if one["kind"] == "specification"
        and (one["metric"], one["level"]) == ("memory-capacity", "accelerator")
        and one["subject"].startswith("accelerator/")
        and not {"restates", "same_as", "derivations", "conditions", "baseline", "path"} & one.keys()
    )

    def area(name: str, value: int) -> Json:
        printed = {"printed": f"{value} mm2", "value": value, "unit": "mm2"}
        return {**plain, "id": f"001/zz.{name}", "metric": "die-area", "quantity": printed}

    half = [{"expression": "a * k", "inputs": {"a": {"claim": "001/zz.area"}, "k": {"constant": 2, "unit": "1"}}}]
    resting = {**area("resting", 16280), "subject": "accelerator/nvidia-b200", "derivations": half}
    against = [{"expression": "rests-on", "inputs": {"i0": {"claim": "001/zz.area", "role": "contradicting"}}}]
    opposed = {**area("opposed", 700), "subject": "accelerator/nvidia-b300", "derivations": against}
    made.add(place, [area("area", 8140), resting, opposed], edition="2024")
    made.refreshed(place)

    def advice(name: str = "001/zz.resting") -> Json:
        records = map(orjson.loads, derived(place))
        return next(one for one in records if (one["record"], one.get("claim")) == ("advice", name))

    assert (advice()["verdict"], advice()["value"]) == ("confirmed", None)
    before = advice("001/zz.opposed")
    made.add(place, [area("other", 814), area("third", 814)], origin="claims/y")
    built = made.refreshed(place)
    assert advice()["verdict"] == "caution"
    assert (advice()["reason"], advice()["value"]) == ("rests on what is wrong: 001/zz.area", "1,628 mm2")
    # what speaks against a claim is no ground of it: that it is wrong takes nothing away
    assert (advice("001/zz.opposed")["verdict"], advice("001/zz.opposed").get("reason")) == (
        before["verdict"],
        before.get("reason"),
    )
    assert_as_from_nothing(made, place, built)


def test_those_left_behind_by_a_correction_are_counted_again(made: Made, tmp_path: Path) -> None:
    place = made.start(tmp_path / "grown")
    plain = next(
        one for one in made.claims if (one.get("quantity") or {}).get("unit") == "GB" and "restates" not in one
    )
    twins = [{**plain, "id": f"001/zz.{number}"} for number in range(3)]
    made.add(place, twins, edition="2024")
    made.refreshed(place)
    assert any(b'"record":"echo"' in line and line.count(b"001/zz.") >= 3 for line in derived(place))
    other = {**plain["quantity"], "value": 3, "printed": "3 GB"}
    made.add(place, [{**twins[2], "quantity": other}], edition="2025")
    assert_as_from_nothing(made, place, made.refreshed(place))
    assert not any(b'"record":"echo"' in line and b"001/zz.2" in line for line in derived(place))


def test_a_new_maker_is_seen_in_claims_that_were_there(made: Made, tmp_path: Path) -> None:
    place = made.start(tmp_path / "grown")
    models = {one["id"] for one in made.things if one.get("kind") in MODELS and one.get("maker")}
    plain = next(one for one in made.claims if one["subject"] in models and one["level"] not in HARDWARE)
    made.add(place, [{**plain, "id": "001/zz.named", "subject_printed": "Zebra Seven"}], edition="2024")
    made.refreshed(place)
    assert not any(b"naming.maker" in line and b"zz.named" in line for line in derived(place))
    made.add(place, [{"record": "entity", "id": "org/zebra", "kind": "vendor", "label": "Zebra"}])
    built = made.refreshed(place)
    assert any(b"naming.maker" in line and b"zz.named" in line for line in derived(place))
    assert_as_from_nothing(made, place, built)


def test_a_source_of_another_day_is_seen_in_the_order_of_what_repeats(
    made: Made, tmp_path: Path, by_difference_only: Callable[[], None]
) -> None:
    place = made.drawn(tmp_path / "grown", Random(9))  # without the claim that is said again
    dated = [one for one in made.things if one["record"] == "source" and one["kind"] == "source" and "published" in one]
    first, second = [one for one in dated if "machine_written" not in one][:2]
    linking = {"restates", "same_as", "derivations", "path"}
    plain = next(one for one in made.claims if not linking & one.keys() and one.get("quantity", {}).get("unit"))
    said = {**plain, "asserted_by": "org/nvidia", "id": f"{first['id']}/zz.said", "source": first["id"]}
    made.add(
        place,
        [
            {**first, "published": "2024-01-01"},
            {**second, "published": "2024-02-01"},
            said,
            {**said, "id": f"{second['id']}/zz.said", "source": second["id"]},
        ],
        edition="2024",
    )
    made.whole(place)
    by_difference_only()

    def origin() -> str:
        (cluster,) = [line for line in derived(place) if b'"record":"echo"' in line and b"zz.said" in line]
        return str(orjson.loads(cluster)["echo_of"])

    assert origin() == f"{first['id']}/zz.said"
    made.add(place, [{**first, "published": "2024-03-01"}])
    built = made.refreshed(place)
    assert origin() == f"{second['id']}/zz.said"
    assert_as_from_nothing(made, place, built)


@pytest.mark.parametrize("what", first(2, ["index", "dangling", "entity", "most"]))
def test_what_a_difference_cannot_give_is_made_from_nothing(what: str, made: Made, tmp_path: Path) -> None:
    draw = Random(2)
    place = made.start(tmp_path / "grown")
    some = [twin(draw.choice(made.claims), draw)]
    if what == "index":
        place.index.unlink()
    elif what == "entity":
        some.append({**next(one for one in made.things if one["record"] == "entity"), "label": "Another label"})
    elif what == "most":
        some = [twin(one, draw) for one in made.claims]
    else:
        made.add(place, [{**some[0], "conditions": {"model": "model/unknown-yet"}}], edition="2024")
        made.refreshed(place)
        some = [{"record": "entity", "id": "model/unknown-yet", "kind": "dense-model", "label": "Late"}]
    made.add(place, some)
    with pytest.MonkeyPatch.context() as patch:
        called: list[str] = []

        def spied(*given: Any, **more: Any) -> Built:
            called.append(what)
            return build_view(*given, **more)

        patch.setattr(build, "build_view", spied)
        built = made.refreshed(place)
    assert called == [what]
    assert_as_from_nothing(made, place, built)


def test_a_refresh_cut_off_at_the_switch_is_made_good(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made.start(tmp_path / "grown")
    made.add(place, [twin(one, Random(3)) for one in made.claims[:5]])
    whole = durable.write_whole

    def cut(path: Path, chunks: Any) -> None:
        if path.name == "current":
            raise KeyboardInterrupt
        whole(path, chunks)

    monkeypatch.setattr(durable, "write_whole", cut)
    with pytest.raises(KeyboardInterrupt):
        made.refreshed(place)
    monkeypatch.undo()
    assert not place.is_current()
    assert_as_from_nothing(made, place, made.refreshed(place))


def test_the_generation_before_is_not_touched(made: Made, tmp_path: Path) -> None:
    place = made.start(tmp_path / "grown")
    live = place.rdf.current()
    assert live is not None
    files = {one.name: (one.stat().st_size, one.stat().st_mtime_ns) for one in live[0].iterdir()}
    made.add(place, [changed(one, made, Random(4)) for one in made.claims[:40]])
    made.refreshed(place)
    assert {one.name: (one.stat().st_size, one.stat().st_mtime_ns) for one in live[0].iterdir()} == files


def test_sets_that_lean_on_one_another_are_joined_at_some_time(made: Made, tmp_path: Path) -> None:
    draw = Random(5)
    place = made.start(tmp_path / "grown")
    count = []
    for step in range(4):
        made.add(place, [twin(one, draw) for one in draw.sample(made.claims, 60)], origin=f"claims/{step}")
        made.refreshed(place)
        count.append(len(list(place.derived.glob("*.jsonl.gz"))))
    assert max(count) > 1 and count[-1] <= max(count)
    live = place.rdf.current()
    assert live is not None
    said = {line for line in derived(place) if b'"record":"advice"' in line}
    assert len(said) == START + len({one["id"] for one in place.ledger.current() if "/twin" in one["id"]})


@pytest.mark.parametrize("is_built_between", [False, True])
def test_what_a_whole_edition_dropped_supersedes_what_it_was_when_it_comes_back(
    is_built_between: bool, made: Made, tmp_path: Path, by_difference_only: Callable[[], None]
) -> None:
    place = made.start(tmp_path / "grown")
    held = {one["id"] for one in place.ledger.current()}
    back, *others = [one for one in made.claims if one["id"] not in held][:3]
    for year, records in (("2026", [back, *others]), ("2027", others)):
        made.add(place, records, origin="published", edition=year, scope="full")
        assert_as_from_nothing(made, place, made.refreshed(place))
    if is_built_between:
        made.whole(place)
    by_difference_only()
    made.add(place, [{**back, "note": "otherwise"}, *others], origin="published", edition="2028", scope="full")
    built = made.refreshed(place)
    (now,) = [one for one in place.ledger.current() if one["id"] == back["id"]]
    assert now["supersedes"] == with_revision(back)["revision"]
    assert_as_from_nothing(made, place, built)
