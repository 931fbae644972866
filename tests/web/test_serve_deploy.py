"""The systemd unit and the reverse proxy of `deploy/`, as far as this machine can try them."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from kg.web.listening import PortTaken, bound_socket
from kg.web.safety import AccessRules
from tests.ports import free_port
from tests.web.serving import served, whole_app

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
UNIT = (DEPLOY / "kg-serve.service").read_text(encoding="utf-8")
PROXY = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")


def test_the_unit_and_the_proxy_name_the_same_host_and_port() -> None:
    started = next(line for line in UNIT.splitlines() if line.startswith("ExecStart="))
    host = re.search(r"--allow-host (\S+)", started)
    port = re.search(r"--port (\d+)", started)
    assert host is not None and port is not None
    assert f"server_name {host[1]};" in PROXY
    assert f"server 127.0.0.1:{port[1]};" in PROXY
    assert "--host 127.0.0.1" in started


def test_the_command_of_the_unit_has_the_options_it_gives() -> None:
    command = [sys.executable, "-m", "kg", "serve", "--help"]
    told = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}).stdout
    started = next(line for line in UNIT.splitlines() if line.startswith("ExecStart="))
    assert all(option in told for option in re.findall(r"--[a-z-]+", started))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    true = shutil.which("true")
    unit = tmp_path / "kg-serve.service"  # the program need not be where the unit has it
    unit.write_text(UNIT.replace("/opt/accelkg/bin/kg", str(true)), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert (done.returncode, done.stderr.strip()) == (0, "")
    unit.write_text(UNIT.replace("ProtectSystem=strict", "ProtectSystem=sometimes"), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert "protect system" in done.stderr.lower(), "a mistake in the unit would be told"


@pytest.mark.skipif(
    shutil.which("nginx") is None or shutil.which("openssl") is None,
    reason="nginx or openssl is not installed: the proxy was never started here",
)
def test_nginx_passes_requests_on_over_tls(store: Path, tmp_path: Path) -> None:
    """The example as it is, but for the port and the places of certificate and temporary files."""
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=graph.example"]
    made += ["-addext", "subjectAltName=DNS:graph.example", "-keyout", "privkey.pem", "-out", "fullchain.pem"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    with served(whole_app(store, rules=AccessRules(hosts=("graph.example",)))) as server:
        port = free_port()
        inner = PROXY.replace("server 127.0.0.1:8000", f"server 127.0.0.1:{server.port}")
        inner = inner.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
        inner = inner.replace("/etc/ssl/graph.example", str(tmp_path))
        path = tmp_path / "nginx.conf"
        path.write_text(
            f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
            f"http {{ access_log off; client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/proxy;\n"
            f"fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;\n{inner}\n}}\n",
            encoding="utf-8",
        )
        checked = subprocess.run(["nginx", "-t", "-c", str(path)], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        process = subprocess.Popen(["nginx", "-c", str(path)])
        try:
            _wait_for(port, process, tmp_path / "error.log")
            with httpx.Client(verify=ssl.create_default_context(cafile=str(tmp_path / "fullchain.pem"))) as client:
                replies = [
                    client.get(
                        f"https://127.0.0.1:{port}{target}",
                        headers={"Host": "graph.example", "Accept": "*/*"},
                        extensions={"sni_hostname": "graph.example"},
                    )
                    for target in ("/", "/sparql?query=ASK%7B%7D", "/sparql")
                ]
            assert [one.status_code for one in replies] == [200, 200, 200], replies[-1].text
            assert "<https://graph.example/sparql>" in replies[-1].text, "the address that was asked is described"
        finally:
            process.terminate()
            process.wait(10)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 20
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert process.poll() is None, log.read_text(encoding="utf-8")
        assert time.monotonic() < until, "nothing listens"
        time.sleep(0.05)


@pytest.mark.parametrize("host", ["a" * 70, "a..b"])
def test_a_host_that_no_name_can_be_is_refused_in_words(host: str) -> None:
    with pytest.raises(PortTaken, match="an address of this machine"):
        bound_socket(host, 0)
