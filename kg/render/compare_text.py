"""A comparison as text: what is claimed at which level, what published rows give, then the claims one by one."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from kg.answers.compare import ComparedClaim, Comparison
from kg.answers.comparison_matrix import MatrixRow
from kg.answers.published_ratios import PublishedRatios
from kg.answers.sameness import Matter
from kg.answers.verification import Verified
from kg.model.counting import counted
from kg.model.verdict import NOT_TO_USE, WORDS, Verdict, founded_verdict
from kg.render.claim_words import condition_words, metric_per
from kg.render.lines import row, wrapped
from kg.render.stated_text import pair_words

SHOWN = 6
"""Claims in full on a terminal."""
_MOST_SPECIFIED = 8
LEVELS: Mapping[str | None, str] = {
    "accelerator": "one accelerator",
    "superchip": "one superchip",
    "node": "a node",
    "tray": "a tray",
    "rack": "a whole rack",
    "pod": "a pod",
    "cluster": "a cluster",
    "family": "the family",
    None: "an unstated level",
}


def compare_lines(
    found: Comparison, verified: Mapping[str, Verified], claims: Sequence[ComparedClaim], *, brief: bool = False
) -> Iterator[str]:
    """The whole comparison; `claims` are those that are shown, `verified` the ratio claims that published rows bear on.

    In `brief` a claim has its figure, its verdict and its id; else also conditions, speaker and place.
    """
    ratios = [claim for claim in found.claims if claim.ratio is not None]
    yield from wrapped(compare_opening(found, ratios, verified))
    for orientation, pair in (
        ("a-against-b", (found.a.text, found.b.text)),
        ("b-against-a", (found.b.text, found.a.text)),
    ):
        yield from _levels([claim for claim in ratios if claim.orientation == orientation], pair)
    for name, result in verified.items():
        if result.verdict != "no-comparable":
            yield from row("Published", f"{result.verdict} {result.worded} [{name}]: {result.reason}")
    if found.published is not None:
        yield from _published(found.published, found.a.text, found.b.text)
    yield from _specified(found.specified, brief=brief)
    first: dict[Matter, int] = {}
    for number, claim in enumerate(claims, 1):
        yield ""
        yield from _brief(number, claim) if brief else _claim(number, claim)
        # A number instead of the words: what a claim is about is said once, at the first that has
        # it.
        alike = next((known for matter, known in first.items() if not matter.differences(claim.matter)), None)
        if alike is not None:
            yield f"   About the same thing as {alike}"
        else:
            first[claim.matter] = number


def _specified(rows: Sequence[MatrixRow], *, brief: bool) -> Iterator[str]:
    """What is stated of each, a line a metric; how many more there are."""
    shown = rows[:_MOST_SPECIFIED] if brief else rows
    for one in shown:
        yield from row("Stated", pair_words(one))
    if len(shown) < len(rows):
        yield from row("", f"{len(rows) - len(shown)} more metrics (--wide)")


def _published(given: PublishedRatios, a: str, b: str) -> Iterator[str]:
    """What published results give, summed up; or one by one where they were asked for."""
    how = f"{counted(given.rows, 'pair')} of results of one task, scenario and round"
    how += f" (and {given.virtualised} with a virtualised card)" if given.virtualised else ""
    newest = "" if given.newest == given.best else f"; newest {given.newest.worded}"
    more = "" if given.listed else "; --published lists them"
    yield from row(
        "Published", f"{a} over {b} per accelerator: {given.span} in {how}; best {given.best.worded}{newest}{more}"
    )
    for one in given.listed:
        yield from row("", f"{one.worded} [{one.claim} against {one.against_claim}]")


def compare_opening(found: Comparison, ratios: Sequence[ComparedClaim], verified: Mapping[str, Verified]) -> str:
    """What official results give and which figure to use, then how many sources claim what, at which level."""
    pair = f"{found.a.text} against {found.b.text}"
    official = _official(found)
    if not ratios:
        verb = "compares" if len(found.claims) == 1 else "compare"
        worded = f"; {counted(len(found.claims), 'claim')} {verb} in words" if found.claims else ""
        results = f" {official[:1].upper()}{official[1:]}" if found.published else ""
        return f"{pair}: no claim gives a ratio{worded}.{results}"
    refused = sum(claim.verdict in NOT_TO_USE for claim in ratios)
    supported = sum(result.verdict.startswith("supported") for result in verified.values())
    judged = f"; published results support {supported}" if supported else ""
    judged += f"; {refused} must not be used" if refused else ""
    sources = len({claim.source.id for claim in ratios})
    return (
        f"{pair}: {official} {counted(len(ratios), 'claim')} of {counted(sources, 'source')} "
        f"{'gives' if len(ratios) == 1 else 'give'} a ratio: {', '.join(_compared(ratios))}{judged}."
    )


def comparison_finding(found: Comparison) -> str:
    """What a comparison comes to, as a title has it: what official results give, else how far the claims can be used."""
    unknown = [name.text for name in (found.a, found.b) if not name.is_known]
    if unknown:
        return f"no curated name is {' or '.join(unknown)}"
    if found.published is not None:
        return _official_ratio(found.published)
    ratios = [one for one in found.claims if one.ratio is not None]
    if not ratios:
        return "no claim gives a ratio"
    counts = {verdict: sum(one.verdict == verdict for one in ratios) for verdict in WORDS}
    summary = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    return f"{counted(len(ratios), 'claim')} {'gives' if len(ratios) == 1 else 'give'} a ratio ({summary})"


def _official_ratio(given: PublishedRatios) -> str:
    """What is computed from official results, in one number or the range of them, and of how many pairs: no round publishes ratios."""
    return f"{given.span} per accelerator, computed from {counted(given.rows, 'pair')} of official results here"


def _official(found: Comparison) -> str:
    """What official results say of one accelerator, and which of them to use."""
    given = found.published
    if given is None:
        return "no official result decides; use a ratio only with its conditions."
    if given.lowest == given.highest:
        return f"{_official_ratio(given)} of {given.best.worded.partition(' in ')[2]}."
    return f"{_official_ratio(given)}, by task, scenario and round; use the one of your task."


def _compared(ratios: Sequence[ComparedClaim]) -> Iterator[str]:
    """How many claims are at which level; a rack against a chip gives no ratio of chips."""
    levels = Counter((claim.level, claim.baseline_level or claim.level) for claim in ratios)
    # Equal levels first: what is asked is mostly a ratio of one accelerator.
    for (level, baseline), count in sorted(levels.items(), key=lambda one: (one[0][0] != one[0][1], str(one[0]))):
        unlike = "" if level == baseline else ", which is no ratio per accelerator"
        yield f"{count} for {LEVELS.get(level, level)} against {LEVELS.get(baseline, baseline)}{unlike}"


def _levels(ratios: Sequence[ComparedClaim], pair: tuple[str, str]) -> Iterator[str]:
    """One line a pair of levels: a rack against a chip is never one line with a chip against a chip."""
    groups: dict[tuple[str | None, str | None], list[ComparedClaim]] = {}
    for claim in ratios:
        groups.setdefault((claim.level, claim.baseline_level or claim.level), []).append(claim)
    for (level, baseline), claims in sorted(
        groups.items(), key=lambda group: (group[0][0] != group[0][1], str(group[0]))
    ):
        unlike = "" if level == baseline else "; no ratio per accelerator"
        yield from row(
            "Level",
            f"{LEVELS.get(level, level)} of {pair[0]} against {LEVELS.get(baseline, baseline)} of {pair[1]}: "
            f"{'; '.join(told_once(claims, figure_words))}{unlike}",
        )


def told_once(claims: Iterable[ComparedClaim], figure: Callable[[ComparedClaim], str]) -> Iterator[str]:
    """Each metric and figure with its verdict; claims of one ratio are one entry that says how many they are."""
    stated: dict[str, list[Verdict]] = {}
    for claim in claims:
        stated.setdefault(f"{claim.metric.replace('-', ' ')} {figure(claim)}", []).append(claim.verdict)
    for words, verdicts in stated.items():
        many = f", {counted(len(verdicts), 'claim')}" if len(verdicts) > 1 else ""
        yield f"{words} ({founded_verdict(verdicts)}{many})"


def figure_words(claim: ComparedClaim) -> str:
    """The figure with its direction; a plain ratio needs no word for it, a claim without a figure says its statement."""
    words = {"ratio": "", "times-less": " lower", "increase": " higher", "decrease": " lower"}
    if claim.ratio is None:
        return claim.says.rstrip(".")
    figure = claim.says.removesuffix(f" ({claim.relation})")
    return figure + words.get(claim.relation, f" ({claim.relation})")


def _brief(number: int, claim: ComparedClaim) -> Iterator[str]:
    yield from wrapped(_title(number, claim), "   ", first="")
    yield from wrapped(f"{claim.verdict}: {claim.verdict_reason}", "   ")
    yield f"   {claim.id}"


def _title(number: int, claim: ComparedClaim) -> str:
    measure = metric_per(claim.metric, claim.normaliser)
    return f"{number}. {figure_words(claim)}: {measure} of {claim.subject.label} against {claim.baseline.label}"


def _claim(number: int, claim: ComparedClaim) -> Iterator[str]:
    yield from wrapped(_title(number, claim), "   ", first="")
    if conditions := condition_words(claim.conditions):
        yield from row("Conditions", conditions)
    said_on = f", {claim.said_on}" if claim.said_on else ""
    yield from row("Asserted by", f"{claim.asserted_by.label} in {claim.source.name}{said_on}")
    yield from row("Verdict", f"{claim.verdict}: {claim.verdict_reason}")
    yield from row("Claim", f"{claim.id}{_where(claim)}")


def _where(claim: ComparedClaim) -> str:
    """Table, row or cell where they are known; positions are for machines."""
    return f" at {claim.place.named}" if claim.place.named else ""
