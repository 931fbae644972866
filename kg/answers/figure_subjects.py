"""What a figure of a text may be said of: what reading offers, without what its own sentence or header excludes."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kg.answers.checked_figures import Ranked
from kg.answers.figure_match import LEAST
from kg.answers.own_conditions import is_of_other_form
from kg.answers.system_names import by_chip_of_system
from kg.answers.words_around import SENTENCE, before, own_sentence
from kg.model.units import COUNT_PREFIX
from kg.reading.candidates_subject import ZONE_REASON
from kg.reading.proposal import Candidate, ClaimProposal

OF_SEVERAL: Final = ("system/", "cluster/")
"""What is made of several accelerators by its name."""
_ELSEWHERE: Final = ("previous", "next", "block", "section")
"""Where a thing stands that another sentence names."""
_LONG_SENTENCE: Final = 400
_REFERS: Final = re.compile(
    r"\b(?:it|its|they|their|them|this|these|those|that|which|both|each|the (?:former|latter|same|other|new\w*|old\w*)"
    r"|the (?:card|chip|gpu|accelerator|system|rack|server|node|machine|part|device)s?)\b",
    re.IGNORECASE,
)
"""Words of a sentence that may mean a thing of an earlier one."""
_OF_ITS_OWN: Final = re.compile(
    r"\b(?:one|another|some|an? (?:certain|different)|an?(?: [a-z]+)? unnamed)\s(?:other\s)?"
    r"(?:systems?|servers?|nodes?|racks?|chips?|cards?|gpus?|accelerators?|machines?|clusters?|submissions?)\s(?!of\b)[a-z]+",
    re.IGNORECASE,
)
"""A subject of which the text gives no name: "one system reached"."""
_THE_WHOLE: Final = re.compile(
    r"^\W*(?:(?:[Ii]n|[Oo]n|[Ii]nside|[Ww]ithin|[Aa]cross)\s)?(?:it|this one|(?:the|this|that|each|every|one|its|a)(?: [a-z-]+)? (?:rack|system|server|node|pod|machine|box|cabinet)s?)\b",
    re.IGNORECASE,
)
"""Words with which a sentence begins that goes on about a whole, which has parts."""
_HARDWARE: Final = ("accelerator/", "family/", "superchip/", "system/", "config/")


def subjects_of(text: str, proposal: ClaimProposal) -> tuple[Ranked, ...]:
    """What a figure may be said of; of a count of parts that "the rack" joins the rack, and not the parts."""
    found = _offered_subjects(text, proposal)
    unit = proposal.figure.unit or ""
    if len(found) < 2 or not unit.startswith(COUNT_PREFIX) or found[0].value.startswith(OF_SEVERAL):
        return found
    whole = next((one for one in found[:3] if one.value.startswith(OF_SEVERAL) and one.confidence >= LEAST), None)
    if whole is None or not _THE_WHOLE.search(before(text, proposal, SENTENCE)):
        return found
    rest = (one for one in found[1:] if one is not whole)
    return (Ranked(whole.value, found[0].confidence), Ranked(found[0].value, whole.confidence), *rest)


def _offered_subjects(text: str, proposal: ClaimProposal) -> tuple[Ranked, ...]:
    """What a figure may be said of; nothing where the text goes on to a card that reading has no name for."""
    offered = proposal.fields.get("subject", ())
    if offered and proposal.figure.block.cell is not None:
        return _of_own_header(offered)
    said = before(text, proposal, SENTENCE)
    if not offered or is_of_other_form(offered[0].value, said):
        return ()
    elsewhere = {ZONE_REASON[zone] for zone in _ELSEWHERE}
    if _OF_ITS_OWN.search(said) and not _REFERS.search(before(text, proposal, _LONG_SENTENCE)):
        return ranked(one for one in offered if one.reason not in elsewhere)
    # "The B300 has 8 TB/s. With 8 TB/s, the H200 …": of a sentence that names its own thing, the one before it is none
    is_own = offered[0].reason not in elsewhere and not _REFERS.search(own_sentence(text, proposal))
    kept = [one for one in offered if not is_own or one.reason not in elsewhere]
    return ranked(by_chip_of_system(kept) if _is_rate(proposal) else kept)


def _is_rate(proposal: ClaimProposal) -> bool:
    metric = proposal.first("metric")
    return metric is not None and metric.value == "throughput"


def _of_own_header(offered: Sequence[Candidate]) -> tuple[Ranked, ...]:
    """What a cell may be said of: hardware that its row or column names, and then none that only stands above the table."""
    headers = {ZONE_REASON[zone] for zone in ("row", "column", "rowcell")}
    if offered[0].reason not in headers or not offered[0].value.startswith(_HARDWARE):
        return ranked(offered)
    kept = [one for one in offered if one.reason in headers or not one.value.startswith(_HARDWARE)]
    share = sum(one.confidence for one in kept)
    return tuple(Ranked(one.value, one.confidence / share) for one in kept)


def ranked(found: Iterable[Candidate]) -> tuple[Ranked, ...]:
    """The candidates of a field with their confidence."""
    return tuple(Ranked(one.value, one.confidence) for one in found)
