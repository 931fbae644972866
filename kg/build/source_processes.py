"""Several sources read side by side, each in a process of its own; what cannot be read there is read, and refused, here."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Final

from kg.build.build import StorePlace
from kg.build.progress import Progress
from kg.build.source_jobs import LoadSetting, MadeThing, SourceJob, TakenSource, plan_dated, take_source
from kg.content.folders import Content, find_content
from kg.ingest.load_report import Report
from kg.ingest.sources import get_loader
from kg.ledger.segment import SegmentInfo
from kg.model.ledger_records import RejectedRecord
from kg.stores.worker import Send, Worker, readable, serve

Refused = Callable[[RejectedRecord], None]
_PROCESSES: Final = 2
"""Each reads the content and the ledger for itself (decision 46): more of them would mostly repeat that."""
_WORTH_IT: Final = 1 << 20
"""Bytes of files below which starting processes takes longer than reading in this one."""


def take_sources(
    place: StorePlace,
    content: Content,
    jobs: Sequence[SourceJob],
    setting: LoadSetting,
    *,
    edition: str | None,
    dry_run: bool,
    refused: Refused | None,
    progress: Progress,
) -> list[TakenSource]:
    """What the files of each source gave, in the order of the sources; `edition` is the day of the files without one."""
    done: dict[int, TakenSource] = {}
    if len(jobs) > 1 and sum(job.size for job in jobs) >= _WORTH_IT and _processors() > 1:
        options = (edition, dry_run, refused is not None)
        done = _side_by_side(place, content, jobs, options=options, refused=refused, progress=progress)
    for number, job in enumerate(jobs):
        # a source of which nothing came back is read again here, where an error keeps its class and its parts
        if number not in done:
            done[number] = take_source(place, job, setting, dry_run=dry_run, refused=refused, progress=progress)
    return [done[number] for number in range(len(jobs))]


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _side_by_side(
    place: StorePlace,
    content: Content,
    jobs: Sequence[SourceJob],
    *,
    options: tuple[str | None, bool, bool],
    refused: Refused | None,
    progress: Progress,
) -> dict[int, TakenSource]:
    """The sources that came back, by number: the largest first, each process the next one when it is through."""
    # The largest goes first, from the end: begun last it would keep one process busy while the other has
    # nothing to do.
    waiting = sorted(range(len(jobs)), key=lambda number: jobs[number].size)
    found: dict[int, TakenSource] = {}
    busy: dict[Worker, int] = {}

    def give(worker: Worker) -> None:
        if waiting:
            busy[worker] = waiting.pop()
            worker.ask(str(place.folder), str(content.place), *_request(jobs[busy[worker]]), *options)

    workers = [Worker(__name__) for _ in range(min(_PROCESSES, len(jobs)))]
    try:
        for worker in workers:
            give(worker)
        while busy:
            progress(f"reading {len(jobs)} sources", len(found), len(jobs))
            for worker in _ready(busy):
                number, taken = busy.pop(worker), _received(worker, refused)
                # The command reads this source again and is refused there, so that no more of the others are
                # waited for.
                if taken is None:
                    return found
                found[number] = taken
                give(worker)
    finally:
        for worker in workers:
            worker.kill()
            worker.end()
    return found


def _request(job: SourceJob) -> tuple[str, list[str]]:
    """The name of the loader and the paths of its files: what a process needs to read them by itself."""
    return job.loader.name, [str(one.path) for one in job.planned]


def _ready(busy: dict[Worker, int]) -> list[Worker]:
    """The processes that have something to say."""
    readers = {worker.messages.fileno(): worker for worker in busy}
    return [readers[one] for one in readable(readers)]


def _received(worker: Worker, refused: Refused | None) -> TakenSource | None:
    """What a process gave; None where it could not read its source. `refused` hears of each rejected row."""
    message = worker.messages.next()
    if message is None or message[0] != "taken":
        return None
    _, reports, infos, things, replaced, rejected = message
    if refused is not None:
        for record in rejected:
            refused(record)
    return TakenSource(
        tuple(Report(**one) for one in reports),
        tuple(SegmentInfo(**one) for one in infos),
        tuple(MadeThing(*one) for one in things),
        frozenset(tuple(one) for one in replaced),
    )


@cache
def _setting(root: str) -> tuple[Content, LoadSetting]:
    content = find_content(Path(root))
    return content, LoadSetting.of(content)


def _taken(request: list[Any], _: Send) -> tuple[Any, ...]:
    """What a process does: read one source. Its segments are in no manifest until the parent process writes one."""
    folder, root, name, files, edition, dry_run, keeps_refused = request
    content, setting = _setting(root)
    loader = get_loader(content, name)
    job = SourceJob(loader, [plan_dated(loader, Path(one), edition) for one in files])
    rejected: list[RejectedRecord] = []
    found = take_source(
        StorePlace(Path(folder)),
        job,
        setting,
        dry_run=dry_run,
        refused=rejected.append if keeps_refused else None,
    )
    return (
        "taken",
        [asdict(one) for one in found.reports],
        [asdict(one) for one in found.infos],
        [tuple(one) for one in found.things],
        [tuple(one) for one in found.replaced],
        rejected,
    )


if __name__ == "__main__":
    sys.exit(serve(_taken))
