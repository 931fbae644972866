"""Any file of a store damaged in any way: no internal error, the damage is named, and after `kg build` readers are right."""

import contextlib
import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.build.checking import check_store
from kg.build.writing import delete_store, load_files, rebuild
from kg.errors import KgError
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.packed_texts import packing
from kg.session import open_graph
from tests.small_content import ROOT, claim, write_lines, write_small_content

CLAIMS = "SELECT (COUNT(?c) AS ?n) WHERE { ?c a <https://w3id.org/accelkg/ontology#Claim> }"
Damage = Callable[[Path], None]


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_content(tmp_path_factory.mktemp("content")).root


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, content: Path) -> Path:
    """A store with everything in it: content, two loads, both views, a derived set that leans on another."""
    folder = tmp_path_factory.mktemp("sound")
    store = folder / "store"
    rebuild(store, content=content)
    graph = open_graph(store, content=content)
    graph.query("MATCH (n) RETURN count(n)", language="cypher")
    graph.close()
    for name in ("one", "two"):
        new = write_lines(folder / f"{name}.jsonl", *(claim(f"900/{name}-{n}") for n in range(30)))
        load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    return store


def copied(sound: Path, tmp_path: Path, *, graph: bool = False) -> Path:
    """A store of its own for a test; without the property graph, unless the test is about it: each build would make it again."""
    left_out = shutil.ignore_patterns() if graph else shutil.ignore_patterns("graph")
    return Path(shutil.copytree(sound, tmp_path / "store", ignore=left_out))


def is_of_graph(file: str) -> bool:
    """Whether a file matters to the property graph only, or to it too."""
    return "graph" in file or "derived" in file


def largest(pattern: str) -> Callable[[Path], Path]:
    return lambda store: max(store.glob(pattern), key=lambda path: (path.stat().st_size, path.name))


def of_live(view: str, pattern: str) -> Callable[[Path], Path]:
    """The largest file of the live generation of a view."""

    def find(store: Path) -> Path:
        live = json.loads((store / view / "current").read_bytes())["generation"]
        return largest(f"{view}/{live}/{pattern}")(store)

    return find


def segment_of(origin: str) -> Callable[[Path], Path]:
    def find(store: Path) -> Path:
        segments = json.loads((store / "ledger" / "manifest.json").read_bytes())["segments"]
        return store / "ledger" / "segments" / str(next(one["name"] for one in segments if one["origin"] == origin))

    return find


STATE: dict[str, Callable[[Path], Path]] = {
    "mark": lambda store: store / "store.json",
    "pointer": lambda store: store / "rdf" / "current",
    "pointer of the property graph": lambda store: store / "graph" / "current",
    "manifest": lambda store: store / "ledger" / "manifest.json",
    "lexicon": lambda store: store / "lexicon.json",
}
DERIVED: dict[str, Callable[[Path], Path]] = {
    "index": lambda store: store / "ledger" / "index.sqlite",
    "derived set": largest("ledger/derived/*.gz"),
    "table of triples": of_live("rdf", "*.sst"),
    "manifest of the engine": of_live("rdf", "MANIFEST-*"),
    "pointer of the engine": of_live("rdf", "CURRENT"),
    "database of the property graph": of_live("graph", "graph.lbug"),
    "segment of the content": segment_of("content"),
}
FILES = {**STATE, **DERIVED}


def writing(what: Callable[[Path], bytes]) -> Damage:
    def damage(path: Path) -> None:
        path.write_bytes(what(path))

    return damage


def flipped(at: float) -> Damage:
    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[int((len(data) - 1) * at)] ^= 0x15
        path.write_bytes(bytes(data))

    return damage


def cut(share: float) -> Damage:
    return writing(lambda path: path.read_bytes()[: int(path.stat().st_size * share)])


