"""What a sentence itself calls the thing that a figure is of, where no name is known: a market, a group, a process.

Read from word order alone: what follows "of" behind a word of a metric or behind a share, and what stands before the
verb of the clause. A phrase is offered as a new name and never taken for a known one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kg.reading.clause import clause_start
from kg.reading.passage import Passage

_VERBS: Final = (
    r"is|are|was|were|be|been|being|has|have|had|having|will|would|can|could|may|might|should|must|do|does|did|shall"
    r"|(?:reach|provid|deliver|achiev|draw|consum|cost|us|requir|need|grow|show|run|account|increas|decreas|reduc|fall|drop|ris"
    r"|jump|improv|sav|spend|invest|generat|process|serv|train|contain|hold|hous|support|expect|forecast|predict|project"
    r"|estimat|exceed|surpass|outperform|offer|featur|includ|com|remain|becom|mak|tak|giv|hit|scal|stand|occup|rely|cover"
    r"|handl|sell|ship|buy|pay|allow|enabl|bring|adopt|prioriti[sz]|produc|burn|emit|deploy|dominat|drive|yield)"
    r"(?:e|es|s|ed|ing|ies|ied)?|grew|fell|rose|ran|held|paid|sold|spent|took|gave|came|made|drew|brought|built|saw"
)
_STOPS: Final = (
    r"the|a|an|of|in|on|at|for|from|to|by|with|without|within|into|over|under|than|as|per|via|through|during|between|across"
    r"|against|about|around|after|before|since|until|while|whereas|when|where|which|who|that|this|these|those|and|or|but|nor|yet|so"
    r"|because|although|though|if|unless|its|it|their|they|our|we|your|you|he|she|his|her|i|my|there|here|then|thus|also|only"
    r"|just|even|still|already|nearly|approximately|roughly|each|every|all|both|some|any|most|more|less|fewer|least|many|few"
    r"|several|other|another|such|same|not|no|up|down|out|respectively|currently|now|today|typically|generally|usually|instead"
    r"|however|meanwhile|moreover|furthermore|further|additionally|overall|combined|compared|relative|based|due|using|including"
)
_WORD: Final = r"[^\W\d_][\w'’.+&/-]*[\w+]|[A-Za-z]|(?:\d+(?:\.\d+)?[a-z]{2,}|(?<=[a-z] )\d{2,4})(?![\w%.])"
_PHRASE: Final = re.compile(rf"(?:{_WORD})(?:\s(?:{_WORD})){{0,4}}")
_END: Final = re.compile(
    rf"(?<![\w-])(?:(?i:{_STOPS}|{_VERBS})|us)(?![\w'’-])|(?<=s )[a-z]+ing\b"
    r"|(?<=[A-Z\d\u4e00-\u9fff] )[a-z]+ed\b|(?<=[A-Z][a-z] )[a-z]+ed\b"
)
_DETERMINERS: Final = re.compile(
    r"(?:(?:the|an?|this|that|these|those|its|their|our|some|many|most|all|both|each|every|such|other|entire|whole|so-called)\s+)+",
    re.IGNORECASE,
)
_OF: Final = re.compile(r"\s*(?:of|for|in|among)\s+", re.IGNORECASE)
_SHARE: Final = re.compile(r"\s*(?:of|for)\s+|\s+(?=[a-z])", re.IGNORECASE)
_OPENING: Final = re.compile(
    r"\W*(?:in|on|at|for|from|by|with|without|through|during|according|as|after|before|since|while|when|if|although|because|due|thanks"
    r"|based|using|relying|despite|like|unlike|combined|compared)\b[^,;]{0,160},\s",
    re.IGNORECASE,
)
_MOST_BEFORE_VERB: Final = 60


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A phrase near a figure: as printed, where it begins in the text, and by which rule it was found."""

    printed: str
    start: int
    rule: str


def noun_phrases(passage: Passage) -> Iterator[NounPhrase]:
    """The phrases of the figure's sentence that may name what it is of, the likeliest rule first."""
    if passage.figure.block.cell is not None:
        return
    yield from _described(passage)
    taken = [
        (near.mention.start, near.mention.end) for near in passage.names if near.zone in ("before", "after", "inside")
    ]
    measured = [(near.mention.start, near.mention.end) for near in passage.terms if near.zone in ("before", "after")]
    for found in (*_behind_share(passage), *_behind_metric(passage), *_before_verb(passage)):
        end = found.start + len(found.printed)
        of_metric = not found.printed.rpartition(" ")[2][0].isupper() and _overlaps(found.start, end, measured)
        if not of_metric and not _overlaps(found.start, end, taken):
            taken.append((found.start, end))
            yield found


