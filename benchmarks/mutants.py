"""Changes random places of the code, one at a time, and counts how many of the changes some test notices.

    python benchmarks/mutants.py [--count 40] [--seed 1] [--rooms audit,build,answers,projection] [--seconds 600]
                                 [--only 3,17] [--narrow] [--jobs 1]

Each change is made in a copy of the tree: a comparison turned round, `and` for `or`, a number one higher, `True` for `False`,
plus for minus. The tests named after the module run first; what they let pass meets all tests of the room, then those of the
rooms above. A test that fails without the change too says nothing. A change that survives is printed with its place; whether
it changes anything that could be seen is for a reader to judge.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
COMPARISONS: Final = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
ARITHMETIC: Final = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
ABOVE: Final = (
    "kg",
    *(f"tests/{room}" for room in ("cli", "ask", "export", "web", "equality", "ingest", "reading", "render")),
)
"""Where a change that its own room let pass can still be seen."""
BOOLEAN: Final = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the characters of a file from `start` to `end` replaced."""

    path: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"


def mutants_of(path: Path, text: str) -> Iterator[Mutant]:
    """Every change that can be made to a module."""
    offsets = [0]
    for line in text.encode().splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))

    def between(left: ast.expr, right: ast.expr, words: tuple[str, str]) -> Iterator[Mutant]:
        assert left.end_lineno is not None
        assert left.end_col_offset is not None
        start = offsets[left.end_lineno - 1] + left.end_col_offset
        end = offsets[right.lineno - 1] + right.col_offset
        gap = text.encode()[start:end].decode()
        at = gap.find(words[0])
        # brackets or comments between the operands could be taken for the operator
        if at >= 0 and "#" not in gap:
            first = start + at
            yield Mutant(path, left.end_lineno, first, first + len(words[0]), words[0], words[1])

    def whole(node: ast.expr, after: str) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = offsets[node.lineno - 1] + node.col_offset
        end = offsets[node.end_lineno - 1] + node.end_col_offset
        return Mutant(path, node.lineno, start, end, text.encode()[start:end].decode(), after)

    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            match node:
                case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in COMPARISONS:
                    yield from between(left, right, COMPARISONS[type(operator)])
                case ast.BoolOp(op=operator, values=[left, right, *_]):
                    yield from between(left, right, BOOLEAN[type(operator)])
                case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
                    yield from between(left, right, ARITHMETIC[type(operator)])
                case ast.Constant(value=bool() as value):
                    yield whole(node, str(not value))
                case ast.Constant(value=int() as value):
                    yield whole(node, str(value + 1))
                case _:
                    pass


def tests_of(tree: Path, path: Path) -> list[list[str]]:
    """The tests to run for a module, one lot after the other: its examples with the tests named after it, wherever they are,
    and those of its room that import it; then all of its room; then the rooms above."""
    room, stem = path.parts[1], path.stem
    module = ".".join(path.with_suffix("").parts)
    near = [
        one
        for one in sorted((tree / "tests").rglob("test_*.py"))
        if (one.parent.name == room and (one.stem == f"test_{stem}" or module in one.read_text(encoding="utf-8")))
        or one.stem == f"test_{stem}"
    ]
    if "rules" in path.parts:
        near.append(tree / "tests" / room / "test_rules.py")
    named = [str(one.relative_to(tree)) for one in dict.fromkeys(near)]
    return [[str(path), *named], [f"tests/{room}", *(f"--ignore={one}" for one in named)], [*ABOVE, f"--ignore={path}"]]


class Judge:
    """Runs tests of a tree; what fails there without any change says nothing about one and is left out."""

    def __init__(self, tree: Path, *, seconds: int, narrow: bool = False) -> None:
        self._tree, self._seconds, self._narrow = tree, seconds, narrow
        self._broken: set[str] = set()

    def noticed_by(self, one: Mutant) -> str | None:
        """The first test or example that fails with a change and not without; a run that does not end counts as one."""
        lots = tests_of(self._tree, one.path)
        for chosen in lots[:1] if self._narrow else lots:
            while True:
                with self._changed(one):
                    status, failed = self._run(
                        [*chosen, "-x", *(f"--deselect={given}" for given in sorted(self._broken))]
                    )
                if status in (0, 5):  # 5: nothing was collected
                    break
                broken = self._run(failed)[1] if failed else []
                if not broken:
                    return failed[0] if failed else f"exit {status} of {chosen[0]}"
                self._broken.update(broken)
        return None

    @contextmanager
    def _changed(self, one: Mutant) -> Iterator[None]:
        file = self._tree / one.path
        sound = file.read_bytes()
        file.write_bytes(sound[: one.start] + one.after.encode() + sound[one.end :])
        try:
            yield
        finally:
            file.write_bytes(sound)

    def _run(self, chosen: list[str]) -> tuple[int | str, list[str]]:
        """How a run ended and what failed in it."""
        environment = {**os.environ, "PYTHONPATH": str(self._tree), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-rfE"]
        try:
            done = subprocess.run(
                [*command, *chosen],
                cwd=self._tree,
                env=environment,
                capture_output=True,
                text=True,
                timeout=self._seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"after {self._seconds} seconds", []
        return done.returncode, re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)


def main() -> None:
    """Make the changes and print the figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default="audit,build,answers,projection")
    parser.add_argument("--seconds", type=int, default=600, help="of one run of tests")
    parser.add_argument("--only", default="", help="numbers of changes: judge these of the seed alone")
    parser.add_argument("--narrow", action="store_true", help="the nearest tests alone")
    parser.add_argument("--jobs", type=int, default=1, help="changes judged at once, each in its own copy of the tree")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="accelkg-mutants-"))
    try:
        packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
        judges = SimpleQueue[Judge]()
        (folder / "shared").symlink_to(ROOT.parent / "shared")  # documents, which tests look for beside a checkout
        for number in range(options.jobs):
            tree = folder / str(number)
            tree.mkdir()
            subprocess.run(["tar", "-x", "-C", str(tree)], input=packed, check=True)
            judges.put(Judge(tree, seconds=options.seconds, narrow=options.narrow))
        paths = [
            path for room in options.rooms.split(",") for path in sorted((folder / "0" / "kg" / room).rglob("*.py"))
        ]
        every = [
            one
            for path in paths
            for one in mutants_of(path.relative_to(folder / "0"), path.read_text(encoding="utf-8"))
        ]
        only = {int(number) for number in options.only.split(",") if number}
        chosen = [
            (number, one)
            for number, one in enumerate(random.Random(options.seed).sample(every, options.count), 1)
            if not only or number in only
        ]

        def judged(numbered: tuple[int, Mutant]) -> bool:
            judge = judges.get()
            try:
                by = judge.noticed_by(numbered[1])
            finally:
                judges.put(judge)
            print(
                f"{numbered[0]:3d} {'noticed ' if by else 'SURVIVED'} {numbered[1]}{f'  ({by})' if by else ''}",
                flush=True,
            )
            return by is not None

        with ThreadPoolExecutor(options.jobs) as threads:
            noticed = sum(threads.map(judged, chosen))
        print(f"{noticed} of {len(chosen)} changes noticed, chosen among {len(every):,} (seed {options.seed})")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
