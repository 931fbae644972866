"""What a sentence itself calls the thing that a figure is of, where no name is known: a market, a group, a process.

Read from word order alone: what follows "of" behind a word of a metric or behind a share, and what stands before the
verb of the clause. A phrase is offered as a new name and never taken for a known one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kg.reading.clause import VERBS
from kg.reading.passage import Near, Passage
from kg.reading.topic import THING, clause_start

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
    rf"(?<![\w-])(?:(?i:{_STOPS}|{VERBS})|us)(?![\w'’-])|(?<=s )[a-z]+ing\b"
    r"|(?<=[a-z] )[a-z]{3,}ly\b(?=\s[a-z]+(?:s|ed)$|$)"
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
# further off, more than an adverb or a bracket stands between what the clause begins with and its
# verb
_MOST_BEFORE_VERB: Final = 60


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A phrase near a figure: as printed, where it begins in the text, and by which rule it was found."""

    printed: str
    start: int
    rule: str

    @property
    def is_whole(self) -> bool:
        """Whether names inside it are no things of the sentence by themselves: of an 8-card H200 system the H200."""
        return self.rule.removesuffix(" around") in _WHOLE


_WHOLE: Final = ("counted whole", "described model", "bracket")


def noun_phrases(passage: Passage) -> Iterator[NounPhrase]:
    """The phrases of the figure's sentence that may name what it is of, the likeliest rule first."""
    if passage.figure.block.cell is not None:
        return
    yield from _described(passage)
    taken = [one.span for one in passage.names if _is_named_here(one)]
    named = [
        one.span for one in passage.names if _is_named_here(one) and not one.mention.ids[0].startswith(_KIND_OF_MODEL)
    ]
    measured = [one.span for one in passage.terms if one.zone in ("before", "after")]
    for found in _before_bracket(passage):
        end = found.start + len(found.printed)
        if not _overlaps(found.start, end, named) and not _is_metric(found, passage, measured):
            taken.append((found.start, end))
            yield found
    for whole in (*_beside(passage), *_behind_share(passage), *_behind_metric(passage), *_before_verb(passage)):
        found = _without_owner(whole, taken)
        end = found.start + len(found.printed)
        if not _is_metric(found, passage, measured) and not _overlaps(found.start, end, taken):
            taken.append((found.start, end))
            yield found


def _is_named_here(near: Near) -> bool:
    """Whether the sentence names a thing; a word of general use ("average") may be a part of what something is called."""
    return near.zone in ("before", "after", "inside") and not near.mention.printed.islower()


def _is_metric(phrase: NounPhrase, passage: Passage, measured: list[tuple[int, int]]) -> bool:
    """Whether a phrase ends in a word of a metric, and so names what is measured: memory bandwidth, no memory engine."""
    head, end = phrase.printed.rpartition(" ")[2], phrase.start + len(phrase.printed)
    if " " in phrase.printed and _OF_SHARE.search(passage.before, 0, max(0, phrase.start - passage.start)):
        return False
    if any(left <= phrase.start and end <= right for left, right in measured):
        return _COUNTED_HEAD.fullmatch(phrase.printed) is None  # the words of a metric and nothing more: MFU
    if head[0].isupper() or _COUNTED_HEAD.fullmatch(head):
        return False
    return _overlaps(end - len(head), end, measured)


_OF_SHARE: Final = re.compile(r"\b(?:proportion|share|percentage)s? of (?:the\s|all\s)?$")
"""Before the whole that a share is of, by any name: the proportion of imported ovens."""
_KIND_OF_MODEL: Final = "model-class/"
"""Begins the ids of kinds of models, whose words may be a part of a model's name: Zeta 3 MoE."""
_COUNTED_HEAD: Final = re.compile(
    r"(?:market|household|model|customer|user|server|cluster|system|device|budget|fund|contract|programme|architecture|process)(?:e?s)?"
)
"""Words that also name a metric, but at the end of a description the thing itself: a bread market."""
_OWNER: Final = re.compile(r"[^'’]*['’]s\s(?=.*[^\W\d_]{2})")


def _without_owner(phrase: NounPhrase, named: list[tuple[int, int]]) -> NounPhrase:
    """What a known maker owns, by its own name: of "TSMC's 3nm process" the process."""
    owner = _OWNER.match(phrase.printed)
    if owner is None or not _overlaps(phrase.start, phrase.start + owner.end(), named):
        return phrase
    return NounPhrase(phrase.printed[owner.end() :], phrase.start + owner.end(), phrase.rule)


