"""The option of all golden tests, and the servers that some tests need."""

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes says nothing on a busy machine.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

pytest_plugins = ("tests.servers.fixtures",)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected texts; review the diff")