def changed(key: str, value: object) -> Damage:
    """Other JSON under a key; other files are left with their first half."""

    def damage(path: Path) -> None:
        try:
            whole = json.loads(path.read_bytes())
        except ValueError:
            cut(0.5)(path)
            return
        path.write_text(json.dumps({**whole, key: value}))

    return damage


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def in_a_circle(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


KINDS: dict[str, Damage] = {
    "missing": lambda path: path.unlink(),
    "empty": writing(lambda path: b""),
    "a folder": a_folder,
    "binary": writing(lambda path: bytes(range(256)) * 4),
    "zeros": writing(lambda path: b"\0" * path.stat().st_size),
    "cut in half": cut(0.5),
    "cut at the end": cut(0.98),
    "flipped early": flipped(0.05),
    "flipped in the middle": flipped(0.5),
    "flipped late": flipped(0.97),
    "a link in a circle": in_a_circle,
    "doubled": writing(lambda path: path.read_bytes() * 2),
    "an empty object": writing(lambda _: b"{}"),
    "a list": writing(lambda _: b"[]"),
    "null": writing(lambda _: b"null"),
    "a text": writing(lambda _: b'"gen-000001"'),
    "deep": writing(lambda _: ("[" * 100_000).encode()),
    "other generation": changed("generation", "../../elsewhere"),
    "generation that is a number": changed("generation", 7),
    "segments that are a text": changed("segments", "all"),
    "segments that lead elsewhere": changed("segments", [{"name": "../x"}]),
    "no head": changed("head", None),
    "another head": changed("head", "0" * 32),
    "questions that are a list": changed("questions", []),
    "questions of another shape": changed("questions", '{"shape": 2, "questions": [{}]}'),
    "a fingerprint that is an object": changed("fingerprint", {}),
}


def count(store: Path, content: Path, *, cypher: bool = False, tell: Callable[[str], None] = lambda _: None) -> object:
    graph = open_graph(store, content=content, tell=tell, wait_seconds=0)
    try:
        if cypher:
            answer = graph.query("MATCH (n:Claim) RETURN count(n)", language="cypher", timeout_seconds=None)
        else:
            answer = graph.query(CLAIMS, timeout_seconds=None)
        assert not isinstance(answer, bytes)
        return answer.rows[0][0]
    finally:
        graph.close()


def attempt(act: Callable[[], object]) -> object:
    """What comes of it: a result, or an error of ours; any other error fails the test."""
    try:
        return act()
    except KgError as error:
        return error


FLIPPED = "flipped in the middle"
JSON_KINDS = set(list(KINDS)[list(KINDS).index("an empty object") :])
OFTEN = [one for one in STATE if "graph" not in one]
"""Files that are read at every opening, and made again in a moment."""
CASES = [
    pytest.param(file, kind, marks=() if often else pytest.mark.long)
    for file in FILES
    for kind in KINDS
    if (file in STATE or kind not in JSON_KINDS)
    for often in [  # every file once, and half of the kinds of damage to one of them; all to all in the long run
        (file in OFTEN and OFTEN.index(file) * 2 == list(KINDS).index(kind) % (2 * len(OFTEN))) or kind == "missing"
    ]
]


@pytest.mark.parametrize(("file", "kind"), CASES)
def test_damage_is_told_and_mended(sound: Path, content: Path, tmp_path: Path, file: str, kind: str) -> None:
    store = copied(sound, tmp_path, graph=is_of_graph(file))
    damaged = FILES[file](store)
    KINDS[kind](damaged)
    told: list[str] = []
    asked = (False, True) if is_of_graph(file) else (False,)
    for cypher in asked:
        read = attempt(lambda: count(store, content, cypher=cypher, tell=told.append))  # noqa: B023 - called at once
        assert read == 63 or str(store) in str(read) or "kg build" in str(read), "a reader is right or refuses"
    refused = attempt(lambda: rebuild(store, content=content, wait_seconds=0, tell=told.append))
    if isinstance(refused, KgError):
        assert kind == "a folder"
        assert str(damaged) in str(refused)
        return
    assert [count(store, content, cypher=cypher) for cypher in asked] == [63] * len(asked), told
    new = write_lines(tmp_path / "more.jsonl", claim("900/more"))
    load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    assert count(store, content) == 64


@pytest.mark.parametrize(
    ("file", "kind"),  # what only the property graph reads is made anew by the build of the test above
    [
        pytest.param(file, kind, marks=() if kind == "cut in half" and "graph" not in file else pytest.mark.long)
        for file in FILES
        for kind in ("cut in half", "missing", FLIPPED, "a list")
    ],
)
def test_a_load_into_a_damaged_store_is_refused_or_right(
    sound: Path, content: Path, tmp_path: Path, file: str, kind: str
) -> None:
    store = copied(sound, tmp_path, graph=is_of_graph(file))
    KINDS[kind](FILES[file](store))
    new = write_lines(tmp_path / "more.jsonl", claim("900/more"))
    refused = attempt(
        lambda: load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    )
    if isinstance(refused, KgError):
        assert "kg build" in str(refused)
    else:
        assert count(store, content) == 64


@pytest.mark.parametrize("name", ["../../elsewhere", "/tmp", "gen-000001/../../..", "gen-1", "", "..", "gen-000001\0"])
def test_a_pointer_leads_nowhere_else(sound: Path, content: Path, tmp_path: Path, name: str) -> None:
    store = copied(sound, tmp_path)
    shutil.copytree(sound / "rdf", tmp_path / "elsewhere")
    changed("generation", name)(store / "rdf" / "current")
    told: list[str] = []
    assert count(store, content, tell=told.append) == 63
    assert any("rdf/current is damaged" in line for line in told)
    assert len(list((tmp_path / "elsewhere").iterdir())) == len(list((sound / "rdf").iterdir()))


def test_a_generation_that_is_a_link_is_not_followed(sound: Path, content: Path, tmp_path: Path) -> None:
    store = copied(sound, tmp_path)
    live = json.loads((store / "rdf" / "current").read_bytes())["generation"]
    (store / "rdf" / live).rename(tmp_path / "elsewhere")
    (store / "rdf" / live).symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert count(store, content) == 63
    assert json.loads((store / "rdf" / "current").read_bytes())["generation"] != live


def newer_segment(path: Path) -> None:
    value = json.loads(path.read_bytes())
    value["segments"][0]["schema"] = 10_000
    path.write_text(json.dumps(value))


NEWER: dict[str, tuple[str, Damage]] = {
    "mark": ("store.json", changed("version", "99.0")),
    "stamp": ("rdf/current", changed("version", "99.0.dev1")),
    "rules": ("rdf/current", changed("rules", 10_000)),
    "form of the manifest": ("ledger/manifest.json", changed("manifest", 2)),
    "form of a segment": ("ledger/manifest.json", newer_segment),
}


@pytest.mark.parametrize("name", NEWER)
def test_a_store_of_a_newer_version_is_refused_and_left_as_it_is(
    sound: Path, content: Path, tmp_path: Path, name: str
) -> None:
    store = copied(sound, tmp_path)
    where, make_newer = NEWER[name]
    make_newer(store / where)

    def files() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in store.rglob("*") if path.is_file()}

    before = files()
    new = write_lines(tmp_path / "more.jsonl", claim("900/more"))
    with pytest.raises(KgError, match="newer accelkg"):
        rebuild(store, content=content, wait_seconds=0)
    with pytest.raises(KgError, match="newer accelkg"):
        load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    with pytest.raises(KgError, match="newer accelkg"):
        delete_store(store, content=content, wait_seconds=0)
    if where == "rdf/current":
        with pytest.raises(KgError, match="newer accelkg"):
            open_graph(store, content=content)
    assert files() == before


