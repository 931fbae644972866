"""Runs the child process that opens binary files, and gives its output as a stream."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from kg.errors import KgError
from kg.ingest import limits
from kg.ingest.faults import FileDamaged, LimitExceeded, MissingExtra

_ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def child_output(path: Path, what: str, *arguments: str) -> Iterator[io.RawIOBase]:
    """The standard output of the child; leaving early ends it, and its refusal is raised at the end of the stream."""
    paths = [str(_ROOT), *([os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else [])]
    process = subprocess.Popen(  # noqa: S603 our own module; the path is an argument, not a command
        [sys.executable, "-m", "kg.ingest.child", what, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=1 << 20,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    try:
        yield _Checked(process, path)
    finally:
        process.stdout.close()
        if process.poll() is None:
            process.terminate()
        process.stderr.close()
        process.wait()


class _Checked(io.RawIOBase):
    """The output of the child; at its end the way the child ended is looked at."""

    def __init__(self, process: "subprocess.Popen[bytes]", path: Path) -> None:
        self._process, self._path = process, path

    def readable(self) -> bool:
        return True

    def readinto(self, target: object) -> int:
        assert self._process.stdout is not None
        count = self._process.stdout.readinto(target)  # type: ignore[attr-defined]
        if not count:
            self._end()
        return int(count or 0)

    def _end(self) -> None:
        assert self._process.stderr is not None
        told = self._process.stderr.read(1 << 16)
        code = self._process.wait()
        if code != 0:
            raise _refusal(self._path, code, told)


def _refusal(path: Path, code: int, told: bytes) -> KgError:
    try:
        value = orjson.loads(told.strip().splitlines()[-1])
        kind, given, expected, line = value["kind"], value["given"], value["expected"], value.get("line")
    except (ValueError, IndexError, KeyError, TypeError):
        last = told.decode("utf-8", "replace").strip().splitlines()[-1:] or [f"the reader ended with {code}"]
        memory = code < 0 or "MemoryError" in last[0]
        return (LimitExceeded if memory else FileDamaged)(
            path=str(path), given=last[0][:160],
            expected=f"a file that can be read in {limits.CHILD_MEMORY >> 20} MB and {limits.CHILD_CPU_SECONDS} s",
        )  # fmt: skip
    if kind == "extra":
        return MissingExtra(
            path=str(path), given=f"{given} is not installed", expected=f"the package {given}", next_step=expected
        )
    return (LimitExceeded if kind == "limit" else FileDamaged)(
        path=str(path), line=line, given=given, expected=expected
    )


def child_lines(stream: io.RawIOBase) -> Iterator[bytes]:
    """The lines of a child's output."""
    yield from io.BufferedReader(stream, buffer_size=1 << 20)
