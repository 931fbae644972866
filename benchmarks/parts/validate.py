"""Checking and writing records, against reading their JSON alone."""

import shutil

import orjson

from benchmarks.parts.build import validated
from benchmarks.parts.part import Meter, Part, Step, Work, compared


def validate_kg(work: Work, meter: Meter) -> None:
    """Read, validate, hash, write the segment durably; no intervals, no keys."""
    from kg.ledger.segment import write_segment

    folder = work.folder / "segments"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with meter.timed("validate"):
        info = write_segment(
            folder, validated(work.records), origin="synthetic", edition="1", scope="full", registry="bench"
        )
    meter.answers["records"] = str(info.records)
    shutil.rmtree(folder)


def parse_orjson(work: Work, meter: Meter) -> None:
    """Every line read by orjson, and no more."""
    count = 0
    with meter.timed("parse"), open(work.records, "rb") as file:
        for line in file:
            orjson.loads(line)
            count += 1
    meter.answers["records"] = str(count)


PART = Part(
    "validate",
    "Checking and writing records",
    (Step("validate.kg", validate_kg, ("world",)), Step("validate.orjson", parse_orjson, ("world",))),
    (
        compared(
            "validate and write records (without intervals and keys)",
            "orjson parsing alone",
            ("validate.kg", "validate"),
            ("validate.orjson", "parse"),
            goal=4,
            stretch=2.5,
            size=1_000_000,
        ),
    ),
    (("validate.kg", "validate"), ("validate.orjson", "parse")),
)
