"""Two pushes to one SPARQL endpoint at once; the server is an embedded store."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pyoxigraph as ox
import pytest

from kg.build.writing import rebuild
from kg.session import open_graph
from kg.stores.protocol import Answer
from kg.stores.sparql_endpoint import VIEW_GRAPH
from kg.sync.buckets import BucketChange, Buckets
from kg.sync.push import LedgerFile, PushState, push_to
from kg.sync.push_errors import PushIncomplete, PushTakenOver
from kg.sync.sparql_target import SparqlTarget
from tests.small_content import write_small_content


@dataclass
class Endpoint:
    """As much of an endpoint as a push needs."""

    store: ox.Store
    graph: str = ""
    addresses: ClassVar[Any] = SimpleNamespace(query="http://h/kg")

    def on(self, graph: str) -> "Endpoint":
        return replace(self, graph=graph)

    def select(self, text: str, **_: object) -> Answer:
        found: Any = self.store.query(text, default_graph=ox.NamedNode(self.graph))
        names = tuple(one.value for one in found.variables)
        return Answer(names, tuple(tuple(None if one is None else one.value for one in row) for row in found))

    def update(self, text: str, **_: object) -> None:
        self.store.update(text)

    def add(self, lines: Iterable[bytes], graph: str, **_: object) -> None:
        self.store.load(input=b"".join(lines), format=ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode(graph))


class Target(SparqlTarget):
    """A target whose local graph is a few triples with one value."""

    def __init__(self, store: ox.Store, value: str) -> None:
        super().__init__(Endpoint(store))  # type: ignore[arg-type]
        self.value = value
        self.before_add: Callable[[], object] | None = None
        self.after_count: Callable[[], object] | None = None
        add = self._view.add

        def late(*given: Any, **options: Any) -> None:
            if self.before_add is not None:
                self.before_add()
            add(*given, **options)

        self._view.add = late  # type: ignore[method-assign]

    def local(self, graph: object) -> Buckets:  # noqa: ARG002 - named by the protocol
        parts = Buckets()
        for number in range(5):
            parts.add(f"urn:{number}", f'<urn:{number}> <urn:p> "{self.value} {number}" .')
        return parts

    def counts(self) -> Sequence[int]:
        found = super().counts()
        if self.after_count is not None:
            self.after_count()
        return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fence")
    return rebuild(path / "store", content=write_small_content(path / "content").root)[0]


@pytest.fixture
def graph(folder: Path) -> Any:
    """What a push looks at of a local graph; each name of content is another one."""
    live = open_graph(folder, content=folder.parent / "content")
    live.close()
    return lambda name: SimpleNamespace(folder=folder, stamp={**live.stamp, "content": name})


def values(store: ox.Store) -> set[str]:
    quads = store.quads_for_pattern(None, None, None, ox.NamedNode(VIEW_GRAPH))
    return {one.object.value.partition(" ")[0] for one in quads if isinstance(one.object, ox.Literal | ox.NamedNode)}


def state_of(store: ox.Store) -> PushState:
    state = Target(store, "").state()
    assert state is not None
    return state


def test_a_push_that_was_taken_over_while_it_counted_does_not_say_ready(graph: Any) -> None:
    store = ox.Store()
    push_to(Target(store, "old"), graph("old"))
    first, second = Target(store, "new"), Target(store, "newest")

    def cut(run: str) -> None:
        raise KeyboardInterrupt

    def begin() -> None:
        second.settle = cut  # type: ignore[method-assign]
        with pytest.raises(KeyboardInterrupt):
            push_to(second, graph("newest"))

    first.after_count = begin
    with pytest.raises(PushTakenOver):
        push_to(first, graph("new"))
    assert (state_of(store).state, state_of(store).stamp["content"]) == ("pushing", "newest")


def test_of_two_pushes_that_begin_at_once_one_goes_on(graph: Any) -> None:
    store = ox.Store()
    first, second = Target(store, "new"), Target(store, "newest")
    stamp = graph("new").stamp
    late: list[str] = []
    do_first, do_second = first._update, second._update
    began: list[str] = []

    def of_second(text: str) -> None:
        if text.startswith("DELETE"):
            late.append(text)
        else:
            do_second(text)

    def of_first(text: str) -> None:
        do_first(text)
        if not began:
            began.append(text)
            second.mark(PushState("pushing", "b", 16, stamp))

    first._update, second._update = of_first, of_second  # type: ignore[method-assign]
    with pytest.raises(PushTakenOver):
        first.mark(PushState("pushing", "a", 16, stamp))
    for text in late:
        do_second(text)
    assert state_of(store).run == "b"
    second.advance(PushState("ready", "b", 16, stamp))
    assert (state_of(store).state, state_of(store).run) == ("ready", "b")


def test_what_a_push_that_was_taken_over_added_late_is_found_by_the_next(graph: Any) -> None:
    store = ox.Store()
    push_to(Target(store, "old"), graph("old"))
    first = Target(store, "new")

    def meanwhile() -> None:
        first.before_add = None
        push_to(Target(store, "newest"), graph("newest"))

    first.before_add = meanwhile
    with pytest.raises(PushTakenOver, match="may lie among its own"):
        push_to(first, graph("new"))
    assert values(store) == {"new", "newest"}
    told: list[str] = []
    assert not push_to(Target(store, "newest"), graph("newest"), tell=told.append).up_to_date
    assert values(store) == {"newest"} and "sending everything again" in told[0]
    assert push_to(Target(store, "newest"), graph("newest")).up_to_date


def test_records_of_a_part_that_are_on_their_way_when_another_push_begins_are_not_written(graph: Any) -> None:
    store = ox.Store()
    first, second, stamp = Target(store, "new"), Target(store, ""), graph("new").stamp
    first.mark(PushState("pushing", "a", 16, stamp))
    send = first._update

    def late(text: str) -> None:
        second.mark(PushState("pushing", "b", 16, stamp))
        send(text)

    first._update = late  # type: ignore[method-assign]
    with pytest.raises(PushTakenOver):
        first.apply([BucketChange(3, (), (b'"<urn:x> <urn:p> <urn:o> ."',))], "a")
    assert second.digests(16) == {}


def test_a_graph_that_a_server_does_not_clear_is_told(graph: Any) -> None:
    """`CLEAR SILENT` says nothing where it does nothing."""
    store = ox.Store()
    push_to(Target(store, "old"), graph("old"))
    target = Target(store, "old")
    target._update = lambda text: None  # type: ignore[method-assign]
    with pytest.raises(PushIncomplete, match="after it was cleared"):
        push_to(target, graph("old"), anew=True)


def described(data: bytes) -> LedgerFile:
    return LedgerFile("manifest.json", sha256(data).hexdigest(), len(data), 2)


@pytest.mark.parametrize("at", [0, 1])
def test_a_push_that_was_taken_over_leaves_the_ledger_of_the_other_alone(graph: Any, at: int) -> None:
    """Both have a file of one name: pieces of both under it were what nobody could pull."""
    store = ox.Store()
    first, second, stamp = Target(store, ""), Target(store, ""), graph("new").stamp
    first.mark(PushState("pushing", "a", 16, stamp))

    def pieces() -> Iterator[bytes]:
        for number in range(2):
            if number == at:
                second.mark(PushState("pushing", "b", 16, stamp))
                second.put_file(described(b"yours"), iter([b"you", b"rs"]), "b")
            yield b"mine"

    with pytest.raises(PushTakenOver):
        first.put_file(described(b"minemine"), pieces(), "a")
    with pytest.raises(PushTakenOver):
        first.drop_files(["manifest.json"], "a")
    assert second.files() == {"manifest.json": described(b"yours")}
    assert b"".join(second.get_file(described(b"yours"))) == b"yours"


def test_a_change_that_is_on_its_way_when_another_push_begins_changes_nothing(graph: Any) -> None:
    store = ox.Store()
    first, second, stamp = Target(store, ""), Target(store, ""), graph("new").stamp
    first.mark(PushState("pushing", "a", 16, stamp))
    send, is_late = first._update, [True]

    def late(text: str) -> None:
        if is_late:
            is_late.clear()
            second.mark(PushState("pushing", "b", 16, stamp))
            second.put_file(described(b"yours"), iter([b"you", b"rs"]), "b")
        send(text)

    first._update = late  # type: ignore[method-assign]
    with pytest.raises(PushTakenOver):
        first.put_file(described(b"minemine"), iter([b"mine", b"mine"]), "a")
    assert b"".join(second.get_file(described(b"yours"))) == b"yours"
    assert second.files() == {"manifest.json": described(b"yours")}


def test_a_state_of_an_older_version_that_has_no_counts_is_up_to_date(graph: Any) -> None:
    store = ox.Store()
    push_to(Target(store, "old"), graph("old"))
    target = Target(store, "old")
    target.mark(replace(state_of(store), counts=()))
    assert push_to(Target(store, "old"), graph("old")).up_to_date
