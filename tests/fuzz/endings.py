"""Targets that do not end well. They are a module by itself, since another process imports it."""

import os
import time
from typing import Any

from tests.fuzz.targets import Bench


def sleeps(bench: Bench, given: Any) -> None:
    """Goes on for ten minutes."""
    time.sleep(600)


def ends(bench: Bench, given: Any) -> None:
    """Takes the process with it."""
    os._exit(9)


def raises(bench: Bench, given: Any) -> None:
    """Raises what is no error of ours."""
    raise ValueError(given)