def _overlaps(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(left < end and start < right for left, right in spans)


_NAME: Final = r"[A-Z][\w.-]*"
_FORMS: Final = {
    "counted whole": re.compile(
        rf"(?<![\w.-])(?:{_NAME}\s)?\d{{1,5}}[\s-](?:GPU|card|chip|way|node|accelerator)s?\s(?:{_NAME}\s){{0,2}}"
        r"(?:systems?|clusters?|configurations?|setups?|servers?|nodes?|pods?|racks?|machines?|box(?:es)?|instances?)\b"
    ),
    "described model": re.compile(
        rf"(?:{_NAME}-(?:level|class|scale)|\d[\d.]*(?:[\s-](?:million|billion|trillion)|[BT])[\s-]parameters?)\s(?:AI\s)?models?\b"
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


_OPENS: Final = re.compile(rf"(?:(?:{_STOPS})\s)+", re.IGNORECASE)


def _beyond(printed: str, known: list[str]) -> bool:
    """Whether a description says more than the known names in it."""
    for name in known:
        printed = printed.replace(name, "")
    return re.search(r"[^\W_]", printed) is not None


def _known_lead(printed: str, known: list[str]) -> int:
    """How much of a name are known names before another one: of "the H100 Yoho cluster" the H100."""
    lead = next((len(name) + 1 for name in known if printed.startswith(f"{name} ")), 0)
    return lead if printed[lead : lead + 1].isupper() else 0


def _described(passage: Passage) -> Iterator[NounPhrase]:
    text = passage.before + passage.figure.printed + passage.after
    known = sorted({near.mention.printed for near in passage.names}, key=len, reverse=True)
    for rule, form in _FORMS.items():
        for found in form.finditer(text):
            name = "name" if "name" in form.groupindex else 0
            opening = _OPENS.match(f"{found[name]} ")
            at = found.start(name) + (opening.end() if opening else 0)
            at += _known_lead(text[at : found.end(name)], known) if name else 0
            printed, start = text[at : found.end(name)], passage.start + at
            inside = start <= passage.figure.start and passage.figure.end <= passage.start + found.end()
            if _beyond(printed, known):
                yield NounPhrase(printed, start, f"{rule} around" if inside else rule)


def _phrase(text: str, at: int) -> tuple[int, str] | None:
    """The phrase that begins at a place, articles left out: up to the next preposition, conjunction or verb."""
    opening = _DETERMINERS.match(text, at)
    at = opening.end() if opening else at
    found = _PHRASE.match(text, at)
    if found is None:
        return None
    # the first word that ends a phrase; one that is a noun before a verb ends none
    ends = (one for one in _END.finditer(found[0]) if not _is_noun(one[0], text, at + one.end()))
    end = next(ends, None)
    printed = (found[0][: end.start()] if end else found[0]).rstrip(" .-/'’")
    joined = _ADJECTIVES.match(text, at + len(printed)) if printed.islower() and " " not in printed else None
    rest = _phrase(text, joined.end()) if joined is not None else None
    if rest is not None:
        printed = text[at : rest[0] + len(rest[1])]
    is_empty = len(printed) < 3 or printed.isdigit() or printed.lower() in _EMPTY
    says_nothing = _SETTING.search(printed) is not None or _BARE.fullmatch(printed) is not None
    return None if is_empty or says_nothing else (at, printed)


_SETTING: Final = re.compile(
    r"\b(?:scenario|case|situation|setting|circumstance|condition|mode|phase|stage)s?$", re.IGNORECASE
)
"""Words for when something holds, not for what it holds of: interactive scenarios."""
_BARE: Final = re.compile(
    rf"(?:(?:whole|entire|single|full|new|same)\s)?(?:{THING}|gpu|time|day|year|run)s?", re.IGNORECASE
)
"""The mere word for a kind of thing, which means the one that the text is about."""
_AUXILIARY: Final = r"(?:is|are|was|were|will|would|can|could|may|might|has|have|had|shall|should|must)"
_FINITE: Final = re.compile(rf"\s{_AUXILIARY}\b")
_VERB: Final = re.compile(rf"(?!{_AUXILIARY}$)(?:{VERBS})", re.IGNORECASE)
_ADJECTIVES: Final = re.compile(r"\s(?:and|or)\s(?=[a-z]+-[a-z]+ed\s)")
"""Between two adjectives of one noun: small and medium-sized bakeries."""


def _is_noun(word: str, text: str, end: int) -> bool:
    """Whether a word that may be a verb is the noun before one: the process is, bakery processes will."""
    return _FINITE.match(text, end) is not None and _VERB.fullmatch(word) is not None


_EMPTY: Final = frozenset(
    {
        "anyone",
        "everyone",
        "someone",
        "nobody",
        "one",
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
        return
    for other in list(_OTHER_SHARE.finditer(passage.before))[-1:]:
        found = _phrase(passage.before, other.end())
        if found is not None:
            yield NounPhrase(found[1], passage.start + found[0], "share before")


_OTHER_SHARE: Final = re.compile(r"\d%\sof\s")
"""A share before the figure, whose whole a share without one is of as well: 40% of chains, far exceeding 2% in 2024."""
_IN_BRACKET: Final = re.compile(r"\s?[(（][^()\w]*(?:\d\w*(?:\s[A-Za-z-]+)?[^()\w]+)*$")
_AT_END: Final = re.compile(rf"(?:{_WORD})(?:\s(?:{_WORD})){{0,3}}(?:\s\d[\d.]*)?(?:\s(?:MoE|Dense))?$")


def _before_bracket(passage: Passage) -> Iterator[NounPhrase]:
    """What a bracket that begins with the figure, or with figures in a row, stands behind: wafer ovens (10x higher output)."""
    bracket = _IN_BRACKET.search(passage.before)
    lead = passage.before[: bracket.start()] if bracket else ""
    found = _AT_END.search(lead, max(0, len(lead) - _MOST_BEFORE_VERB)) if lead else None
    if found is None:
        return
    begins = [one.end() for one in _END.finditer(found[0])]
    at = found.start() + (begins[-1] if begins else 0)
    printed = lead[at:].lstrip()
    if len(printed) >= 3 and printed.lower() not in _EMPTY:
        yield NounPhrase(printed, passage.start + len(lead) - len(printed), "bracket")


_GIVES: Final = re.compile(
    r"\b(?:(?:sav|cost|giv|earn|grant|bring|charg)(?:e|es|s|ed|ing)?|gave|brought)\s(?=[a-z])", re.IGNORECASE
)
_NEARLY: Final = re.compile(r"\s(?:(?:up to|about|around|roughly|nearly|almost|over|at least|more than|an?)\s)?")


def _beside(passage: Passage) -> Iterator[NounPhrase]:
    """Who is given the figure ("save bakers 50%"), and what an amount of money says the size of ("a $20 billion fund")."""
    for verb in list(_GIVES.finditer(passage.before))[-1:]:
        found = _phrase(passage.before, verb.end())
        if found is not None and _NEARLY.fullmatch(passage.before, found[0] + len(found[1])):
            yield NounPhrase(found[1], passage.start + found[0], "indirect object")
    is_attribute = re.search(r"\b(?:an?|the|its|their|this)\s$", passage.before) is not None
    if is_attribute and passage.figure.printed[0] in "$€£¥" and re.match(r"[\s-][a-z]", passage.after):
        found = _phrase(passage.after, 1)
        if found is not None and " " in found[1]:
            yield NounPhrase(found[1], passage.figure.end + found[0], "attribute of")


_MEASURE: Final = re.compile(r"\b(?:proportions?|shares?|percentages?|numbers?|rates?|amounts?|volumes?)\b(?= of )")
"""Words that only say that something is measured."""


def _behind_metric(passage: Passage) -> Iterator[NounPhrase]:
    """What a metric is the metric of: "the market size of liquid-cooled data centers"; and what owns it."""
    zones = {"before": (passage.before, passage.start), "after": (passage.after, passage.figure.end)}
    places: list[tuple[str, int]] = [
        (near.zone, near.mention.end - zones[near.zone][1]) for near in passage.terms if near.zone in zones
    ]
    places += [(zone, match.end()) for zone, (text, _) in zones.items() for match in _MEASURE.finditer(text)]
    for zone, place in dict.fromkeys(places):
        (text, offset), end = zones[zone], place
        # the share of imports in a market is said of the imports first, then of the market
        for rule in (f"of metric {zone}", "within"):  # the share of imports in a market: of both, in that order
            lead = _OF.match(text, end)
            found = _phrase(text, lead.end()) if lead is not None else None
            if found is None:
                break
            yield NounPhrase(found[1], offset + found[0], rule)
            end = found[0] + len(found[1])


VERB_FOLLOWS: Final = re.compile(
    rf"\s(?:\([^)]*\)\s|(?:in|of|for|at|on|from)\s[\w\s-]{{1,25}}?\s)?(?:[\w-]+ly\s|also\s|still\s)?(?:{VERBS}|[a-z]+ed)\b"
)


_REPORTED: Final = re.compile(
    r"\b(?:predict|forecast|project|estimat|expect|report|say|said|state|claim|note|show|find|found|suggest|indicat|believ|argu|think|announc)"
    r"\w*\s(?:that\s)(?:(?:by|in|from|since|during|over)\s[^,]{1,40},\s)?",
    re.IGNORECASE,
)
"""Before the clause that someone is reported to have said: Gartner predicts that by 2026, …"""


_POINTS_BACK: Final = re.compile(r"(?:this|that|these|those|such)\s", re.IGNORECASE)
"""Before a word for what was named earlier: this platform."""


def _before_verb(passage: Passage) -> Iterator[NounPhrase]:
    """What the clause begins with, and what the sentence begins with, if a verb follows."""
    reported = [match.end() for match in _REPORTED.finditer(passage.before)]
    places = dict.fromkeys((*reported[-1:], clause_start(passage.before), 0))
    for order, at in enumerate(places):
        clause = passage.before[at:]
        opening = _OPENING.match(clause)
        begin = opening.end() if opening else len(clause) - len(clause.lstrip(" *•-\"“'‘(\n\t"))
        found = _phrase(clause, begin)
        if found is None or _POINTS_BACK.match(clause, begin):
            continue
        rest = clause[found[0] + len(found[1]) :][:_MOST_BEFORE_VERB]
        if VERB_FOLLOWS.match(rest):
            yield NounPhrase(
                found[1], passage.start + at + found[0], "clause subject" if order == 0 else "sentence subject"
            )
