"""The shipped content is built into an empty store once in a run of tests; each further such build is a copy of the first.

A build from nothing gives the same every time (tests/build and tests/audit/test_determinism.py hold that, by functions that are
not replaced here), and half of the time of a run went into it. What else a build does, and a program that is started as a user
starts it, is not touched.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.build.build import Built

    Build = Callable[..., Built]
_FOLDER = "KG_TEST_BUILT"
_PARTS = ("ledger", "lexicon.json", "rdf")


def name_built_stores(folder: Path) -> None:
    """Where all processes of a run keep what they build once."""
    os.environ[_FOLDER] = str(folder)


def share_builds() -> None:
    """Let this process, and those it forks, copy shipped stores instead of building them."""
    writing: Any = import_module("kg.build.writing")
    if _FOLDER in os.environ:
        writing.build_content = _copied(Path(os.environ[_FOLDER]), writing.build_content)


def _copied(kept: Path, build: "Build") -> "Build":
    from kg.build.build import Built, StorePlace, silent, view_stamp
    from kg.content.folders import Content, shipped_content

    def build_content(place: StorePlace, content: Content, *, documents: Any = None, progress: Any = silent) -> Built:
        empty = not any((place.folder / part).exists() for part in _PARTS)
        if documents is not None or not empty or content.fingerprint() != shipped_content().fingerprint():
            return build(place, content, documents=documents, progress=progress)
        stamp = view_stamp(content, place.ledger.manifest())
        first = kept / sha256(json.dumps(stamp, sort_keys=True).encode()).hexdigest()[:16]
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (kept / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # the first process builds, the others wait for it
            if not (first / "built.json").is_file():
                shutil.rmtree(first, ignore_errors=True)
                built = build(StorePlace(first), content, progress=progress)
                (first / "built.json").write_text(json.dumps(asdict(built)), encoding="utf-8")
        for part in _PARTS:
            copy = shutil.copytree if (first / part).is_dir() else shutil.copyfile
            copy(first / part, place.folder / part)
        return Built(**json.loads((first / "built.json").read_bytes()))

    return build_content
