"""Building: idempotent, repeated when the content changed, a store of its own for other content, complete at any moment."""

import os
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from kg import session as graphs
from kg.__about__ import RULES_VERSION
from kg.build import build as building
from kg.build.build import StorePlace
from kg.build.writing import catch_up, load_files, rebuild
from kg.content.folders import Content
from kg.errors import LedgerError
from kg.ledger import durable
from kg.ledger.derived import read_derived
from kg.ledger.lock import StoreFull, writer_lock
from kg.session import open_graph
from kg.sync.locate import store_folder
from kg.sync.status import store_status
from tests.small_content import CLAIMS, claim, write_lines, write_small_content


def triples_digest(store: Path, root: Path) -> str:
    """A digest of all triples but those of the store itself (head, content, version)."""
    told = open_graph(store, content=root).query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
    assert isinstance(told, bytes)
    lines = sorted(line for line in told.splitlines() if b"/id/meta>" not in line)
    assert len(lines) > 100
    return sha256(b"\n".join(lines)).hexdigest()


def labels(store: Path, root: Path) -> set[str]:
    return {str(one["label"]) for one in open_graph(store, content=root).records() if one["record"] == "entity"}


def test_building_again_gives_the_same_head_and_triples(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    _, one = rebuild(store, content=root)
    first = triples_digest(store, root)
    _, two = rebuild(store, content=root)
    assert (one.claims, one.head, one.triples) == (two.claims, two.head, two.triples)
    assert triples_digest(store, root) == first
    assert one.claims == 3


def test_two_stores_of_one_content_are_alike(tmp_path: Path, root: Path) -> None:
    assert triples_digest(tmp_path / "a", root) == triples_digest(tmp_path / "b", root)


def test_touched_content_is_not_built_again_and_changed_content_is_and_says_so(tmp_path: Path, root: Path) -> None:
    store, told = tmp_path / "store", list[str]()
    before = open_graph(store, content=root, tell=told.append)
    claims = root / "seeds" / "claims" / "900.yaml"
    os.utime(claims, (1, 1))
    assert open_graph(store, content=root, tell=told.append).stamp == before.stamp and len(told) == 1
    claims.write_text(claims.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")
    after = open_graph(store, content=root, tell=told.append)
    assert told[1:] == ["the content has changed; building the store again"]
    assert after.stamp["head"] == before.stamp["head"]


def test_other_content_on_one_store_is_said_with_the_way_back(tmp_path: Path, root: Path) -> None:
    store, told = tmp_path / "store", list[str]()
    other = write_small_content(tmp_path / "other").root
    claims = other / "seeds" / "claims" / "900.yaml"
    claims.write_text(claims.read_text(encoding="utf-8") + "# another\n", encoding="utf-8")
    open_graph(store, content=root, tell=told.append)
    open_graph(store, content=other, tell=told.append)
    open_graph(store, tell=told.append)
    assert told[1:] == [
        f"the store was built from {root} and is built from {other} from now on; --content {root} goes back"
    ]


def test_other_rules_of_the_audit_make_the_view_again(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, told = tmp_path / "store", list[str]()
    for name in ("kg.build.build", "kg.build.locate"):
        monkeypatch.setattr(f"{name}.RULES_VERSION", 1)
    before = open_graph(store, content=root)
    monkeypatch.undo()
    assert before.stamp["rules"] == 1
    after = open_graph(store, content=root, tell=told.append)
    assert told == ["made by another version or other rules of the audit; building the store again"]
    assert after.stamp["rules"] == RULES_VERSION > 1 and after.stamp["generation"] != before.stamp["generation"]


def test_changed_content_replaces_what_it_said_before(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    open_graph(store, content=root)
    changed = CLAIMS.replace("    metric: power\n", "    metric: power\n    modality: required\n")
    (root / "seeds" / "claims" / "900.yaml").write_text(
        changed.replace("speed.two-one", "speed.other"), encoding="utf-8"
    )
    records = {one["id"]: one for one in open_graph(store, content=root).records()}
    assert records["900/power.one"]["modality"] == "required"
    assert "900/speed.other" in records and "900/speed.two-one" not in records


def test_loaded_claims_outlive_a_rebuild(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    file = write_lines(tmp_path / "mine.jsonl", claim())
    load_files([file], store=store, content=root, edition="2025-03-01", dry_run=False, wait_seconds=5)
    before = triples_digest(store, root)
    rebuild(store, content=root)
    assert triples_digest(store, root) == before
    assert "900/new" in {one["id"] for one in open_graph(store, content=root).records()}


def test_content_that_became_wrong_leaves_the_store_as_it_was(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    head = open_graph(store, content=root).stamp["head"]
    before = {path.relative_to(store): path.read_bytes() for path in store.rglob("*") if path.is_file()}
    (root / "seeds" / "claims" / "900.yaml").write_text(CLAIMS.replace("unit: W", "unit: Wat"), encoding="utf-8")
    with pytest.raises(Exception, match="Wat"):
        open_graph(store, content=root)
    assert {path.relative_to(store): path.read_bytes() for path in store.rglob("*") if path.is_file()} == before
    assert StorePlace(store).ledger.manifest().head == head


def test_a_store_that_cannot_be_written_is_replaced_by_a_temporary_one(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.build.writing.is_writable", lambda _: False)  # the superuser writes everywhere
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    told: list[str] = []
    graph = open_graph(tmp_path / "store", content=root, tell=told.append)
    assert told[0] == f"{tmp_path / 'store'} cannot be written; using a temporary store at {graph.folder}"
    assert graph.folder.parent == tmp_path and graph.folder.name.startswith("accelkg-")
    assert len(list(graph.records())) > 3


def test_other_content_has_a_store_of_its_own(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KG_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    other = write_small_content(tmp_path / "other").root
    folders = {store_folder(None, content=None), store_folder(None, content=root), store_folder(None, content=other)}
    assert len(folders) == 3 and {one.parent for one in folders} == {tmp_path / "data" / "accelkg"}
    assert open_graph(content=root).folder != open_graph(content=other).folder
    monkeypatch.setenv("KG_STORE", str(tmp_path / "named"))
    assert store_folder(None, content=root) == tmp_path / "named"


class CutOff(BaseException):
    """Stands for a kill: no handler of the program stops it."""


def test_a_load_cut_off_before_its_view_is_seen_at_the_next_question(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    open_graph(store, content=root)

    def cut(*_: object, **__: object) -> None:
        raise CutOff

    monkeypatch.setattr("kg.build.load.refresh_view", cut)
    file = write_lines(tmp_path / "mine.jsonl", claim())
    with pytest.raises(CutOff):
        load_files([file], store=store, content=root, edition="2025-03-01", dry_run=False, wait_seconds=5)
    monkeypatch.undo()
    assert str(store_status(store, content=str(root))["view"]).startswith("stale")
    told: list[str] = []
    assert "900/new" in {one["id"] for one in open_graph(store, content=root, tell=told.append).records()}
    assert told == ["a load was cut off before its view was made; making it now"]
    assert store_status(store, content=str(root))["view"] == "up to date"


def test_loading_a_cut_off_file_again_makes_its_view(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    open_graph(store, content=root)
    file = write_lines(tmp_path / "mine.jsonl", claim())
    monkeypatch.setattr("kg.build.load.refresh_view", lambda *_, **__: (_ for _ in ()).throw(CutOff()))
    with pytest.raises(CutOff):
        load_files([file], store=store, content=root, edition="2025-03-01", dry_run=False, wait_seconds=5)
    monkeypatch.undo()
    load_files([file], store=store, content=root, edition="2025-03-01", dry_run=False, wait_seconds=5)
    assert StorePlace(store).is_current()


def test_the_derived_set_is_there_before_its_view(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, seen = tmp_path / "store", list[bool]()
    whole = durable.write_whole

    def watched(path: Path, chunks: Iterable[bytes]) -> None:
        if path.name == "current":
            seen.append(any((store / "ledger" / "derived").glob("*.jsonl.gz")))
        whole(path, chunks)

    monkeypatch.setattr(durable, "write_whole", watched)
    graph = open_graph(store, content=root)
    assert seen == [True]
    assert list(read_derived(store / "ledger" / "derived", graph.stamp["head"], graph.stamp["rules"]))


def test_a_reader_may_keep_its_view_while_another_is_made(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    early = open_graph(store, content=root)
    file = write_lines(tmp_path / "mine.jsonl", claim())
    load_files([file], store=store, content=root, edition="2025-03-01", dry_run=False, wait_seconds=5)
    count = "SELECT (COUNT(DISTINCT ?c) AS ?n) { ?c k:statementKey ?key }".replace(
        "k:", "<https://w3id.org/accelkg/ontology#"
    ).replace("statementKey", "statementKey>")
    late = graphs.open_graph(store, content=root)
    numbers = [one.query(count) for one in (early, late)]
    assert [one.rows for one in numbers if not isinstance(one, bytes)] == [((3,),), ((4,),)]


class Editor:
    """Saves a file of the content when a build gets to a step, as often as it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, root: Path, step: str, times: int) -> None:
        self._file, self._left, self._saved = root / "seeds" / "claims" / "900.yaml", times, 0
        whole = getattr(building, step)

        def edited(*given: object, **options: object) -> object:
            if self._left:
                self._left -= 1
                self.save()
            return whole(*given, **options)

        monkeypatch.setattr(building, step, edited)

    def save(self) -> None:
        self._saved += 1
        text = self._file.read_text(encoding="utf-8")
        saved = f"{{id: power.one, note: saved {self._saved},"
        self._file.write_text(re.sub(r"\{id: power.one,( note: saved \d+,)?", saved, text), encoding="utf-8")


def noted(graph: graphs.Graph) -> set[object]:
    return {one.get("note") for one in graph.records() if one["record"] == "claim"} - {None}


@pytest.mark.parametrize("step", ["content_records", "read_background", "view_stamp", "write_lexicon"])
def test_content_that_changes_under_a_build_is_in_the_answers(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    Editor(monkeypatch, root, step, times=1)
    graph = open_graph(tmp_path / "store", content=root)
    assert noted(graph) == {"saved 1"}


@pytest.mark.parametrize("step", ["content_records", "read_background", "view_stamp", "write_lexicon"])
def test_content_that_always_changes_is_answered_and_built_again_when_it_rests(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    told: list[str] = []
    with monkeypatch.context() as patch:
        Editor(patch, root, step, times=99)
        graph = open_graph(tmp_path / "store", content=root, tell=told.append)
        assert noted(graph) <= {"saved 1", "saved 2"}
    assert told[-1] == "the content changes while the store is built; the answers are those of a moment ago"
    assert noted(open_graph(tmp_path / "store", content=root)) == {"saved 2"}


def test_content_that_changes_under_a_load_is_built_again(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_graph(tmp_path / "store", content=root).close()
    file = write_lines(tmp_path / "mine.jsonl", claim())
    Editor(monkeypatch, root, "view_stamp", times=1)
    load_files([file], store=tmp_path / "store", content=root, edition="2025-03-01", dry_run=False, wait_seconds=5)
    assert noted(open_graph(tmp_path / "store", content=root)) == {"saved 1"}


def test_a_view_is_brought_up_to_date_unless_a_writer_is_at_it_or_it_cannot_be_made(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, told, content = tmp_path / "store", list[str](), Content(root)
    open_graph(store, content=root).close()
    with writer_lock(store, wait_seconds=5, purpose="build"):
        assert catch_up(store, content, told.append) is False
    assert (catch_up(store, content, told.append), told) == (True, [])

    def fails(error: Exception) -> bool:
        def make(*_: object) -> None:
            raise error

        monkeypatch.setattr("kg.build.writing.make_current", make)
        return catch_up(store, content, told.append)

    assert not fails(OSError(5, "Input/output error")) and not fails(StoreFull(path="x"))
    assert not fails(LedgerError(path="x", given="a cut file"))
    assert [one.partition(". ")[0] for one in told] == [
        "the last load is not in the answers: its view could not be made (Input/output error); mend that, then run kg build",
        "the last load is not in the answers: its view could not be made (no space left on the disk); mend that, then run kg build",
        "the last load is not in the answers; run kg build",
    ]
