"""What a comparison is per, where the text says so behind the comparative: 17% less per GB, 3x more tokens per watt.

The divisor is the normaliser of the claim, and tells which of the metrics is meant: a cost per GB is the price of memory.
"""

import re
from collections.abc import Mapping
from typing import Final

from kg.content.vocabulary import Metric
from kg.model.vocabulary import RATIO_RELATIONS
from kg.reading.passage import Passage
from kg.reading.relations import LESS, MORE

_COMPARATIVE: Final = re.compile(rf"\W*(?:[\w'’-]+\s){{0,2}}?(?:{MORE}|{LESS})\b(?P<of>[^.,;:()]*)", re.IGNORECASE)
_OTHER_SIDE: Final = re.compile(
    r"\b(?:than|compared|versus|vs|relative|against|over|when|if|while|and|but)\b.*", re.IGNORECASE
)
# the last "per" of the clause: "tokens per second per watt" is divided by watt
_PER: Final = re.compile(r"(?:\bper\b|(?<=\w)/)(?![^.,;:()]*\bper\b)\s?(?P<what>[^.,;:()]*)", re.IGNORECASE)
_NORMALISERS: Final = {
    "per-gpu-hour": r"(?:(?:gpu|accelerator|chip)[\s-]?h(?:ou)?r|(?:gpu|accelerator|chip)(?:\s?/\s?|\sper\s)h(?:ou)?r?)",
    "per-chip": r"(?:gpu|accelerator|chip|card|device|tpu|processor)",
    "per-superchip": r"superchip",
    "per-node": r"node",
    "per-server": r"(?:server|box|machine)",
    "per-rack": r"rack",
    "per-million-tokens": r"(?:1\s?m|1?\s?million)\s(?:\w+\s)?tokens",
    "per-token": r"(?:\w+\s)?token",
    "per-watt": r"(?:watt|w\b)",
    "per-dollar": r"(?:dollar|\$|usd)",
    "per-tco": r"(?:tco|total cost)",
    "per-user": r"user",
    "per-request": r"(?:request|query|prompt)",
    "per-gb": r"(?:gb|gigabyte)",
    "per-month": r"month",
    "per-run": r"(?:\w+\s)?run",
}
_OF_EACH: Final = ("per-user", "per-chip", "per-node", "per-server", "per-rack", "per-request")
_FORMS: Final = {name: re.compile(rf"{form}s?\b", re.IGNORECASE) for name, form in _NORMALISERS.items()}
_HOUR: Final = re.compile(r"(?:\w+[\s-])?hour\b", re.IGNORECASE)
_KINDS: Final = {"per-gb": "-per-data", "per-token": "-per-token", "per-million-tokens": "-per-token"}
_OF_MONEY: Final = re.compile(r"\b(?:cheaper|costlier|dearer|pricier)\b", re.IGNORECASE)


def stated_divisor(passage: Passage) -> str | None:
    """What stands behind "per" after the comparative of the figure, up to the other side of the comparison."""
    if passage.figure.relation not in RATIO_RELATIONS or passage.figure.block.cell is not None:
        return None
    compared = _COMPARATIVE.match(passage.after)
    per = _PER.search(_OTHER_SIDE.sub("", compared["of"])) if compared is not None else None
    return per["what"] if per is not None else None


_OF_AMOUNT: Final = re.compile(r"[^.,;:()]{0,60}")
_EVERY_PER: Final = re.compile(r"(?:\bper\b|(?<=[\w$])/)\s?(?=(?P<what>[A-Za-z].*))", re.IGNORECASE)
_EACH: Final = re.compile(
    rf"\b(?:each|every)\s(?P<what>(?:{'|'.join(_NORMALISERS[one] for one in _OF_EACH)}))s?\s[^.,;:()]{{0,40}}$",
    re.IGNORECASE,
)


def stated_normaliser(passage: Passage) -> str | None:
    """The normaliser that the text says right behind a figure, in a header of its cell, or of whom each has it."""
    divisor = stated_divisor(passage)
    if divisor is None and passage.figure.relation not in RATIO_RELATIONS:
        divisor = _divisor_of_amount(passage)
    return next((name for name, form in _FORMS.items() if form.match(divisor)), None) if divisor is not None else None


