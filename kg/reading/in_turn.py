"""Several figures in a row that are shared out among as many things in a row: A and B have 80 GB and 141 GB."""

import re
from collections.abc import Iterator
from typing import Final

from kg.reading.known_names import HARDWARE
from kg.reading.passage import Near, Passage
from kg.reading.topic import MAIN_CLASSES, ClassOf

AMOUNT: Final = r"(?<![\w.,])[$€¥~≈]{0,2}\d[\d.,]*(?:\s?(?:%|[a-zA-Z×][\w/]*))?"
"""A number with what follows it as its unit: 141 GB, $2.5, 1,200/s; not the end of a name (HBM3E)."""

_AND: Final = r"(?:,\s(?:and\s)?|\s?/\s?|\s(?:and|or|vs\.?|versus)\s)(?:only\s|just\s|about\s|the\s|an?\s|NVIDIA\s)?"

_AMOUNTS: Final = re.compile(rf"{AMOUNT}(?:{_AND}{AMOUNT})+")

_SET_OPPOSITE: Final = re.compile(r"\s(?:vs\.?|versus)\s")

_AGAINST: Final = re.compile(
    r"\b(?:against|versus|vs\.?|than|over|unlike|(?:compared|relative)\s(?:with|to))\s(?:the\s|an?\s)?(?:\w+\s)?$",
    re.IGNORECASE,
)
"""Before a thing that figures are only compared with: against the A100."""


def in_turn(passage: Passage, class_of: ClassOf) -> Iterator[tuple[str, Near]]:
    """Several figures in a row are shared out among as many things in a row: A and B have 80 GB and 141 GB respectively."""
    text = passage.before + passage.figure.printed + passage.after
    at = len(passage.before)
    row, starts = _row_of_amounts(text, at)
    if row is None:
        return
    named = [near for near in passage.names if near.zone in ("before", "after") and class_of(near) in MAIN_CLASSES]
    things = sorted(named, key=lambda near: near.mention.start)
    opposite = _SET_OPPOSITE.search(row[0]) is not None
    place = sum(start <= at for start in starts) - 1
    for run in _runs(things, text, passage.start, opposite=opposite):
        if len(run) == len(starts) and (
            opposite or "respectively" in text or run[-1].mention.end - passage.start <= at
        ):
            yield "in turn", run[place]
            return


def _row_of_amounts(text: str, at: int) -> tuple[re.Match[str] | None, list[int]]:
    """The amounts in a row of which one stands at a place, and where each begins."""
    row = next((one for one in _AMOUNTS.finditer(text) if one.start() <= at < one.end()), None)
    return row, [] if row is None else [one.start() + row.start() for one in re.finditer(AMOUNT, row[0])]


def in_turn_before(passage: Passage, class_of: ClassOf) -> Near | None:
    """The thing of the sentence before whose turn it is, where this one gives a row of figures and no things: power draw was
    690 W, 735 W and 398 W. What this sentence compares them with has no turn; with a thing of its own before them, the
    row is of that: the MI355X offers 288 GB and 8 TB/s."""
    here = {one for near in passage.names if near.zone in ("before", "after") for one in near.mention.ids}
    earlier: dict[tuple[str, ...], Near] = {}
    for near in sorted(passage.named_in("previous"), key=lambda near: near.mention.start):
        if class_of(near) in HARDWARE and not here.intersection(near.mention.ids):
            earlier.setdefault(near.mention.ids, near)
    if len(earlier) < 2:
        return None
    at = len(passage.before)
    _, starts = _row_of_amounts(passage.before + passage.figure.printed + passage.after, at)
    if len(earlier) != len(starts) or _own_thing(passage, class_of, starts[0]):
        return None
    return list(earlier.values())[sum(start <= at for start in starts) - 1]


def _own_thing(passage: Passage, class_of: ClassOf, row: int) -> bool:
    """Whether the sentence names something before its row of figures that they may be of."""
    return any(
        class_of(near) in HARDWARE
        and near.mention.end - passage.start <= row
        and not _AGAINST.search(passage.before[: near.mention.start - passage.start])
        for near in passage.named_in("before")
    )


def _runs(things: list[Near], text: str, offset: int, *, opposite: bool) -> Iterator[list[Near]]:
    """Things that are named in a row; of figures that are set against each other also the two before them, wherever they stand."""
    run: list[Near] = []
    for near in things:
        if run and not re.fullmatch(_AND, text[run[-1].mention.end - offset : near.mention.start - offset]):
            yield run
            run = []
        run.append(near)
    yield run
    before = [near for near in things if near.zone == "before"]
    if opposite and len({near.mention.ids for near in before[-2:]}) == 2:
        yield before[-2:]
