"""What commands print of the shipped content, whole: `tests/cases/whole/commands.yaml`, where each was read."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Kg
from tests.whole import assert_one_read, kept_answers

_OF_CONTENT = re.compile(r"\+content\.[0-9a-f]{16}")
COMMANDS = Path(__file__).parents[1] / "cases" / "whole" / "commands.yaml"


@pytest.mark.parametrize("command", kept_answers(COMMANDS))
def test_a_command_prints_what_was_read(command: str, kg: Kg, request: pytest.FixtureRequest) -> None:
    done = kg(*shlex.split(command))
    # the version of the content is another one with each file of it that is edited
    out, told = (_OF_CONTENT.sub("+content.DIGEST", one).splitlines() for one in (done.stdout, done.stderr))
    said = {"exit": done.returncode, "out": out, "told": told}
    assert_one_read(command, said, COMMANDS, request)
