"""A ledger that was cut, changed or lost in part says so with a code; it never answers from it."""

import gzip
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from kg.errors import KgError
from kg.ledger.derived import DerivedDamaged, read_derived, write_lines
from kg.ledger.ledger import Ledger, ManifestDamaged, with_revision
from kg.ledger.segment import SegmentDamaged
from kg.model.record import SCHEMA
from kg.model.view_stamp import ViewStamp


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger(tmp_path)
    made.add(
        [
            with_revision({"record": "entity", "id": f"org/{n:03d}", "kind": "vendor", "label": f"Maker {n}"})
            for n in range(200)
        ],
        origin="content",
        edition="1",
        scope="full",
        registry="r",
    )
    return made


def segment_of(ledger: Ledger) -> Path:
    return ledger.segments_folder / ledger.manifest().segments[0].name


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 8)


def remove(path: Path) -> None:
    path.unlink()


def flip_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))


def rewritten(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.write_bytes(gzip.compress(b"".join(change(gzip.decompress(path.read_bytes()).splitlines(keepends=True)))))

    return damage


DAMAGES = {
    "cut": cut,
    "cut in half": cut_in_half,
    "empty": empty,
    "binary": binary,
    "missing": remove,
    "one byte flipped": flip_a_byte,
    "not gzip but text": lambda path: path.write_bytes(b'{"record": "segment"}\n'),
    "a record less": rewritten(lambda lines: lines[:-1]),
    "a record twice": rewritten(lambda lines: [*lines, lines[-1]]),
    "a record changed": rewritten(lambda lines: [*lines[:-1], lines[-1].replace(b"Maker", b"Faker")]),
    "no header": rewritten(lambda lines: lines[1:]),
    "a header that is a list": rewritten(lambda lines: [b"[1]\n", *lines[1:]]),
    "a header without schema": rewritten(lambda lines: [b'{"record":"segment","origin":"content"}\n', *lines[1:]]),
    "another origin": rewritten(lambda lines: [lines[0].replace(b"content", b"another"), *lines[1:]]),
    "a line that is no JSON": rewritten(lambda lines: [*lines[:5], b"{\n", *lines[5:]]),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_segment_is_refused_with_its_path_and_code(ledger: Ledger, name: str) -> None:
    path = segment_of(ledger)
    DAMAGES[name](path)
    with pytest.raises(SegmentDamaged) as raised:
        ledger.verify()
    assert raised.value.code == "ledger.damaged"
    assert raised.value.path == str(path)
    assert str(raised.value).endswith("kg explain ledger.damaged")


@pytest.mark.parametrize(
    "line", [b"-1\n", b"null\n", b'{"record":"entity","id":{}}\n', b'{"record":"claim","id":"a"}\n']
)
def test_a_line_of_another_form_is_named_before_anything_is_sorted(ledger: Ledger, line: bytes) -> None:
    rewritten(lambda lines: [*lines[:7], line, *lines[8:]])(segment_of(ledger))
    for reading in (ledger.held, lambda: list(ledger.current()), lambda: list(ledger.rejected())):
        with pytest.raises(SegmentDamaged) as raised:
            reading()
        assert raised.value.path == str(segment_of(ledger))


@pytest.mark.parametrize("damage", [remove, empty, binary])
def test_whoever_reads_a_segment_says_what_is_wrong_and_what_to_do(
    ledger: Ledger, damage: Callable[[Path], None]
) -> None:
    damage(segment_of(ledger))
    for read in (lambda: list(ledger.current()), ledger.things, ledger.verify, ledger.held):
        with pytest.raises(SegmentDamaged) as caught:
            read()
        assert caught.value.given and "content" in str(caught.value.expected) and caught.value.next_step


def test_a_segment_of_a_newer_program_says_what_to_install(ledger: Ledger) -> None:
    newer = f'"schema":{SCHEMA + 1}'.encode()
    rewritten(lambda lines: [lines[0].replace(f'"schema":{SCHEMA}'.encode(), newer), *lines[1:]])(segment_of(ledger))
    with pytest.raises(SegmentDamaged) as raised:
        ledger.verify()
    assert raised.value.field == "schema"
    assert "newer accelkg" in str(raised.value)


MANIFESTS = {
    "empty": b"",
    "cut": b'{"manifest": 1, "segments": [{"name": "x"',
    "binary": bytes(range(256)),
    "a list": b"[]",
    "a number": b"7",
    "no segments": b'{"manifest": 1}',
    "a segment without digest": b'{"segments": [{"name": "x"}]}',
    "an unknown key": b'{"segments": [{"name": "x", "colour": "red"}]}',
    "segments that are text": b'{"segments": "all"}',
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_damaged_manifest_is_refused_and_not_taken_for_empty(ledger: Ledger, name: str) -> None:
    (ledger.folder / "manifest.json").write_bytes(MANIFESTS[name])
    with pytest.raises(ManifestDamaged) as raised:
        ledger.manifest()
    assert raised.value.code == "ledger.manifest"
    with pytest.raises(KgError):
        ledger.add([], origin="content", edition="2", scope="full", registry="r")


def test_every_live_segment_is_named_by_its_digest(ledger: Ledger) -> None:
    (info,) = ledger.manifest().segments
    assert info.name == f"{info.sha256[:24]}.jsonl.gz"
    header = orjson.loads(gzip.decompress(segment_of(ledger).read_bytes()).splitlines()[0])
    assert header == {
        "record": "segment",
        "schema": SCHEMA,
        "origin": "content",
        "edition": "1",
        "scope": "full",
        "registry": "r",
    }


@pytest.mark.parametrize(
    "line",
    [
        b"-1",
        b'""',
        b'{"record":[]}',
        b'{"record":"measured"}',
        b'{"record":"step","claim":[],"hop":1,"reaches":"a","is_claim":true,"via":"a","fidelity":null,"end_state":null}',
    ],
)
def test_a_derived_record_of_another_form_is_named(tmp_path: Path, line: bytes) -> None:
    stamp: ViewStamp = {"head": "a" * 32, "rules": 1}
    written = write_lines(tmp_path, stamp, [line + b"\n"])
    with pytest.raises(DerivedDamaged) as raised:
        list(read_derived(tmp_path, stamp["head"], 1))
    assert raised.value.path == str(written)


def test_a_derived_set_of_another_state_is_damaged(tmp_path: Path) -> None:
    states: list[ViewStamp] = [{"head": f"{n}" * 32, "rules": 1} for n in (1, 2)]
    older, newer = (write_lines(tmp_path, one, [], keep=states[0]["head"]) for one in states)
    newer.write_bytes(older.read_bytes())
    with pytest.raises(DerivedDamaged):
        list(read_derived(tmp_path, states[1]["head"], 1))


@pytest.mark.parametrize("damage", [b"", b"[]", bytes(100)])
def test_a_derived_set_without_a_head_is_damaged_and_not_taken_for_missing(tmp_path: Path, damage: bytes) -> None:
    stamp: ViewStamp = {"head": "a" * 32, "rules": 1}
    assert list(read_derived(tmp_path, stamp["head"], 1)) == []
    write_lines(tmp_path, stamp, []).write_bytes(damage)
    with pytest.raises(DerivedDamaged):
        list(read_derived(tmp_path, stamp["head"], 1))
