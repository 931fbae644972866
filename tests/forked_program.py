"""`kg` in a process of its own, without the third of a second that each start would import: a process that has imported
the program forks for every command. A child has its own arguments, folder, environment and streams, and ends as any program.
Another program of the tests, a module with a `main`, is started in the same way.

Tests of what a start itself does (imports, signals, a terminal, limits of a process) start the program as a user does.
"""

import atexit
import json
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]


def run_forked(
    *arguments: str, folder: Path, environment: Mapping[str, str], program: str = "kg.cli"
) -> "subprocess.CompletedProcess[bytes]":
    """What a command, or the `main` of another module, says in a folder; its standard input is empty."""
    with TemporaryDirectory() as made:
        said = [str(Path(made) / name) for name in ("out", "err")]
        parent = _program()
        assert parent.stdin is not None and parent.stdout is not None
        parent.stdin.write(json.dumps([program, [arguments, str(folder), dict(environment), said]]) + "\n")
        parent.stdin.flush()
        status = int(parent.stdout.readline())
        out, err = (Path(path).read_bytes() for path in said)
    return subprocess.CompletedProcess(["kg", *arguments], status, out, err)


def run_forked_text(
    *arguments: str, folder: Path, environment: Mapping[str, str], program: str = "kg.cli"
) -> "subprocess.CompletedProcess[str]":
    """The same with text."""
    done = run_forked(*arguments, folder=folder, environment=environment, program=program)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@cache
def _program() -> "subprocess.Popen[str]":
    """The process that forks, one for each worker; it ends when its standard input does."""
    return subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def _import_program() -> None:
    """What most commands import: no driver and no engine, which would not survive a fork."""
    import gc
    import importlib
    import pkgutil

    import kg.cli.app
    import kg.session

    for name in ("answers", "ask", "audit", "build", "content", "export", "ingest", "ledger", "projection", "render"):
        for one in pkgutil.walk_packages(importlib.import_module(f"kg.{name}").__path__, f"kg.{name}."):
            importlib.import_module(one.name)
    for name in ("jinja2", "networkx", "pyvis.network", "rich.console", "rich.table"):  # imported by functions of ours
        importlib.import_module(name)
    for module, _ in kg.cli.app.COMMANDS.values():
        importlib.import_module(module)
    gc.freeze()  # a child that collects would copy every page of what was imported


def _become(arguments: list[str], folder: str, environment: dict[str, str], said: list[str]) -> None:
    """In the child: be a program that was just started."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    out, err = said
    streams = [(0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY | os.O_CREAT), (2, err, os.O_WRONLY | os.O_CREAT)]
    for number, path, flags in streams:
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.argv = ["kg", *arguments]


def _end_at_once(main: Callable[[], None]) -> NoReturn:
    """Run the program and end as an interpreter does, but for taking apart what the parent imported.

    That would copy all of its pages and take ten times as long as a short command.
    """
    status = 0
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter ends: with a traceback and status 1
        traceback.print_exc()
        status = 1
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 0xFF)


def _serve() -> str:
    """Fork for each request, and tell how the child ended; a child returns from here with the program that it goes on as."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in requests:
        child = os.fork()
        if not child:
            requests.close()
            answers.close()
            program, given = json.loads(line)
            _become(*given)
            return str(program)
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        answers.flush()
    sys.exit()


if __name__ == "__main__":
    from importlib import import_module

    _import_program()
    _end_at_once(import_module(_serve()).main)