def _divisor_of_amount(passage: Passage) -> str | None:
    """What an amount is per: 11,200 tokens per second per GPU; each user sees 92 tokens; a column of tokens/s/GPU."""
    cell = passage.figure.block.cell
    if cell is not None:
        headers = (*cell.column_headers[::-1], *cell.row_headers[::-1])
        found = (one["what"] for header in headers for one in _EVERY_PER.finditer(header))
        return next((what for what in found if _is_thing(what)), None)
    behind = _OF_AMOUNT.match(passage.after)
    per = [one["what"] for one in _EVERY_PER.finditer(behind[0])] if behind is not None else []
    per += [one["what"] for one in _SHARED_PER.finditer(passage.before)] if not per else []
    each = _EACH.search(passage.before)
    return next((what for what in per if _is_thing(what)), each["what"] if each is not None else None)


_SHARED_PER: Final = re.compile(
    r"(?:\bper\b|(?<=[\w$])/)\s?(?P<what>[A-Za-z-]+),?\s(?:versus|vs\.?|against|compared\s(?:to|with)|(?:up\s|down\s)?from)\s[$€£¥~≈]?(?:about\s)?$",
    re.IGNORECASE,
)
"""What the amount before is per, which this one is set against: $1.42 per GPU-hour, versus …"""


def _is_thing(what: str) -> bool:
    """Whether words behind "per" begin with what figures are divided by, and not with a unit of time."""
    return any(form.match(what) for name, form in _FORMS.items() if name != "per-month")


_UNDIVIDED: Final = frozenset(
    [
        "mfu",
        "parallelism-degree",
        "hidden-dimension",
        "sequence-length",
        "context-length",
        "parameters",
        "batch-size",
        "training-tokens",
        "accuracy",
        "scaling-efficiency",
        "growth-rate",
        "market-share",
        "adoption",
        "framework-coverage",
        "domestic-share",
        "elapsed-time",
        "training-time",
        "latency",
        "time-per-output-token",
        "clock",
        "process-node",
        "transistors",
        "scale-up-domain",
        "market-size",
        "valuation",
        "yield",
        "utilisation",
    ]
)
"""Metrics of shares, degrees, durations and properties, which are not divided by anything unless the text says so."""
_OF_WHOLE: Final = frozenset(("accelerators-used", "accelerators-needed"))


_OF_THINGS: Final = ("price", "rating of a whole")
"""Groups of metrics of single things, whose figures are per that thing."""


def usual_normaliser(metric: str | None, group: str, level: str, *, compares: bool) -> str | None:
    """The normaliser that a metric has by its nature where the text says none, None where habit has to decide.

    >>> usual_normaliser("mfu", "run", "accelerator", compares=False), usual_normaliser("rental-price", "price", "node", compares=False)
    ('unstated', 'per-node')
    """
    own = {"accelerator": "per-chip"}.get(level, f"per-{level}")
    if metric in _UNDIVIDED:
        return "unstated"
    if metric in _OF_WHOLE and not compares:
        return {"node": "per-node", "rack": None}.get(level, "total")
    if group not in _OF_THINGS or compares:
        return None
    return "total" if level == "cluster" else own if own in _FORMS else None


def divided_metrics(passage: Passage, metrics: Mapping[str, Metric]) -> frozenset[str]:
    """The metrics that are a metric named around the figure by the stated divisor: of a cost, per GB, the price of memory."""
    divisor = stated_divisor(passage)
    if divisor is None:
        return frozenset()
    suffix = "-rate" if _HOUR.match(divisor) else _KINDS.get(stated_normaliser(passage) or "")
    near = [one.mention.ids for one in passage.terms if one.zone in ("before", "after")]
    bases = {kind for ids in near for one in ids for kind in metrics[one].kinds if kind in _DIVIDED}
    bases |= {"money-usd"} if _OF_MONEY.search(passage.after) else set()
    wanted = {f"{base}{suffix}" for base in bases} if suffix else set()
    return frozenset(name for name, metric in metrics.items() if wanted.intersection(metric.kinds))


_DIVIDED: Final = frozenset({"money-usd", "energy"})
"""Kinds of metrics that there are metrics per token, hour or gigabyte of."""