def _overlaps(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(left < end and start < right for left, right in spans)


_NAME: Final = r"[A-Z][\w.-]*"
_FORMS: Final = {
    "counted whole": re.compile(
        rf"(?<![\w.-])\d{{1,5}}[\s-](?:GPU|card|chip|way|node|accelerator)s?\s(?:{_NAME}\s){{0,2}}"
        r"(?:systems?|clusters?|configurations?|setups?|servers?|nodes?|pods?|racks?|machines?|box(?:es)?|instances?)\b"
    ),
    "described model": re.compile(
        rf"(?:{_NAME}-(?:level|class|scale)|\d[\d.]*[\s-](?:million|billion|trillion)[\s-]parameters?)\s(?:AI\s)?models?\b"
    ),
    "sized model": re.compile(
        rf"(?<![\w.-]){_NAME}?(?:[\s-]{_NAME}?){{0,2}}[\s-]\d+(?:\.\d+)?[BT](?:\s(?:MoE|Instruct|Chat|Base))?(?![\w/])"
    ),
    "named kind": re.compile(
        rf"(?<![\w.-])(?P<name>{_NAME}(?:\s{_NAME}){{0,2}}(?:\s\d[\d.]*)?)\s"
        r"(?:platform|ecosystem|framework|library|stack|engine|toolkit|supercomputer|cluster|data\s?cent(?:er|re)|instances?|architecture)\b"
    ),
}
"""Descriptions by their form: an 8-card MI300X system, GPT-4-level models, DeepSeek 670B MoE, the ROCm 6.0 platform."""


def _described(passage: Passage) -> Iterator[NounPhrase]:
    text = passage.before + passage.figure.printed + passage.after
    known = {near.mention.printed for near in passage.names}
    for rule, form in _FORMS.items():
        for found in form.finditer(text):
            name = "name" if "name" in form.groupindex else 0
            printed, start = found[name], passage.start + found.start(name)
            inside = start <= passage.figure.start and passage.figure.end <= passage.start + found.end()
            if printed not in known:
                yield NounPhrase(printed, start, f"{rule} around" if inside else rule)


def _phrase(text: str, at: int) -> tuple[int, str] | None:
    """The phrase that begins at a place, articles left out: up to the next preposition, conjunction or verb."""
    opening = _DETERMINERS.match(text, at)
    at = opening.end() if opening else at
    found = _PHRASE.match(text, at)
    if found is None:
        return None
    end = _END.search(found[0])
    printed = (found[0][: end.start()] if end else found[0]).rstrip(" .-/'’")
    is_empty = len(printed) < 3 or printed.isdigit() or printed.lower() in _EMPTY
    return None if is_empty else (at, printed)


_EMPTY: Final = frozenset(
    {
        "figure",
        "number",
        "result",
        "results",
        "test data",
        "data",
        "addition",
        "contrast",
        "order",
        "terms",
        "case",
        "cases",
    }
)


def _behind_share(passage: Passage) -> Iterator[NounPhrase]:
    """What a share is a share of, and what a percentage counts: "40% of software vendors", "60% of the market"."""
    if passage.figure.unit != "%":
        return
    lead = _SHARE.match(passage.after)
    found = _phrase(passage.after, lead.end()) if lead is not None and lead[0].strip() else None
    if found is not None:
        yield NounPhrase(found[1], passage.figure.end + found[0], "share of")


def _behind_metric(passage: Passage) -> Iterator[NounPhrase]:
    """What a metric is the metric of: "the market size of liquid-cooled data centers"; and what owns it."""
    for near in passage.terms:
        if near.zone == "before":
            text, offset = passage.before, passage.start
        elif near.zone == "after":
            text, offset = passage.after, passage.figure.end
        else:
            continue
        lead = _OF.match(text, near.mention.end - offset)
        found = _phrase(text, lead.end()) if lead is not None else None
        if found is not None:
            yield NounPhrase(found[1], offset + found[0], f"of metric {near.zone}")


_VERB_FOLLOWS: Final = re.compile(
    rf"\s(?:\([^)]*\)\s|(?:in|of|for|at|on|from)\s[\w\s-]{{1,25}}?\s)?(?:[\w-]+ly\s|also\s|still\s)?(?:{_VERBS}|[a-z]+ed)\b"
)


def _before_verb(passage: Passage) -> Iterator[NounPhrase]:
    """What the clause begins with, and what the sentence begins with, if a verb follows."""
    places = dict.fromkeys((clause_start(passage.before), 0))
    for order, at in enumerate(places):
        clause = passage.before[at:]
        opening = _OPENING.match(clause)
        begin = opening.end() if opening else len(clause) - len(clause.lstrip(" *•-\"“'‘(\n\t"))
        found = _phrase(clause, begin)
        if found is None:
            continue
        rest = clause[found[0] + len(found[1]) :][:_MOST_BEFORE_VERB]
        if _VERB_FOLLOWS.match(rest):
            yield NounPhrase(
                found[1], passage.start + at + found[0], "clause subject" if order == 0 else "sentence subject"
            )
