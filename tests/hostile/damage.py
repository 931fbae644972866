"""Any file of a store changed at random: a reader answers right or names the damage, and `kg build` makes readers right.

Each reading is done in a process of its own, since an engine may end the one that opens what is damaged.
"""

import json
import multiprocessing
import os
import random
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from kg.build.writing import load_files, rebuild
from kg.errors import KgError
from kg.session import open_graph
from tests.fuzz.mutation import ODD_VALUES, mutated_value
from tests.small_content import claim, write_lines, write_small_content

CLAIMS = "SELECT ?c ?l { ?c a <https://w3id.org/accelkg/ontology#Claim> OPTIONAL { ?c k:kind ?l } } ORDER BY ?c"
NODES = "MATCH (c:Claim) RETURN c.uid, c.kind ORDER BY c.uid"
RIGHT, OTHER, NAMED, INTERNAL = 0, 1, 3, 4
LOST = "lost"
SECONDS = 120
"""After which a process that has not ended is killed, and counts as ended by a signal."""


def made(folder: Path) -> tuple[Path, Path]:
    """A store with everything in it, and its content."""
    content, store = write_small_content(folder / "content").root, folder / "store"
    rebuild(store, content=content)
    graph = open_graph(store, content=content)
    graph.query(NODES)
    graph.close()
    for name in ("one", "two"):
        new = write_lines(folder / f"{name}.jsonl", *(claim(f"900/{name}-{n}") for n in range(40)))
        load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    graph = open_graph(store, content=content)
    graph.query(NODES)
    graph.close()
    return store, content


def answers(store: Path, content: Path) -> str:
    """What readers are told, in both languages and in records."""
    graph = open_graph(store, content=content, wait_seconds=5)
    try:
        rows = [getattr(graph.query(text, timeout_seconds=None), "rows", ()) for text in (CLAIMS, NODES)]
        compared = graph.ask("comparisons/compare", a="Acme One", b="Acme Two").rows
        return json.dumps([rows, compared, [one["id"] for one in graph.records()]], default=str)
    finally:
        graph.close()


def apart(work: Callable[..., int], *given: Path) -> int:
    """The exit status of work in a process of its own, negative for a signal.

    The process is forked from a server that never opened an engine: the threads of an engine do not come along in a
    fork, and a child of the test's own process would wait for them for ever.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["kg.build.writing", "kg.session"])
    process = context.Process(target=_status_of, args=(work, *given))
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
    status = process.exitcode
    assert status is not None
    return status


def _status_of(work: Callable[..., int], *given: Path) -> None:
    try:
        os._exit(work(*given))
    except KgError:
        os._exit(NAMED)
    except OSError as error:
        os._exit(NAMED if error.filename is not None else INTERNAL)
    except BaseException:  # noqa: BLE001 - whatever it is, it is told
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(INTERNAL)


def changed(path: Path, chance: random.Random) -> str:
    """Damage a file in one way, which is named."""
    data = path.read_bytes()
    match chance.randrange(8):
        case 0:
            path.unlink()
            return "removed"
        case 1:
            at = chance.randint(0, len(data))
            path.write_bytes(data[:at])
            return f"cut at {at}"
        case 2 if data:
            flipped = bytearray(data)
            places = [chance.randrange(len(data)) for _ in range(chance.choice((1, 1, 3, 50)))]
            for at in places:
                flipped[at] ^= 1 << chance.randrange(8)
            path.write_bytes(bytes(flipped))
            return f"flipped at {places[:3]}"
        case 3:
            path.write_bytes(data + chance.randbytes(chance.choice((1, 100, 5000))))
            return "longer"
        case 4:
            path.write_bytes(bytes(len(data)) if chance.random() < 0.5 else chance.randbytes(len(data)))
            return "zeros or noise"
        case 5:
            other = chance.choice([one for one in path.parent.iterdir() if one.is_file()])
            path.write_bytes(other.read_bytes())
            return f"replaced by {other.name}"
        case 6:
            kind = chance.choice(("a pipe", "a folder", "a link to /dev/zero", "a link to nowhere", "a link to itself"))
            path.unlink()
            if kind == "a pipe":
                os.mkfifo(path)
            elif kind == "a folder":
                path.mkdir()
            else:
                path.symlink_to(
                    {"a link to /dev/zero": Path("/dev/zero"), "a link to itself": path}.get(kind, Path("nowhere"))
                )
            return kind
        case _:
            try:
                value = json.loads(data)
                path.write_text(json.dumps(mutated_value(value, chance)), "utf-8", errors="surrogatepass")
            except ValueError:
                path.write_text(json.dumps(chance.choice(ODD_VALUES)), "utf-8")
            return "other JSON"


def damage(folder: Path, *, count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Damage a store so many times; counts by outcome, and what failed."""
    assert apart(_begin, folder) == RIGHT
    store, content = folder / "store", folder / "content"
    names = sorted(one.relative_to(store).as_posix() for one in store.rglob("*") if one.is_file())
    counts: Counter[str] = Counter(files=len(names))
    failed: list[str] = []
    for number in range(count):
        chance = random.Random(seed * 1_000_003 + number)
        trial = folder / "trial"
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(store, trial)
        name = chance.choice(names)
        what = f"{name} {changed(trial / name, chance)} (number {number})"
        failed += _tried(trial, content, what, counts)
    return counts, failed


def _tried(trial: Path, content: Path, what: str, counts: Counter[str]) -> list[str]:
    """Read, build and read again; counts the outcomes and gives what is no good one."""
    told = trial.parent / "told"
    told.write_text("", "utf-8")
    before, built, after = apart(_read, trial, content), apart(_build, trial, content), apart(_read, trial, content)
    said = told.read_text("utf-8")
    outcome = "right" if after == RIGHT else "less, and said so" if LOST in said else "not right"
    counts.update({"tried": 1, f"reader {_word(before)}": 1, f"build {_word(built)}": 1, f"after it {outcome}": 1})
    is_good = {before, built} <= {RIGHT, NAMED} and (after == RIGHT or LOST in said or built == NAMED)
    return [] if is_good else [f"{what}: reader {_word(before)}, build {_word(built)}, then {outcome}: {said[:300]}"]


def _begin(folder: Path) -> int:
    store, content = made(folder)
    (folder / "right").write_text(answers(store, content), "utf-8")
    return RIGHT


def _read(trial: Path, content: Path) -> int:
    return RIGHT if answers(trial, content) == (trial.parent / "right").read_text("utf-8") else OTHER


def _build(trial: Path, content: Path) -> int:
    said: list[str] = []
    try:
        rebuild(trial, content=content, wait_seconds=5, tell=said.append)
    finally:
        (trial.parent / "told").write_text("\n".join(said), "utf-8")
    return RIGHT


def _word(status: int) -> str:
    known = {RIGHT: "right", OTHER: "other rows", NAMED: "named the damage", INTERNAL: "internal error"}
    return known.get(status, f"ended by signal {-status}")
