"""What reaches the reader of a process that falls over: words of this program, never those of Python."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg.errors import StoreError
from kg.ingest import foreign
from kg.ingest import limits as ingest_limits
from kg.ingest.errors import FileDamaged, LimitExceeded
from kg.reading import limits
from kg.reading.errors import ReportTooLarge, ReportUnreadable
from kg.reading.report import ReportFile, next_answer
from kg.stores.protocol import DeadlinePassed
from kg.stores.worker import SEE_WHERE, WAITS, Messages, Worker, error_of, is_out_of_processor_time, readable, sender

FAILING = "tests.stores.failing_worker"


def test_a_mistake_is_told_without_the_words_of_python() -> None:
    worker = Worker(FAILING)
    worker.ask("type")
    message = worker.messages.next()
    worker.end()
    assert message is not None
    told = str(error_of(*message[1:]))
    assert "TypeError" not in told
    assert "unhashable" not in told
    assert SEE_WHERE in told


def test_a_place_out_of_reach_is_told_as_everywhere() -> None:
    worker = Worker(FAILING)
    worker.ask("place")
    message = worker.messages.next()
    worker.end()
    assert message is not None
    error = error_of(*message[1:])
    assert isinstance(error, StoreError)
    assert str(error).startswith('/a/b: "Permission denied"')
    assert "Errno" not in str(error)


def test_a_report_that_the_reader_fails_on_is_unreadable_in_our_words(tmp_path: Path) -> None:
    worker = Worker(FAILING)
    worker.ask("type")
    with pytest.raises(ReportUnreadable) as refused:
        next_answer(worker, ReportFile(tmp_path / "a.pdf", "a.pdf", "a.pdf"))
    worker.end()
    assert str(refused.value).startswith("a.pdf: ")
    assert "Error" not in str(refused.value)


def test_a_foreign_file_that_the_reader_fails_on_is_damaged_in_our_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "_READER", FAILING)
    with pytest.raises(FileDamaged) as refused, foreign.foreign_bytes(tmp_path / "a.xlsx", "type") as stream:
        stream.read()
    assert "a.xlsx" in str(refused.value)
    assert "Error" not in str(refused.value)


LIMITED = """
import json, resource, time
from kg.stores import worker

def taken():
    return worker._address_space()

mapped = bytearray(64 << 20)
told = taken()
worker._STATM = "/not-there"
tried = taken()
worker.limit_resources(256 << 20, 1)
within, beyond = bytearray(128 << 20), False
try:
    bytearray(512 << 20)
except MemoryError:
    beyond = True
print(json.dumps([told, tried, beyond, resource.getrlimit(resource.RLIMIT_AS)[0]]), flush=True)
if {work}:
    while True:
        pass
time.sleep(1.5)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory and time are those of Linux")
@pytest.mark.parametrize("works", [True, False])
def test_limits_hold_where_the_system_does_not_tell_what_a_process_has_mapped(works: bool) -> None:
    code = LIMITED.replace("{work}", str(works))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    told, tried, is_refused, limit = json.loads(done.stdout)
    assert abs(told - tried) <= 32 << 20, (told, tried)
    assert is_refused
    assert limit == pytest.approx(tried + (256 << 20), abs=32 << 20)
    assert is_out_of_processor_time(done.returncode) == works, (done.returncode, done.stderr)


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory and time are those of Linux")
def test_a_report_that_takes_its_processor_time_is_refused_for_that(tmp_path: Path) -> None:
    worker = Worker(FAILING)
    worker.ask("busy")
    with pytest.raises(ReportTooLarge, match="of processor time") as refused:
        next_answer(worker, ReportFile(tmp_path / "a.pdf", "a.pdf", "a.pdf"))
    worker.end()
    assert "ended with" not in str(refused.value)


def test_a_reader_that_waits_is_given_more_time_than_one_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a report of 3 s of processor time took more than 240 s by the clock."""
    monkeypatch.setattr(limits, "SECONDS", 0.1)
    worker = Worker(FAILING)
    worker.ask("idle")
    began = time.monotonic()
    with pytest.raises(ReportTooLarge, match="by the clock"):
        next_answer(worker, ReportFile(tmp_path / "a.pdf", "a.pdf", "a.pdf"))
    assert time.monotonic() - began >= WAITS * limits.SECONDS
    worker.kill()
    worker.end()


def test_a_foreign_reader_that_hangs_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "_READER", FAILING)
    monkeypatch.setattr(ingest_limits, "CHILD_CPU_SECONDS", 0.1)
    with pytest.raises(LimitExceeded, match="by the clock"), foreign.foreign_bytes(tmp_path / "a", "idle") as stream:
        stream.read()


@pytest.mark.skipif(os.name == "nt", reason="no such signal there")
def test_ctrl_c_ends_a_process_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    worker = Worker(FAILING)
    worker.ask("type")
    assert worker.messages.next() is not None, "it has begun"
    worker._process.send_signal(signal.SIGINT)
    assert worker.messages.next() is None
    assert (worker.end(), capfd.readouterr().err) == (-signal.SIGINT, "")


@pytest.mark.skipif(os.name == "nt", reason="pipes cannot be waited for there")
def test_a_process_is_heard_where_many_files_are_open() -> None:
    import fcntl
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] != resource.RLIM_INFINITY and before[1] < 2048:
        pytest.skip("so many files may not be opened here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], 2048), before[1]))
    reader, writer = os.pipe()
    high = fcntl.fcntl(reader, fcntl.F_DUPFD, 1500)
    try:
        messages = Messages(high)
        messages.run(0.01)
        with pytest.raises(DeadlinePassed):
            messages.next()
        sender(writer)("rows", 1)
        messages.run(5)
        assert messages.next() == ("rows", 1)
    finally:
        for one in (reader, writer, high):
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize("seconds", [3e6, 1e30, float("inf")])
def test_a_process_may_be_given_any_long_time(seconds: float) -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, b"x")
        assert readable([reader], seconds) == [reader]
    finally:
        os.close(reader)
        os.close(writer)
