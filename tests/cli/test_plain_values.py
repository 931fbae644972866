"""Options that are read without Typer's adapters give what those give, and are refused in the same words."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from kg.cli.app import COMMANDS, make_app
from kg.cli.plain_values import read_plainly

GIVEN: tuple[Any, ...] = (
    "", "H200", "002", "json", "JSON", "7", "-7", "+7", "0", "1_0", " 7", "07", "7.0", "7.", ".5", "0.25", "1e3", "nan", "inf",
    "65536", "9" * 18, "٣", "true", "yes", "a,b", b"H200", 7, 0.05, True, None, ["H200", "json"], ("7",), [], Path("x"),
)  # fmt: skip


def _commands() -> dict[str, Any]:
    commands: dict[str, Any] = typer.main.get_command(make_app(list(COMMANDS))).commands  # type: ignore[attr-defined]
    return commands


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_gives_what_typer_gives(name: str) -> None:
    own, plain = _commands()[name], _commands()[name]
    read_plainly(plain)
    context = own.make_context(name, [], resilient_parsing=True)
    for left, right in zip(own.get_params(context), plain.get_params(context), strict=True):
        default = left.get_default(context)
        for value in (*GIVEN, default):
            assert _read(right, plain, value) == _read(left, own, value), (left.name, value)


def _read(parameter: Any, command: Any, value: Any) -> tuple[str, str]:
    context = typer.Context(command, info_name=command.name)
    try:
        result = parameter.get_runtime_param().coerce(value, param=parameter, ctx=context)
    except (typer.BadParameter, ValueError, TypeError) as error:
        return type(error).__name__, str(error)
    return type(result).__name__, repr(result)


def test_a_short_command_is_read_without_pydantic() -> None:
    script = (
        "import sys, typer; from kg.cli.app import make_app; from kg.cli.plain_values import read_plainly\n"
        "command = typer.main.get_command(make_app(['compare'])); read_plainly(command)\n"
        "command.commands['compare'].make_context('compare', ['GB200', 'H200', '--limit', '3', '--metric', 'price', '--format', 'json'])\n"
        "print('pydantic' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "False\n"
    )
