"""Words around a figure that look like what it is of and only say how it is counted, or what fills its cell."""

import re
from collections.abc import Callable
from typing import Final

from kg.reading.known_names import HARDWARE
from kg.reading.passage import Near, Passage


def is_setting(near: Near, passage: Passage) -> bool:
    """Whether a word says how a rate is counted, and names no kind of models: FP8 dense, 9.6 petaFLOPS of dense FP4."""
    if near.mention.printed.lower() not in ("dense", "sparse"):
        return False
    around = {
        "before": (passage.before, passage.start),
        "after": (passage.after, passage.figure.end),
        **dict.fromkeys(("previous", "block"), (passage.earlier, passage.earlier_start)),
    }
    if near.zone in around:
        text, offset = around[near.zone]
        if not 0 <= near.mention.start - offset < len(text):
            return False
        is_rate = _RATE_BEFORE.search(text[: near.mention.start - offset]) is not None
        return is_rate or _COUNTED_SO.match(text, near.mention.end - offset) is not None
    return near.zone in ("row", "column", "rowcell") and any(
        other.zone == near.zone and "precision/" in other.mention.ids[0] for other in passage.names
    )


_RATE_BEFORE: Final = re.compile(r"(?:FLOPS?|FLOP/s|OPS|flops)\s?(?:\(|,|of\s|-)?\s?$")
_COUNTED_SO: Final = re.compile(
    r"\s?(?:,\s)?(?:(?:tensor\s)?(?:[A-Z]*(?:FP|BF|TF|INT|MX|NV)[A-Z]*\d|\w*(?:FLOPS?|FLOP/s|OPS)\b)|(?:tensor\s)?(?:compute|throughput|performance|precision)\b)"
)
"""Behind and before "dense" where it says how operations are counted."""


def fills_cell(near: Near, passage: Passage, class_of: Callable[[str], str]) -> bool:
    """Whether a technology stands with its figure in a cell whose header names what has it: 288 GB HBM4 below MX3."""
    if passage.figure.block.cell is None or near.zone not in ("before", "after", "rowcell"):
        return False
    headed = (one for one in passage.names if one.zone in ("row", "column"))
    return any(class_of(one.mention.ids[0]) in HARDWARE for one in headed)
