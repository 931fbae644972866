"""What is shipped: the wheel against the folders, the archive that rebuilds it, pins without addresses, lean imports."""

import ast
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from deploy.release import build_twice
from kg.__about__ import __version__

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ("ontology", "loaders", "queries", "seeds")
TOP_LEVEL = {
    ".ci",
    ".editorconfig",
    ".gitignore",
    ".github",
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "benchmarks",
    "constraints.txt",
    "deploy",
    "docs",
    "kg",
    "loaders",
    "ontology",
    "pyproject.toml",
    "queries",
    "seeds",
    "tests",
}


def tracked() -> list[str]:
    """Files that git holds or would hold."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def content_of(folder: Path) -> dict[str, bytes]:
    return {
        f"{name}/{path.relative_to(folder / name).as_posix()}": path.read_bytes()
        for name in CONTENT
        for path in (folder / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def wheel_content(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


def build(root: Path, target: str, into: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = into.iterdir()
    return made


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheel and the source archive of a release, which are refused where two builds of them differ."""
    return build_twice(tmp_path_factory.mktemp("release"), "1760000000")


@pytest.fixture(scope="module")
def wheel(built: list[Path]) -> Path:
    return built[0]


def test_wheel_and_source_archive_are_the_same_twice(built: list[Path], wheel: Path) -> None:
    assert [path.suffix for path in built] == [".whl", ".gz"]
    with zipfile.ZipFile(wheel) as archive:
        assert {info.date_time[:3] for info in archive.infolist()} == {(2025, 10, 9)}


def test_the_wheel_holds_the_package_and_the_four_folders_and_nothing_else(wheel: Path) -> None:
    package = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "kg").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    content = {f"kg/_content/{name}": data for name, data in content_of(ROOT).items()}
    found = wheel_content(wheel)
    assert sorted(found) == sorted(package | content)
    assert found == package | content


def test_the_wheel_is_named_and_typed(wheel: Path) -> None:
    assert wheel.name == f"accelkg-{__version__}-py3-none-any.whl"
    assert "kg/py.typed" in wheel_content(wheel)


def test_a_wheel_built_from_the_source_archive_is_the_same(built: list[Path], tmp_path: Path) -> None:
    with tarfile.open(built[1]) as file:
        file.extractall(tmp_path / "unpacked", filter="data")
    (root,) = (tmp_path / "unpacked").iterdir()
    again = build(root, "wheel", tmp_path / "again")
    assert wheel_content(again) == wheel_content(built[0])


def test_the_checkout_has_no_packaged_content() -> None:
    assert not (ROOT / "kg" / "_content").exists()


def test_the_top_level_is_as_the_design_says() -> None:
    found = {name.split("/", 1)[0] for name in tracked()}
    assert found <= TOP_LEVEL
    assert found >= TOP_LEVEL - {"deploy"}


ADDRESS = re.compile(
    r"pypi\.org|pythonhosted|registry\.npmjs|crates\.io|proxy\.golang|repo1?\.maven|deb\.debian|index-url|find-links",
    re.IGNORECASE,
)
MACHINE = re.compile(r"(?<![A-Za-z0-9_.}])/(?:work|root|farm|home/\w+)/")
TEMPORARY = re.compile(r"(?<![A-Za-z0-9_.}])/tmp/")


def text_lines() -> Iterator[tuple[str, int, str]]:
    for name in tracked():
        if name == "tests/test_packaging.py":
            continue
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            yield name, number, line


def test_no_registry_address_and_no_path_of_one_machine_is_committed() -> None:
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, number, line in text_lines()
        if ADDRESS.search(line) or MACHINE.search(line) or (name.endswith(".md") and TEMPORARY.search(line))
    ]
    assert found == []


def test_pins_are_names_and_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9._!+-]+", pin)] == []
    assert pins == sorted(pins, key=str.lower)


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_declared_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    extras = project["optional-dependencies"]
    declared += [
        one for name in ("charts", "mcp", "pandas", "pdf", "polars", "spark", "tables") for one in extras[name]
    ]
    names = {normalised(re.split(r"[<>=!~\[ ]", one)[0]) for one in declared} - {project["name"]}
    pinned = {
        normalised(line.split("==")[0])
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    }
    assert names <= pinned


