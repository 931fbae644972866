"""The option of all golden tests, and the servers that some tests need."""

import pytest

pytest_plugins = ("tests.servers.fixtures",)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected texts; review the diff")
