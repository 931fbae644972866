"""The whole audit, a claim: its growth, and where its time goes."""

from typing import Any

from benchmarks.parts.build import KG
from benchmarks.parts.part import Goal, Measured, Meter, Part, Step, Work
from benchmarks.parts.world import lines


def audit_parts(work: Work, meter: Meter) -> None:
    """The whole audit and its parts one by one, on claims that are in memory; microseconds of processor time a claim."""
    from benchmarks.audit_growth import measure
    from kg.build.build import content_records, read_background
    from kg.content.folders import find_content

    content = find_content()
    _, registry, vocabulary = content_records(content)
    background = read_background(content, vocabulary, registry)
    claims: list[dict[str, Any]] = []
    things: list[dict[str, Any]] = []
    for one in lines(work):
        (claims if one["record"] == "claim" else things).append(one)
    found = measure(claims, things, vocabulary.units, background)
    meter.counts |= {name: round(value, 2) for name, value in found.items()}
    meter.seconds["whole"] = meter.cpu["whole"] = found["whole"] * len(claims) / 1e6


PARTS = Step("audit.parts", audit_parts, ("world",), once=True)


def _each(measured: Measured, size: int) -> float | None:
    return measured.count(size, PARTS.name, "whole")


def _linear(measured: Measured, size: int) -> float | None:
    """A claim at this size, over a claim at the next smaller one."""
    smaller = [one for one in measured.sizes if one < size]
    here, there = _each(measured, size), _each(measured, smaller[-1]) if smaller else None
    return here / there if here is not None and there else None


def _in_a_build(measured: Measured, size: int) -> float | None:
    seconds, claims = measured.seconds(size, KG.name, "audit"), measured.count(size, KG.name, "claims")
    return None if seconds is None or not claims else seconds * 1e6 / claims


PART = Part(
    "audit",
    "The audit",
    (KG, PARTS),
    (
        Goal(
            "whole audit, a claim, processor time", "itself", 50, 20, 1_000_000, _each, unit="µs", steps=(PARTS.name,)
        ),
        Goal(
            "whole audit, a claim, against the next smaller size (linear)",
            "itself",
            1.25,
            None,
            1_000_000,
            _linear,
            steps=(PARTS.name,),
            remark="1 is linear; the limit of 1.25 is ours",
        ),
        Goal(
            "the audit as a part of a build, a claim",
            "itself",
            None,
            None,
            1_000_000,
            _in_a_build,
            unit="µs",
            steps=(KG.name,),
            remark="with the text of findings and the index",
        ),
    ),
    ((PARTS.name, "whole"), (KG.name, "audit")),
)
