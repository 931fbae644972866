"""What commands print of the shipped content, whole: `tests/cases/whole/commands.yaml`, where each was read."""

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Kg
from tests.whole import assert_one_read, kept_answers

COMMANDS = Path(__file__).parents[1] / "cases" / "whole" / "commands.yaml"


@pytest.mark.parametrize("command", kept_answers(COMMANDS))
def test_a_command_prints_what_was_read(command: str, kg: Kg, request: pytest.FixtureRequest) -> None:
    done = kg(*shlex.split(command))
    said = {"exit": done.returncode, "out": done.stdout.splitlines(), "told": done.stderr.splitlines()}
    assert_one_read(command, said, COMMANDS, request)
