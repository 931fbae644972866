"""Programs of others that judge our files: Jena and ProvToolbox, fetched by `make servers`."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.servers.artifacts import Artifact, Unavailable, java

HERE = Path(__file__).parent


def run_java(artifact: str, *arguments: str, memory: str = "1g", seconds: float = 500.0) -> str:
    """The standard output of a Java program out of the jars of an artifact; skips where they are not here."""
    try:
        jars, program = Artifact(artifact).jars(), java()
    except Unavailable as why:
        if os.environ.get("KG_REQUIRE_SERVERS") == "1":
            pytest.fail(f"{artifact} is needed: {why}")
        pytest.skip(f"{artifact} is not here: {why}")
    command = [program, f"-Xmx{memory}", "-cp", str(jars / "*"), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    assert ran.returncode == 0, ran.stderr[-2000:] + ran.stdout[-500:]
    return ran.stdout
