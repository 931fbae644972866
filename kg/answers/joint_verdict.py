"""One verdict for all claims that state a number, with its reason and the value to use."""

from __future__ import annotations

from collections.abc import Sequence

from kg.answers.claim import ClaimCard, worded_figure
from kg.answers.traced_claim import TracedClaim
from kg.model.counting import counted
from kg.model.verdict import NOT_TO_USE, VERDICTS, WORDS, Verdict, founded_verdict
from kg.model.vocabulary import RATIO_RELATIONS


def usable_value(card: ClaimCard) -> str | None:
    """The better value where there is one; the printed one where it is confirmed: of any other no better value is known."""
    return card.value_to_use or (card.worded if card.verdict == "confirmed" and _is_value(card) else None)


def _is_value(card: ClaimCard) -> bool:
    """Whether what is printed is a value: words alone are none, and neither is a multiple of what is not said."""
    figure = card.figure
    only_words = card.statement is not None and figure.unit is None and not (figure.term or figure.date)
    of_nothing = card.relation in RATIO_RELATIONS and card.baseline is None and card.baseline_status == "unstated"
    return not only_words and not of_nothing


def _as_meant(asked: str, cards: Sequence[ClaimCard]) -> str | None:
    """The number as those mean it who are confirmed; where they mean it differently, each way once."""
    confirmed = (card for card in cards if card.verdict == "confirmed" and _is_value(card))
    ways = dict.fromkeys(worded_figure(asked, card.figure.hedge, card.modality) for card in confirmed)
    # "about 700 W" of one and "700 W" of another is no difference to who uses it
    plain = worded_figure(asked, None)
    if plain in ways and ways.keys() <= {plain, worded_figure(asked, "about")}:
        return plain
    shown = "; ".join(one for one in ways if one is not None)
    return shown if len(ways) == 1 else f"{shown} (see which claim says which)" if ways else None


def joint_verdict(traced: Sequence[TracedClaim], asked: str) -> tuple[Verdict, str, str | None]:
    """One verdict for a number, with its reason and the value to use: that of the claims that state it or are nearest."""
    exact = [one.claim for one in traced if one.match is not None and one.match.kind != "near"]
    if exact:
        return _verdict_of_all(exact, asked)
    if not traced:
        return "unknown", "no claim states it", None
    nearest = _nearest(traced)
    # the value to use of a near claim is offered only where that claim is wrong: the number asked
    # for is another one
    verdict, reason, _ = _verdict_of_all(nearest, asked)
    better = dict.fromkeys(card.value_to_use for card in nearest if card.verdict == "wrong" and card.value_to_use)
    shown = f"{nearest[0].worded} [{nearest[0].id}]"
    return (
        verdict,
        f"no claim states it; the nearest, {shown}, {WORDS[verdict].sentence}: {reason}",
        next(iter(better)) if len(better) == 1 else None,
    )


def _nearest(traced: Sequence[TracedClaim]) -> list[ClaimCard]:
    """The claims whose value is nearest to the one asked for."""
    distances = [abs(one.match.difference) if one.match is not None else 0.0 for one in traced]
    least = min(distances)
    # but for what floats round off
    return [one.claim for one, distance in zip(traced, distances, strict=True) if distance <= least * (1 + 1e-9)]


def _verdict_of_all(cards: Sequence[ClaimCard], asked: str) -> tuple[Verdict, str, str | None]:
    """One verdict for claims that state the same number: the worst that was found, caution where only some are wrong."""
    verdict = founded_verdict(card.verdict for card in cards)
    better = tuple(dict.fromkeys(card.value_to_use for card in cards if card.value_to_use))
    value = None
    if verdict == "confirmed" and not better:
        value = _as_meant(asked, cards)
    elif len(better) == 1:
        value = f"{better[0]}{_where_put_right(cards, verdict)}"
    if len({card.verdict for card in cards}) == 1:
        reasons = tuple(dict.fromkeys(card.verdict_reason for card in cards))
        more = f" (and {len(reasons) - 1} more, see each claim)" if len(reasons) > 1 else ""
        return verdict, reasons[0] + more, value
    return verdict, _said_by_verdict(cards, verdict), value


def _where_put_right(cards: Sequence[ClaimCard], verdict: Verdict) -> str:
    """Of which of several claims that state one number another value is to be used: the others mean it as it is printed."""
    right = [card for card in cards if card.value_to_use]
    if len(right) == len(cards):
        return ""
    things = {card.subjects[0].name for card in right}
    others = {one.name for card in cards if not card.value_to_use for one in card.subjects}
    if len(things) == 1 and things.isdisjoint(others):
        return f" for {next(iter(things))}"
    if verdict in NOT_TO_USE and things == others:
        return ""
    return f" where it is {_put_right(right)}" if len(right) > 1 else f" for {right[0].id}"


def _put_right(cards: Sequence[ClaimCard]) -> str:
    """How what is wrong with the claims that have another value to use is called: the worst of their verdicts."""
    worst = max((card.verdict for card in cards), key=VERDICTS.index)
    return "doubtful" if worst == "caution" else worst


def _said_by_verdict(cards: Sequence[ClaimCard], first: Verdict) -> str:
    """What is found of which things, the joint verdict first, then the worst."""
    order = sorted({card.verdict for card in cards}, key=lambda word: (word != first, -VERDICTS.index(word)))
    sentences: list[str] = []
    for word in order:
        mine = [card for card in cards if card.verdict == word]
        things = list(dict.fromkeys(card.subject.label for card in mine))
        more = f" and {len(things) - 1} more" if len(things) > 1 else ""
        judged = "needs caution" if word == "caution" else word
        of = f"{judged} for {things[0]}{more} ({counted(len(mine), 'claim')})"
        sentences.append(f"{of}: {mine[0].verdict_reason.rstrip('.')}")
    return ". ".join(one[:1].upper() + one[1:] for one in sentences)
