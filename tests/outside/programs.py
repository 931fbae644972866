"""Programs of others that judge our files and ask our server, fetched by `make servers`; who needs one that is not here skips."""

import os
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

from tests.servers.artifacts import SHORT_LIVED, Artifact, Unavailable, java
from tests.servers.npm_programs import npm_program

HERE = Path(__file__).parent


def jars(artifact: str) -> Path:
    """The folder of the jars of an artifact; skips where they are not here."""
    try:
        return Artifact(artifact).jars()
    except Unavailable as why:
        missing(artifact, why)


def run_java(artifact: str, *arguments: str, memory: str = "1g", seconds: float = 500.0) -> str:
    """The standard output of a Java program out of the jars of an artifact; skips where it cannot run."""
    try:
        program = java()
    except Unavailable as why:
        missing(artifact, why)
    command = [program, *SHORT_LIVED, f"-Xmx{memory}", "-cp", str(jars(artifact) / "*"), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    assert ran.returncode == 0, ran.stderr[-2000:] + ran.stdout[-500:]
    return ran.stdout


def command_of(name: str) -> str:
    """The path of a program that npm fetched; skips where it is not here."""
    try:
        return str(npm_program(name))
    except Unavailable as why:
        missing(name, why)


def missing(artifact: str, why: Unavailable) -> NoReturn:
    """Skip for want of a program; where they are required, fail."""
    if os.environ.get("KG_REQUIRE_SERVERS") == "1":
        pytest.fail(f"{artifact} is needed: {why}")
    pytest.skip(f"{artifact} is not here: {why}")