def test_the_sound_store_is_what_the_table_says(sound: Path, content: Path) -> None:
    assert (count(sound, content), count(sound, content, cypher=True)) == (63, 63)
    assert len(list((sound / "ledger" / "derived").glob("*.gz"))) >= 2
    assert all(find(sound).is_file() for find in FILES.values())
    with gzip.open(FILES["derived set"](sound)) as file:
        assert next(file)


SEGMENTS: dict[str, Damage] = {
    name: KINDS[name]
    for name in ("missing", "empty", "cut in half", "cut at the end", "flipped late", "flipped early", "binary")
}


@pytest.mark.parametrize(
    ("kind", "known"),
    [  # a segment that is gone, that ends early and that says something else; the long run does every kind to both
        pytest.param(
            kind,
            known,
            id=f"{kind}-{'index' if known else 'no index'}",
            marks=()
            if (kind, known)
            in {("missing", True), ("cut in half", True), ("flipped late", True), ("cut at the end", False)}
            else pytest.mark.long,
        )
        for kind in SEGMENTS
        for known in (True, False)
    ],
)
def test_a_damaged_segment_keeps_what_can_be_read_and_names_the_rest(
    sound: Path, content: Path, tmp_path: Path, kind: str, known: bool
) -> None:
    store = copied(sound, tmp_path)
    if not known:
        (store / "ledger" / "index.sqlite").unlink()
    SEGMENTS[kind](segment_of("claims/one")(store))
    assert count(store, content) == 63, "readers are answered from the view"
    told: list[str] = []
    unheard: list[str] = []
    rebuild(store, content=content, wait_seconds=0, tell=unheard.append, warn=told.append)
    (line,) = [line for line in told if "claims/one" in line]
    assert not any("claims/one" in one for one in unheard), (
        "who wants to hear of errors only hears of a loss all the same"
    )
    kept = int(line.split(": ")[1].split(" of ")[0])
    assert f"{kept} of 30 records are kept" in line
    assert ("kg load claims one.jsonl --edition 2026-01-01" in line) == (kept < 30)
    assert count(store, content) == 33 + kept
    if known:
        assert kept == 30, "the index has each of them, with its revision"
    else:
        assert kept > 0 or kind in ("missing", "empty", "binary", "flipped early", "cut in half", "flipped late")
    again = write_lines(tmp_path / "one.jsonl", *(claim(f"900/one-{n}") for n in range(30)))
    load_files([again], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    assert count(store, content) == 63
    told.clear()
    rebuild(store, content=content, wait_seconds=0, tell=told.append)
    assert count(store, content) == 63
    assert told == []


def test_a_flipped_byte_costs_what_its_piece_of_a_segment_holds(content: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    many = write_lines(tmp_path / "many.jsonl", *(claim(f"900/many-{n}") for n in range(800)))
    load_files([many], store=store, content=content, edition="2026-01-01", dry_run=False)
    segment = segment_of("claims/many")(store)
    members = segment.read_bytes().count(b"\x1f\x8b\x08\x00")
    assert members >= 3
    KINDS["flipped early"](segment)
    (store / "ledger" / "index.sqlite").unlink()
    told: list[str] = []
    rebuild(store, content=content, wait_seconds=0, tell=told.append, warn=told.append)
    (line,) = [line for line in told if "claims/many" in line]
    kept = int(line.split(": ")[1].split(" of ")[0])
    assert kept > 800 * (members - 2) / members
    assert count(store, content) == 3 + kept


@pytest.mark.parametrize("first", ["a reader", "a build", "a load"])
def test_a_list_of_segments_that_is_older_loses_no_load(sound: Path, content: Path, tmp_path: Path, first: str) -> None:
    store = copied(sound, tmp_path)
    ledger = Ledger(store / "ledger")
    ledger.write_manifest(Manifest(ledger.manifest().segments[:-1]))
    told: list[str] = []
    if first == "a build":
        rebuild(store, content=content, wait_seconds=0, tell=told.append)
    elif first == "a load":
        new = write_lines(tmp_path / "three.jsonl", claim("900/three"))
        load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, tell=told.append)
    else:
        open_graph(store, content=content, tell=told.append).close()
    assert "older than the index of the ledger; put back: claims/two, edition 2026-01-01" in "\n".join(told)
    assert count(store, content) == (64 if first == "a load" else 63)


def test_segments_under_the_names_of_each_other_are_put_back(sound: Path, content: Path, tmp_path: Path) -> None:
    store = copied(sound, tmp_path)
    one, two = (segment_of(f"claims/{name}")(store) for name in ("one", "two"))
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)
    told: list[str] = []
    rebuild(store, content=content, wait_seconds=0, tell=told.append)
    assert [line.endswith("so that nothing is lost") for line in told] == [True, True]
    assert count(store, content) == 63


