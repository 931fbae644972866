"""What the words right around a figure say of its metric and statistic, where reading leaves it open or another figure decides it."""

import re
from typing import Final

from kg.answers.checked_figures import Ranked
from kg.answers.named_run import own_clause
from kg.reading.proposal import ClaimProposal

_OF_MARKET: Final = re.compile(
    r"\s(?:share )?(?:of|in) (?:the |its |that |all )?(?:[\w-]+ ){0,4}?(?:market|sales|shipments)\b", re.IGNORECASE
)
"""Behind a percentage that is part of a market: "80% of the AI chip market"."""
_PRICED: Final = re.compile(
    r"\b(?:put|puts|prices?|priced|quot\w+|lists?|listed|sells?|sold|goes|estimat\w+|peg\w*|values?|valued)\b[^.;]*?\b(?:at|for)\b",
    re.IGNORECASE,
)
"""Before what a thing costs, where no noun says so: "puts an H100 server at $190k"."""
_INCLUDES: Final = re.compile(
    r"[\s,(]*(?:USD|dollars)?[\s,(]*(?:(?:including|includes|incl\.|with|plus|counting|once)\b[^.;\d]*\b(?:storage|network\w*)|all[ -]in\b)",
    re.IGNORECASE,
)
"""Behind a price of all that is bought with a thing."""
_PRICES: Final = frozenset({"purchase-price", "capital-cost"})
_NAMED: Final = 0.9
_OPEN: Final = 0.5
"""The confidence below which the unit alone speaks for a metric."""
_HARDWARE: Final = ("accelerator/", "family/", "superchip/", "system/", "config/")
_MEAN: Final = re.compile(
    r"\b(?:on average|average[sd]?|averaging|mean|typical(?:ly)?|idle[sd]?|idling|measured|drew|in practice|actual(?:ly)?"
    r"|in (?:our|their|my|its) (?:\w+ )?(?:tests?|runs?|measurements?|benchmarks?))\b",
    re.IGNORECASE,
)
"""What is drawn, not what may be drawn at most."""
_OPENS_MEAN: Final = re.compile(
    r"\W*(?:on average|typically|in practice|averaged\b[^,]*|when idle|at idle),", re.IGNORECASE
)
_RATED: Final = re.compile(r"\b(?:rat(?:ed|ing)|tdp|max(?:imum)?|peak|limit\w*|up to|at most)\b", re.IGNORECASE)


def own_metrics(proposal: ClaimProposal, ranked: tuple[Ranked, ...], before: str, after: str) -> tuple[Ranked, ...]:
    """The metrics that a figure may be of: a share of a market with any verb, and a price without the word."""
    if proposal.figure.unit == "%" and _OF_MARKET.match(after):
        return _first("market-share", ranked)
    if proposal.figure.unit != "USD" or not _is_open_price(proposal, ranked):
        return ranked
    # the one includes the other, so that words of both would leave it open which is meant
    hardly = tuple(Ranked(one.value, one.confidence * (1 - _NAMED)) for one in ranked)
    if _INCLUDES.match(after):
        return _first("capital-cost", hardly)
    return _first("purchase-price", hardly) if _PRICED.search(before) else ranked


def _is_open_price(proposal: ClaimProposal, ranked: tuple[Ranked, ...]) -> bool:
    """Whether an amount of hardware may be its price, since no word says what it is of."""
    subject = proposal.first("subject")
    is_hardware = subject is not None and subject.value.startswith(_HARDWARE)
    return is_hardware and bool(ranked) and (ranked[0].confidence < _OPEN or ranked[0].value in _PRICES)


def _first(metric: str, ranked: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    """A metric that is named, before the others."""
    return (Ranked(metric, _NAMED), *(one for one in ranked if one.value != metric))


def is_mean(proposal: ClaimProposal, before: str, after: str) -> bool:
    """Whether a text says of a figure that it is an average, or what was measured, in the clause that it is in or at the start."""
    clause = own_clause(before, after)
    if _RATED.search(clause):
        return False
    statistic = proposal.first("statistic")
    is_read_so = statistic is not None and statistic.value == "mean" and statistic.confidence >= _OPEN
    return is_read_so or any((_MEAN.search(clause), _OPENS_MEAN.match(before)))