IMPORTS = re.compile(r"(?:^|[;:])[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([^\n;#]+))", re.MULTILINE)


def may_import(text: str) -> set[str]:
    """What a file imports, and perhaps more, in a twentieth of the time that its syntax tree takes."""
    parts = [name or part.split()[0] for name, many in IMPORTS.findall(text) for part in (many or name).split(",")]
    return {part.split(".")[0] for part in parts}


def imported_names(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def test_the_package_imports_only_what_it_depends_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [
        *project["dependencies"],
        *(one for name in ("charts", "mcp", "pandas", "pdf", "polars", "spark", "tables") for one in extras[name]),
    ]
    declared = {normalised(re.split(r"[<>=!~\[ ]", one)[0]) for one in needed}
    distributions = packages_distributions()

    def is_declared(name: str) -> bool:
        known = name == "kg" or name in sys.stdlib_module_names
        return known or not declared.isdisjoint(map(normalised, distributions.get(name, [name])))

    undeclared = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in (ROOT / "kg").rglob("*.py")
        if not all(map(is_declared, may_import(text := path.read_text(encoding="utf-8"))))
        for name in imported_names(text)
        if not is_declared(name)
    }
    assert undeclared == set()


# --- what a command imports ------------------------------------------------------------------------------------------

HEAVY = ("rdflib", "networkx", "pyvis", "neo4j", "ladybug")
IMPORTED = """
import sys
sys.argv = ["kg", *{arguments!r}]
from kg.cli import main
try:
    main()
except SystemExit as end:
    code = end.code
print(code or 0, *sorted(sys.modules), file=sys.stderr)
"""


def imported_by(store: Path, *arguments: str, before: str = "") -> set[str]:
    """The modules that a command had imported when it ended well; `before` is run first in its process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KG_", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-c", before + IMPORTED.format(arguments=list(arguments))],
        capture_output=True,
        text=True,
        env={**environment, "KG_STORE": str(store)},
    )
    code, *names = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stderr[:2000]
    return set(names)


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_next_to_nothing(tmp_path: Path, option: str) -> None:
    names = imported_by(tmp_path, option)
    assert names & {*HEAVY, "typer", "click", "rich", "pydantic", "pyoxigraph", "yaml", "orjson"} == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ("trace", "72428"),
        ("compare", "GB200", "H200"),
        ("find", "H200"),
        ("show", "H200"),
        ("ask",),
    ],
    ids=lambda given: given[0],
)
def test_a_reading_command_imports_no_model_and_no_other_store(shipped_store: Path, arguments: tuple[str, ...]) -> None:
    """Pydantic itself is there: typer reads arguments with it. Our models, which take longer, are not.

    `show SOURCE` reads them for what rests on its problems.
    """
    names = imported_by(shipped_store, *arguments)
    assert names & {*HEAVY, "yaml", "click", "kg.model.record", "kg.build.build"} == set()


def test_a_command_looks_for_no_plugins_of_its_models(shipped_store: Path) -> None:
    imported_by(shipped_store, "trace", "72428", before="import importlib.metadata as m; m.distributions = None")


def test_building_imports_no_graph_library_and_no_driver(tmp_path: Path, root: Path) -> None:
    names = imported_by(tmp_path / "store", "build", "--quiet", "--content", str(root))
    assert names & {*HEAVY} == set()
    assert {"kg.model.record", "pyoxigraph"} <= names


def test_no_folder_of_the_package_or_the_tests_is_left_out_when_tests_are_collected(
    pytestconfig: pytest.Config,
) -> None:
    """Pytest passes folders over by name, `build` among them; what stands in one would never run, and nothing would say so."""
    passed_over = pytestconfig.getini("norecursedirs")
    folders = [one.relative_to(ROOT) for top in ("kg", "tests") for one in (ROOT / top).rglob("*") if one.is_dir()]
    hidden = {one for one in folders for part in one.parts for name in passed_over if fnmatch(part, name)}
    assert {one for one in hidden if any((ROOT / one).glob("*.py"))} == set()
