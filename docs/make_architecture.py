"""Writes the rooms of docs/architecture.md, table and picture, from the import graph of the code.

`python docs/make_architecture.py [--check]`. The job of a room is the first sentence of its docstring; what it knows are
the rooms that its modules import, at the top, inside functions and for types alike. The order of the floors is that of the
layer contract in pyproject.toml, which import-linter holds.
"""

import ast
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import grimp

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- rooms:begin -->\n", "<!-- rooms:end -->\n"


class Room(NamedTuple):
    """A child of `kg`: a package, or a module of its own."""

    name: str
    job: str
    knows: tuple[str, ...]
    """Rooms it imports, highest floor first."""


def floors() -> list[list[str]]:
    """The rooms of each floor, the highest first, as the layer contract names them."""
    given: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = given["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[room.strip(" ()") for room in layer.split("|")] for layer in layers]


def rooms() -> list[Room]:
    """Every room with what it knows, the highest floor first."""
    graph = grimp.build_graph("kg", exclude_type_checking_imports=False, cache_dir=None)
    order = [room for floor in floors() for room in floor]
    found = []
    for name in order:
        inside = {f"kg.{name}"} | graph.find_descendants(f"kg.{name}")
        imported = {
            target.split(".")[1]
            for module in inside
            for target in graph.find_modules_directly_imported_by(module)
            if target.count(".") and target not in inside
        }
        found.append(Room(name, _job(name), tuple(room for room in order if room in imported)))
    return found


def _job(name: str) -> str:
    folder = ROOT / "kg" / name
    source = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).split(". ")[0].rstrip(".")


def picture(found: list[Room]) -> str:
    """The floors, and the arrows that do not follow from others, as a Mermaid flowchart."""
    known = {room.name: set(room.knows) for room in found}
    lines = ["```mermaid", "flowchart TD"]
    for number, floor in enumerate(floors()):
        lines += [f"  subgraph floor{number}[ ]", "    direction LR", *(f"    {room}" for room in floor), "  end"]
    for room in found:
        through = {far for near in room.knows for far in _reached(near, known)}
        lines += [f"  {room.name} --> {near}" for near in room.knows if near not in through]
    return "\n".join([*lines, "```", ""])


def _reached(start: str, known: dict[str, set[str]]) -> set[str]:
    """What a room knows through others."""
    reached: set[str] = set()
    waiting = list(known[start])
    while waiting:
        room = waiting.pop()
        if room not in reached:
            reached.add(room)
            waiting.extend(known[room])
    return reached


def table(found: list[Room]) -> str:
    """The rooms as a Markdown table."""
    lines = ["| Room | Its one job | Knows |", "|---|---|---|"]
    for room in found:
        knows = ", ".join(room.knows) or "–"
        lines.append(f"| `kg.{room.name}` | {room.job} | {knows} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write, or with --check compare."""
    found = rooms()
    made = f"{table(found)}\nAn arrow that follows from others is left out.\n\n{picture(found)}"
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    whole = before + BEGIN + made + END + after
    if "--check" in sys.argv[1:]:
        if whole != text:
            print("docs/architecture.md is not what the imports say; run: python docs/make_architecture.py")
            return 1
        return 0
    PAGE.write_text(whole, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