@pytest.mark.parametrize("kind", ["missing", "cut in half", "a list", "null", "another head"])
def test_the_manifest_is_made_again_without_the_index(sound: Path, content: Path, tmp_path: Path, kind: str) -> None:
    store = copied(sound, tmp_path)
    (store / "ledger" / "index.sqlite").unlink()
    KINDS[kind](store / "ledger" / "manifest.json")
    told: list[str] = []
    rebuild(store, content=content, wait_seconds=0, tell=told.append)
    assert any("manifest.json is" in line and "2 loaded segments" in line for line in told)
    assert count(store, content) == 63


def states(store: Path) -> dict[str, str]:
    return {one.file: one.state for one in check_store(store) if not one.is_whole}


def test_a_sound_store_is_whole_in_every_file(sound: Path) -> None:
    assert states(sound) == {}
    assert len(check_store(sound)) >= 10, "three segments, both views, the index, the derived set and the state files"


@pytest.mark.parametrize(
    "kind", [FLIPPED, *(pytest.param(one, marks=pytest.mark.long) for one in ("cut in half", "empty", "a list"))]
)
@pytest.mark.parametrize("file", FILES)
def test_every_damage_is_found_by_reading_everything(sound: Path, tmp_path: Path, file: str, kind: str) -> None:
    store = copied(sound, tmp_path, graph=True)
    if (file, kind) == ("index", "flipped in the middle"):  # what is concluded of claims carries no digest there
        kind = "zeros"
    damaged = FILES[file](store)
    KINDS[kind](damaged)
    where = damaged.relative_to(store).as_posix()
    if where.startswith(("rdf", "graph", "ledger/derived")):
        where = where.rsplit("/", 1 if where.startswith("ledger") else where.count("/"))[0]
    assert where in states(store)


def test_a_store_is_read_to_its_end_while_another_process_writes(sound: Path, tmp_path: Path) -> None:
    store = copied(sound, tmp_path)
    with contextlib.closing(sqlite3.connect(store / "ledger" / "index.sqlite", isolation_level=None)) as writing:
        writing.execute("BEGIN IMMEDIATE")
        assert "ledger/index.sqlite" not in states(store)
        writing.execute("ROLLBACK")
        writing.execute("BEGIN EXCLUSIVE")
        assert states(store)["ledger/index.sqlite"].startswith("being written")


