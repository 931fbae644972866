"""Segments, the manifest, and which revision is current."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ledger import durable
from kg.ledger.edition import behind, is_of
from kg.ledger.ledger import Ledger, Manifest, with_revision
from kg.ledger.segment import revision_of
from kg.model.recorded import ThingRecord

Json = Any


class Load(NamedTuple):
    """One call of `Ledger.add`: the names and what is said of them."""

    edition: str
    scope: Literal["full", "partial"]
    labels: dict[str, str]
    origin: str = "data/mlperf"
    registry: str = "r"

    def into(self, ledger: Ledger, *, replace: bool = False) -> None:
        records = [record(name, label) for name, label in self.labels.items()]
        ledger.add(
            records, origin=self.origin, edition=self.edition, scope=self.scope, registry=self.registry, replace=replace
        )


def record(name: str, label: str) -> Json:
    return with_revision({"record": "entity", "id": f"org/{name}", "kind": "vendor", "label": label})


def things(ledger: Ledger, manifest: Manifest | None = None) -> list[ThingRecord]:
    return [one for one in ledger.current(manifest) if one["record"] != "claim"]


def current(ledger: Ledger) -> dict[str, str]:
    return {one["id"].removeprefix("org/"): one["label"] for one in things(ledger)}


def in_order(folder: Path, loads: Iterable[Load]) -> Ledger:
    ledger = Ledger(folder)
    for load in loads:
        load.into(ledger)
    return ledger


def test_of_a_thousand_loads_of_one_edition_the_last_counts(tmp_path: Path) -> None:
    editions = ["2026-05-20"]
    for _ in range(1005):
        editions.append(behind("2026-05-20", editions))
    assert editions == sorted(editions) and all(is_of(one, "2026-05-20") for one in editions)
    ledger = in_order(tmp_path, [Load(one, "partial", {"x": one}) for one in editions[998:1003]])
    assert current(ledger) == {"x": editions[1002]}


def test_an_absent_ledger_is_empty(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "nothing")
    assert ledger.manifest().segments == ()
    assert list(ledger.current()) == []
    assert ledger.verify() == 0


def test_what_is_written_is_read_back_with_its_revision(tmp_path: Path) -> None:
    written = [record("a", "A"), record("ä", "Zoë “quoted” \n line"), record("b", "B")]
    ledger = Ledger(tmp_path)
    ledger.add(written, origin="content", edition="1", scope="full", registry="r")
    assert list(ledger.current()) == written
    assert ledger.verify() == 3


def test_a_revision_depends_on_content_not_on_order_of_keys() -> None:
    one = {"record": "entity", "id": "org/x", "label": "X"}
    assert revision_of(one) == revision_of(dict(reversed(one.items())))
    assert revision_of(one) == revision_of({**one, "revision": "0" * 16, "supersedes": "1" * 16})
    assert revision_of(one) != revision_of({**one, "label": "Y"})


def test_the_same_load_again_changes_nothing(tmp_path: Path) -> None:
    ledger, load = Ledger(tmp_path), Load("1", "full", {"a": "A"})
    load.into(ledger)
    before = (ledger.manifest(), sorted(path.name for path in ledger.segments_folder.iterdir()))
    load.into(ledger)
    load.into(ledger, replace=True)
    assert (ledger.manifest(), sorted(path.name for path in ledger.segments_folder.iterdir())) == before


def test_a_full_segment_retires_what_it_no_longer_holds(tmp_path: Path) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "A", "b": "B"}), Load("2", "full", {"b": "B"})])
    assert current(ledger) == {"b": "B"}


def test_a_partial_segment_retires_nothing(tmp_path: Path) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "A", "b": "B"}), Load("2", "partial", {"b": "Bee"})])
    assert current(ledger) == {"a": "A", "b": "Bee"}


def test_what_a_full_edition_dropped_returns_with_a_later_partial(tmp_path: Path) -> None:
    loads = [Load("1", "full", {"a": "A"}), Load("2", "full", {"b": "B"}), Load("3", "partial", {"a": "A again"})]
    assert current(in_order(tmp_path, loads)) == {"a": "A again", "b": "B"}


def test_a_late_load_of_an_old_edition_does_not_win(tmp_path: Path) -> None:
    loads = [Load("2025-09", "full", {"a": "new"}), Load("2025-04", "full", {"a": "old", "b": "gone"})]
    assert current(in_order(tmp_path, loads)) == {"a": "new"}


def test_a_changed_record_supersedes_its_older_revision(tmp_path: Path) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "old"}), Load("2", "full", {"a": "new"})])
    (only,) = ledger.current()
    assert only["supersedes"] == record("a", "old")["revision"]
    assert only["revision"] == record("a", "new")["revision"]


def test_an_unchanged_record_supersedes_nothing(tmp_path: Path) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "A"}), Load("2", "full", {"a": "A"})])
    (only,) = ledger.current()
    assert "supersedes" not in only


def test_a_record_that_two_origins_hold_is_there_once(tmp_path: Path) -> None:
    loads = [Load("1", "full", {"a": "one"}, origin="x"), Load("2", "full", {"a": "two"}, origin="y")]
    assert current(in_order(tmp_path, loads)) == {"a": "two"}
    assert len(list(Ledger(tmp_path).current())) == 1


def test_origins_do_not_retire_each_other(tmp_path: Path) -> None:
    loads = [Load("1", "full", {"a": "A"}, origin="x"), Load("2", "full", {"b": "B"}, origin="y")]
    assert current(in_order(tmp_path, loads)) == {"a": "A", "b": "B"}


def test_replace_takes_only_the_segments_of_its_origin(tmp_path: Path) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "A"}, origin="content"), Load("1", "full", {"b": "B"})])
    Load("1", "full", {"c": "C"}, origin="content").into(ledger, replace=True)
    assert current(ledger) == {"b": "B", "c": "C"}
    assert len(ledger.manifest().segments) == 2


def test_replace_with_a_segment_that_is_live_already_retires_the_others(tmp_path: Path) -> None:
    first, second = Load("1", "full", {"a": "A"}), Load("2", "full", {"b": "B"})
    ledger = in_order(tmp_path, [first, second])
    first.into(ledger, replace=True)
    assert current(ledger) == {"a": "A"}


def test_records_that_fail_half_way_leave_the_ledger_as_it_was(tmp_path: Path) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "A"})])

    def broken() -> Iterable[Json]:
        yield record("b", "B")
        raise ValueError("the reader stopped")

    with pytest.raises(ValueError, match="the reader stopped"):
        ledger.add(broken(), origin="data/mlperf", edition="2", scope="full", registry="r")
    assert current(ledger) == {"a": "A"}


@pytest.mark.parametrize("step", ["write:before", "write:after", "fsync:after", "segment:named"])
def test_a_full_disk_before_the_manifest_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "A"})])
    monkeypatch.setattr(durable, "boundary", fail_at(step))
    with pytest.raises(OSError, match="no space"):
        Load("2", "full", {"b": "B"}).into(ledger)
    monkeypatch.undo()
    assert current(ledger) == {"a": "A"}
    assert ledger.verify() == 1


def fail_at(step: str) -> Callable[[str], None]:
    def boundary(name: str) -> None:
        if name == step:
            raise OSError(28, "no space left on device")

    return boundary


def test_readers_keep_the_manifest_they_opened(tmp_path: Path) -> None:
    ledger = in_order(tmp_path, [Load("1", "full", {"a": "A"})])
    opened = ledger.manifest()
    Load("2", "full", {"b": "B"}).into(ledger, replace=True)
    assert [one["label"] for one in things(ledger, opened)] == ["A"]
    assert current(ledger) == {"b": "B"}


# --- laws ------------------------------------------------------------------------------------------------------------

LOADS = st.lists(
    st.builds(
        Load,
        edition=st.sampled_from(["2025-04", "2025-09", "2026-01"]),
        scope=st.sampled_from(["full", "partial"]),
        labels=st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["1", "2", "3"]), max_size=4),
        origin=st.sampled_from(["content", "data/mlperf"]),
    ),
    max_size=6,
)
EXAMPLES = pytest.mark.parametrize("examples", [15, pytest.param(60, marks=pytest.mark.long)])


def try_law(law: Callable[..., None], examples: int, **drawn: st.SearchStrategy[Any]) -> None:
    """Try a law with so many examples."""

    @settings(max_examples=examples, deadline=None)
    @given(**drawn)
    def tried(**values: Any) -> None:
        law(**values)

    tried()


@pytest.fixture
def folders(tmp_path: Path) -> Callable[[], Path]:
    count = iter(range(10**6))
    return lambda: tmp_path / str(next(count))


def canonical(ledger: Ledger) -> list[Json]:
    return sorted(ledger.current(), key=lambda one: (one["id"], one["revision"]))


@EXAMPLES
def test_the_order_of_loading_does_not_matter(folders: Callable[[], Path], examples: int) -> None:
    def law(data: st.DataObject, loads: list[Load]) -> None:
        shuffled = data.draw(st.permutations(loads))
        one, other = in_order(folders(), loads), in_order(folders(), shuffled)
        assert canonical(one) == canonical(other)
        assert one.manifest().head == other.manifest().head

    try_law(law, examples, data=st.data(), loads=LOADS)


@EXAMPLES
def test_loading_again_changes_nothing(folders: Callable[[], Path], examples: int) -> None:
    def law(data: st.DataObject, loads: list[Load]) -> None:
        ledger = in_order(folders(), loads)
        before = ledger.manifest()
        data.draw(st.sampled_from(loads)).into(ledger)
        assert ledger.manifest() == before

    try_law(law, examples, data=st.data(), loads=LOADS.filter(bool))


@EXAMPLES
def test_the_ledger_agrees_with_a_plain_account_of_its_rules(folders: Callable[[], Path], examples: int) -> None:
    def law(loads: list[Load]) -> None:
        found = {one["id"]: (one["label"], one.get("supersedes")) for one in things(in_order(folders(), loads))}
        assert found == expected(loads)

    try_law(law, examples, loads=LOADS)


@EXAMPLES
def test_one_reading_packs_the_records_that_two_readings_give(folders: Callable[[], Path], examples: int) -> None:
    def law(loads: list[Load]) -> None:
        ledger = in_order(folders(), loads)
        given_twice = {one["id"]: one["revision"] for one in ledger.current()}
        assert ledger.packed(lambda one: one["revision"]) == given_twice

    try_law(law, examples, loads=LOADS)


def expected(loads: list[Load]) -> dict[str, tuple[str, str | None]]:
    """Label and superseded revision of every current record, said without segments.

    Of each origin the newest full edition and what came since is live; among live revisions the newest edition wins,
    then the hash; it supersedes the next best of another content, live or retired.
    """
    newest = {load.origin: "" for load in loads}
    for load in loads:
        if load.scope == "full":
            newest[load.origin] = max(newest[load.origin], load.edition)
    found: dict[str, tuple[str, str | None]] = {}
    for name in {name for load in loads for name in load.labels}:
        said = {
            (load.edition, record(name, load.labels[name])["revision"]): load for load in loads if name in load.labels
        }
        live = [rank for rank, load in said.items() if is_live(name, rank, loads, newest)]
        if live:
            winner = max(live)
            older = [rank for rank in said if rank < winner and rank[1] != winner[1]]
            found[f"org/{name}"] = (said[winner].labels[name], max(older)[1] if older else None)
    return found


def is_live(name: str, rank: tuple[str, str], loads: list[Load], newest: dict[str, str]) -> bool:
    return any(
        load.edition == rank[0] >= newest[load.origin] and record(name, load.labels[name])["revision"] == rank[1]
        for load in loads
        if name in load.labels
    )


@EXAMPLES
def test_every_live_segment_verifies(folders: Callable[[], Path], examples: int) -> None:
    def law(loads: list[Load]) -> None:
        ledger = in_order(folders(), loads)
        assert ledger.verify() == sum(info.records for info in ledger.manifest().segments)

    try_law(law, examples, loads=LOADS)
