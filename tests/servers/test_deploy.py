"""`deploy/compose.yaml`: the structure that Compose wants, versions that were tested, and nothing secret in it.

There is no Docker where this was written: more than the structure is not tested.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.servers.artifacts import Artifact

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
SERVICE_KEYS = {"image", "build", "restart", "environment", "ports", "volumes", "healthcheck", "stop_grace_period"}
HEALTH_KEYS = {"test", "interval", "timeout", "retries", "start_period"}
DURATION = re.compile(r"(\d+(us|ms|s|m|h))+")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    given = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    assert isinstance(given, dict)
    return given


def test_the_top_level_is_that_of_the_compose_specification(compose: dict[str, Any]) -> None:
    assert set(compose) == {"name", "services", "volumes"}
    assert re.fullmatch(r"[a-z0-9][a-z0-9_-]*", compose["name"])
    assert set(compose["services"]) == {"neo4j", "fuseki"}


def test_every_service_has_known_keys_a_health_check_and_named_volumes(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert set(service) <= SERVICE_KEYS and {"image", "healthcheck", "volumes"} <= set(service)
        health = service["healthcheck"]
        assert set(health) <= HEALTH_KEYS
        assert health["test"][0] == "CMD-SHELL" and len(health["test"]) == 2 and isinstance(health["retries"], int)
        assert all(DURATION.fullmatch(health[key]) for key in ("interval", "timeout", "start_period"))
        for volume in service["volumes"]:
            name, _, place = volume.partition(":")
            assert name in compose["volumes"] and place.startswith("/")


def test_ports_are_open_on_loopback_only(compose: dict[str, Any]) -> None:
    ports = [port for service in compose["services"].values() for port in service["ports"]]
    assert ports and all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in ports)


def test_passwords_come_from_outside_and_have_no_default(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    asked = re.findall(r"\$\{([A-Z0-9_]+)(:\?[^}]+)?\}", text)
    assert {name for name, _ in asked} == {"NEO4J_PASSWORD", "FUSEKI_PASSWORD"}
    assert all(must for _, must in asked)
    single = re.findall(r"(?<!\$)\$[A-Za-z/{][^\s\"]*", re.sub(r"\$\{[A-Z0-9_]+:\?[^}]+\}", "", text))
    assert single == [], "Compose would replace these; write $$"


def test_settings_of_neo4j_are_written_as_its_image_wants_them(compose: dict[str, Any]) -> None:
    """A dot is one underscore there, an underscore two; a setting that is misspelt stops the start."""
    given = {name for name in compose["services"]["neo4j"]["environment"] if name != "NEO4J_AUTH"}
    settings = {name.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_") for name in given}
    assert settings == {
        "server.memory.heap.initial_size",
        "server.memory.heap.max_size",
        "server.memory.pagecache.size",
        "db.transaction.timeout",
        "dbms.security.allow_csv_import_from_file_urls",
        "dbms.usage_report.enabled",
    }


def test_versions_are_those_that_were_tested(compose: dict[str, Any]) -> None:
    neo4j, fuseki = Artifact("neo4j"), Artifact("fuseki")
    assert compose["services"]["neo4j"]["image"] == f"neo4j:{'.'.join(neo4j.version.split('.')[:2])}-community"
    assert compose["services"]["fuseki"]["image"].endswith(f":{fuseki.version}")
    build = compose["services"]["fuseki"]["build"]
    recipe = (DEPLOY / build["context"] / build["dockerfile"]).read_text(encoding="utf-8")
    digest = fuseki.kept.read_text(encoding="utf-8").split()[1]
    assert f"ARG SHA256={digest}" in recipe and "tests/servers/fuseki/pom.xml" in recipe
