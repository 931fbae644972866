"""Holds a proposal against what is known of its figure."""

from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.reading.score import Miss, ReadingTally
from kg.model.names import name_key
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import NEW, Withheld
from kg.reading.proposal import ClaimProposal

CORE: Final = ("subject", "baseline", "metric", "relation", "unit")
OTHER: Final = ("level", "statistic", "normaliser", "modality")
_DEFAULT: Final = {"normaliser": "unstated", "modality": "stated"}


def names_of(identifier: str | None, printed: str | None, withheld: Withheld, knowledge: ReadingKnowledge) -> set[str]:
    """What counts as the right name: the id; of a withheld thing a new name as it is printed or called elsewhere."""
    if identifier is None:
        return {""}
    if identifier not in withheld.ids:
        return {identifier}
    record = knowledge.names.registry.records[identifier]
    names = (record["label"], *record.get("aliases", ()), *((printed,) if printed else ()))
    return {f"{NEW}{name_key(name)}" for name in names}


def judge(
    proposal: ClaimProposal,
    right: Mapping[str, set[str]],
    conditions: Mapping[str, Sequence[str]] | None,
    tally: ReadingTally,
    document: str,
) -> None:
    """Count every field of one proposal; ``right`` holds, for each field that is judged, all that count as right."""
    figure = proposal.figure
    answers: dict[str, bool] = {}
    for name, accepted in right.items():
        known = [_plain(candidate.value) for candidate in proposal.fields.get(name, ())]
        first = known[0] if known else _DEFAULT.get(name, "")
        miss = Miss(
            document, figure.start, figure.printed, " or ".join(sorted(accepted)), ", ".join(known[:3]) or "nothing"
        )
        answers[name] = tally.count(name, right=first in accepted, miss=miss)
        if name in ("subject", "metric"):
            tally.count(f"{name} in three", right=bool(accepted.intersection(known[:3])))
    if conditions is not None:
        answers["conditions"] = _conditions(proposal, conditions, tally, document)
    if all(name in answers for name in CORE):
        tally.count("core fields", right=all(answers[name] for name in CORE))
        if all(name in answers for name in OTHER):
            tally.count("all fields", right=all(answers.values()))


def _plain(value: str) -> str:
    return f"{NEW}{name_key(value.removeprefix(NEW))}" if value.startswith(NEW) else value


def _conditions(
    proposal: ClaimProposal, conditions: Mapping[str, Sequence[str]], tally: ReadingTally, document: str
) -> bool:
    """Those that are named around the figure are asked for; what is proposed beside them counts against the precision."""
    figure, whole = proposal.figure, True
    for name, values in conditions.items():
        proposed = [candidate.value for candidate in proposal.conditions.get(name, ())][: max(1, len(values))]
        found = bool(set(proposed) & set(values))
        whole &= found
        shown = f"{name} {', '.join(proposed) or 'nothing'}"
        tally.count(
            "conditions",
            right=found,
            miss=Miss(document, figure.start, figure.printed, f"{name} {', '.join(values)}", shown),
        )
    return whole