def test_a_claim_that_was_changed_in_the_index_is_found(sound: Path, tmp_path: Path) -> None:
    store = copied(sound, tmp_path)
    with sqlite3.connect(store / "ledger" / "index.sqlite") as index:
        packing(index)
        index.execute("UPDATE claims SET body = packed(CAST(replace(CAST(text(body) AS TEXT), '141', '114') AS BLOB))")
    index.close()
    assert "900/" in states(store)["ledger/index.sqlite"]


def test_records_are_not_given_without_what_was_concluded(sound: Path, content: Path, tmp_path: Path) -> None:
    """A random damage removed the newest derived set, and records came without their findings and without a word."""
    store = copied(sound, tmp_path)

    def records() -> list[str]:
        with open_graph(store, content=content) as graph:
            return [one["id"] for one in graph.records()]

    whole = records()
    assert any(name.startswith("finding/") for name in whole)
    manifest = json.loads((store / "ledger" / "manifest.json").read_text())
    (newest,) = (store / "ledger" / "derived").glob(f"{manifest['head'][:16]}-*")
    newest.unlink()
    with pytest.raises(KgError, match=newest.name):
        records()
    rebuild(store, content=content)
    assert records() == whole


def test_records_are_those_of_one_state_for_who_opened_before_a_load(content: Path, tmp_path: Path) -> None:
    """The claims of a later load had come with the findings of the state that was open, or without any."""
    store = tmp_path / "store"
    rebuild(store, content=content)
    with open_graph(store, content=content) as early:
        for name in ("one", "two", "three"):
            new = write_lines(tmp_path / f"{name}.jsonl", *(claim(f"900/{name}-{n}") for n in range(3)))
            load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
        seen = sorted(one["id"] for one in early.records())
    with open_graph(store, content=content) as late:
        assert seen == sorted(one["id"] for one in late.records())


@pytest.mark.parametrize("is_link", [False, True])
def test_a_ledger_whose_list_is_gone_is_not_read_as_empty(
    sound: Path, content: Path, tmp_path: Path, is_link: bool
) -> None:
    store = copied(sound, tmp_path)
    manifest = store / "ledger" / "manifest.json"
    manifest.unlink()
    if is_link:
        manifest.symlink_to("nowhere")
    with open_graph(store, content=content) as graph, pytest.raises(KgError, match=r"manifest\.json"):
        list(graph.records())
    rebuild(store, content=content)
    with open_graph(store, content=content) as graph:
        assert sum(one["record"] == "claim" for one in graph.records()) == 63


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def stretched(path: Path) -> None:
    """A sparse file, which takes no room and is read for minutes."""
    os.truncate(path, 3 << 30)


@pytest.mark.parametrize(
    ("file", "damage"),
    [  # one that we read, one that the engine reads; the long run puts both in the place of every file
        pytest.param(
            file,
            damage,
            marks=()
            if (file, damage)
            in {
                ("manifest", a_pipe),
                ("pointer of the engine", endless),
                ("segment of the content", stretched),
            }
            else pytest.mark.long,
        )
        for file in FILES
        for damage in (a_pipe, endless, stretched)
    ],
)
def test_a_pipe_a_device_or_a_sparse_file_in_the_place_of_a_file_keeps_nobody_waiting(
    sound: Path, content: Path, tmp_path: Path, file: str, damage: Damage
) -> None:
    # the engine of the property graph does not start under a limit: there it matters where it is what is damaged
    store = copied(sound, tmp_path, graph=damage is a_pipe or "graph" in file)
    damage(FILES[file](store))
    work = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from tests.ledger.test_store_damage import attempt, check_store, count, rebuild\n"
        "store, content, limited = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] != 'a_pipe'\n"
        "if limited:\n"  # what never ends fills the memory; the engine of the property graph does not start under a limit
        "    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))\n"
        "def read():\n"
        "    for cypher in (False,) if limited else (False, True):\n"
        "        print(attempt(lambda: count(store, content, cypher=cypher)))\n"
        "read()\n"
        "print(attempt(lambda: check_store(store)), attempt(lambda: rebuild(store, content=content, wait_seconds=0)))\n"
        "read()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", work, str(store), str(content), damage.__name__],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-2 if damage is a_pipe else -1 :]
    assert set(last) == {"63"} or "a device or a pipe" in done.stdout, done.stdout
