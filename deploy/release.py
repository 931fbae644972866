"""Make a release in `dist/`: wheel and source archive, built twice and equal; their SBOM and licences; the data set of this version.

Run by `make release`. Nothing is published.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
SBOM_TOOL = "cyclonedx-bom"
COMPATIBLE = re.compile(
    r"\b(?:MIT\b|BSD|Apache|ISC\b|PSF|Python Software Foundation|MPL|Mozilla Public|HPND|Zlib|Unlicense|0BSD|CC0|LGPL)",
    re.IGNORECASE,
)
"""Licences under which a library may be used by a program under Apache-2.0; those with copyleft only as a library beside it."""
_APART = frozenset({"spark", "test"})
"""Extras whose libraries are not listed: a cluster has its own, and the tools of the tests are no part of a release."""
_BY_TEXT = {
    "Permission is hereby granted, free of charge": "MIT",
    "Redistribution and use in source and binary forms": "BSD",
    "Apache License": "Apache-2.0",
}
"""How the text of a licence begins to grant, for a library that states nothing else."""


def build_twice(target: Path, epoch: str) -> list[Path]:
    """Build wheel and source archive in two folders; they must be the same bytes."""
    made: list[dict[str, bytes]] = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "hatchling", "build", "-d", folder]
            subprocess.run(
                command, check=True, cwd=ROOT, env={**os.environ, "SOURCE_DATE_EPOCH": epoch}, capture_output=True
            )
            made.append({path.name: path.read_bytes() for path in Path(folder).iterdir()})
    if made[0] != made[1]:
        differing = [name for name in made[0] if made[0][name] != made[1].get(name)]
        sys.exit(f"not the same twice: {', '.join(differing)}")
    target.mkdir(parents=True, exist_ok=True)
    for name, data in made[0].items():
        (target / name).write_bytes(data)
    return [target / name for name in sorted(made[0])]


def last_change() -> str:
    """The time of the last commit, in seconds; without git that of the changelog."""
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or str(int((ROOT / "CHANGELOG.md").stat().st_mtime))


def licence_of(name: str) -> str:
    """What a distribution says its licence is: the expression, else its classifiers, the first line of the field, or the text."""
    about = metadata.metadata(name)
    expression = about.get_all("License-Expression")
    if expression:
        return str(expression[0])
    classified = [
        one.rpartition(" :: ")[2] for one in about.get_all("Classifier") or () if one.startswith("License ::")
    ]
    stated = "\n".join(about.get_all("License") or ()).strip().splitlines()
    return " or ".join(classified) or (stated[0][:80] if stated else _licence_by_text(name))


def _licence_by_text(name: str) -> str:
    files = [one for one in metadata.files(name) or () if re.match(r"LICEN[CS]E|COPYING", one.name, re.IGNORECASE)]
    text = " ".join(" ".join(one.read_text().split()) for one in files)
    return next((f"{licence} (by its text)" for phrase, licence in _BY_TEXT.items() if phrase in text), "not stated")


def needed(name: str, extras: Iterable[str] = ()) -> Iterator[str]:
    """The distributions that one needs, with those that they need, as far as they are installed."""
    from packaging.requirements import Requirement

    seen: set[str] = set()
    todo = [(name, frozenset(extras))]
    while todo:
        distribution, wanted = todo.pop()
        for text in metadata.requires(distribution) or ():
            requirement = Requirement(text)
            marker = requirement.marker
            if marker is not None and not any(marker.evaluate({"extra": extra}) for extra in (*wanted, "")):
                continue
            key = requirement.name.lower().replace("_", "-")
            if key in seen:
                continue
            try:
                metadata.version(key)
            except metadata.PackageNotFoundError:
                continue
            seen.add(key)
            todo.append((key, frozenset(requirement.extras)))
    yield from sorted(seen)


def licences() -> list[tuple[str, str, str, str]]:
    """Name, version and licence of everything that accelkg and its extras need, and whether the program needs it or an extra."""
    extras = set(metadata.metadata("accelkg").get_all("Provides-Extra") or ()) - _APART
    base = set(needed("accelkg"))
    return [
        (name, metadata.version(name), licence_of(name), "program" if name in base else "extra")
        for name in needed("accelkg", sorted(extras))
    ]


def sbom(wheel: Path, target: Path) -> None:
    """The CycloneDX list of an environment that holds nothing but the wheel and what it needs."""
    with tempfile.TemporaryDirectory() as folder:
        environment, tool = Path(folder) / "environment", Path(folder) / "tool"
        for path in (environment, tool):
            venv.create(path, with_pip=True)
        constrained = {
            **os.environ,
            "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        for path, wanted in ((environment, str(wheel)), (tool, SBOM_TOOL)):
            pip = [str(path / "bin" / "python"), "-m", "pip", "install", "--quiet", wanted]
            subprocess.run(pip, check=True, env=constrained if path is environment else None)
        subprocess.run(
            [str(environment / "bin" / "python"), "-m", "pip", "uninstall", "--quiet", "-y", "pip", "setuptools"],
            check=True,
        )
        command = [
            str(tool / "bin" / "cyclonedx-py"),
            "environment",
            "--output-reproducible",
            "--of",
            "JSON",
            "-o",
            str(target),
        ]
        subprocess.run([*command, str(environment / "bin" / "python")], check=True)
    target.write_text(without_places(target.read_text("utf-8")), "utf-8")


def without_places(bom: str) -> str:
    """An SBOM without where on this machine the wheel lay, which is nobody's concern and differs each time."""
    whole = json.loads(bom)
    for one in whole["components"]:
        kept = [at for at in one.get("externalReferences", ()) if not at["url"].startswith("file:")]
        one.pop("externalReferences", None)
        one.update({"externalReferences": kept} if kept else {})
    return json.dumps(whole, indent=2, sort_keys=True) + "\n"


