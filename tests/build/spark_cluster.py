"""A Spark cluster on the loopback address: a master and workers as processes, out of the pyspark wheel."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.ports import free_port
from tests.small_content import ROOT

_WAIT_SECONDS = 90


@dataclass
class Cluster:
    """A running cluster."""

    address: str
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self) -> None:
        """Start one more worker with one core."""
        number = len(self.workers)
        log = self.folder / f"worker-{number}.log"
        self.workers.append(
            _spark(
                log,
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                "127.0.0.1",
                "--cores",
                "1",
                "--memory",
                "2g",
                "--webui-port",
                str(free_port()),
                "--work-dir",
                str(self.folder / f"work-{number}"),
                self.address,
            )
        )
        _await(log, "Successfully registered with master")

    def kill_worker(self, number: int) -> None:
        """End a worker and its executor at once."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        self.workers[number].wait()


@contextmanager
def running_cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A master and some workers."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    log = folder / "master.log"
    master = _spark(
        log,
        "org.apache.spark.deploy.master.Master",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--webui-port",
        str(free_port()),
    )
    cluster = Cluster(f"spark://127.0.0.1:{port}", folder)
    try:
        _await(log, "New state: ALIVE")
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        for process in (*cluster.workers, master):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _spark(log: Path, *arguments: str) -> subprocess.Popen[bytes]:
    import pyspark

    home = Path(pyspark.__file__).parent
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
    }
    command = [str(home / "bin" / "spark-class"), *arguments]
    with log.open("wb") as out:
        return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment, start_new_session=True)


def _await(log: Path, text: str) -> None:
    until = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < until:
        if re.search(text, log.read_text("utf-8", "replace")):
            return
        time.sleep(0.2)
    raise AssertionError(f"{log.name} never said {text!r}:\n{log.read_text('utf-8', 'replace')[-2000:]}")