def data_set(target: Path, before: Path | None) -> None:
    """Every record of the shipped content as gzip JSON Lines; with an earlier data set, what changed since."""
    with tempfile.TemporaryDirectory() as folder:
        kg = [sys.executable, "-m", "kg"]
        environment = {**os.environ, "KG_STORE": f"{folder}/store", "PYTHONPATH": str(ROOT)}
        subprocess.run([*kg, "build", "--quiet"], check=True, cwd=ROOT, env=environment)
        lines = Path(folder) / "all.jsonl"
        subprocess.run([*kg, "export", "jsonl", "-o", str(lines), "--quiet"], check=True, cwd=ROOT, env=environment)
        with target.open("wb") as out, gzip.GzipFile(fileobj=out, mode="wb", filename="", mtime=0) as packed:
            packed.write(lines.read_bytes())
        if before is not None:
            old = Path(folder) / "before.jsonl"
            old.write_bytes(gzip.decompress(before.read_bytes()))
            command = [*kg, "diff", str(old), str(lines), "--format", "markdown"]
            done = subprocess.run(command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
            target.with_suffix("").with_suffix(".changes.md").write_text(done.stdout, "utf-8")


def main() -> None:
    """Make everything and the list of digests."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--before", type=Path, help="the data set of the release before, for the list of what changed")
    given = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    built = build_twice(DIST, last_change())
    version = next(path for path in built if path.suffix == ".whl").name.split("-")[1]
    sbom(next(path for path in built if path.suffix == ".whl"), DIST / f"accelkg-{version}.cdx.json")
    rows = licences()
    refused = [f"{name} ({licence})" for name, _, licence, _ in rows if not COMPATIBLE.search(licence)]
    if refused:
        sys.exit(f"licences to look at: {', '.join(refused)}")
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    heading = "| library | version | licence | needed by |\n|---|---|---|---|\n"
    (DIST / "licences.md").write_text(heading + table, "utf-8")
    data_set(DIST / f"accelkg-data-{version}.jsonl.gz", given.before)
    sums = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(DIST.iterdir())]
    (DIST / "SHA256SUMS").write_text("".join(sums), "ascii")
    print("".join(sums), end="")


if __name__ == "__main__":
    main()
