"""Two statements of opposite direction about the same thing: a contradiction, or a tension where conditions are open."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from kg.audit.finding import Finding
from kg.audit.rules.dates import disjoint, span
from kg.audit.rules.facts import Facts, Json, involved, is_gap, is_ratio, known

CONDITIONS: Final = (
    "model", "task", "scenario", "phase", "workload", "precision", "accelerators", "context_length", "operator", "customer", "buyer",
    "provider", "region", "software", "framework", "parallelism", "includes", "excludes", "boundary", "term", "offer", "period", "round",
)  # fmt: skip
OPPOSITE: Final = {
    ("higher", "lower"), ("higher", "not-higher"), ("lower", "not-lower"), ("present", "absent"), ("similar", "higher"), ("similar", "lower"),
}  # fmt: skip
NEGATED: Final = {"higher": "not-higher", "lower": "not-lower", "present": "absent", "similar": None, "absent": "absent", "not-higher": "not-higher", "not-lower": "not-lower"}
"""Negation beside a word that already denies is the same denial, not a double one."""
TOPIC: Final = {"availability": "deployment"}
"""Metrics whose statements deny one another: what nobody can have is not in use."""
PER_GROUP: Final = 8


def findings(facts: Facts) -> Iterator[Finding]:
    """One finding for each statement that others oppose, on the side that fewer take."""
    groups: dict[tuple[str, str, str, str], dict[str, list[Json]]] = defaultdict(lambda: defaultdict(list))
    for claim in facts.worded:
        sense = None if is_gap(claim) or "same_as" in claim else sense_of(claim)
        if sense is not None:
            groups[_key(claim)][sense].append(claim)
    for claim in facts.claims.values():
        if "direction" not in claim and "same_as" not in claim and is_ratio(claim) and _key(claim) in groups:
            figure = facts.figure(claim)
            if figure is not None and figure.high is None and figure.value != 1:
                groups[_key(claim)]["higher" if figure.value > 1 else "lower"].append(claim)
    for senses in groups.values():
        for one, other in OPPOSITE if len(senses) > 1 else ():
            if one in senses and other in senses:
                yield from _opposed(senses[one], senses[other])


def sense_of(claim: Json) -> str | None:
    """The direction of a statement with its negation applied.

    >>> sense_of({"direction": "higher", "polarity": "negated"}), sense_of({"direction": "absent", "polarity": "negated"})
    ('not-higher', 'absent')
    """
    direction = claim["direction"]
    return NEGATED[direction] if claim.get("polarity") == "negated" else direction


def _key(claim: Json) -> tuple[str, str, str, str]:
    metric = claim["metric"]
    return claim["subject"], claim["level"], TOPIC.get(metric, metric), claim.get("baseline", "")


def _opposed(ones: Sequence[Json], others: Sequence[Json]) -> Iterator[Finding]:
    few, many = (ones, others) if len(ones) <= len(others) else (others, ones)
    for claim in few:
        against = [(other, unsure) for other in many[:PER_GROUP * 8] if (unsure := _open(claim, other)) is not None]
        if not against:
            continue
        sure = [other for other, unsure in against if not unsure]
        if sure:
            yield _finding("opposition.contradiction", "contradiction", claim, sure, "the same conditions")
        else:
            names = sorted({name for _, unsure in against for name in unsure})
            yield _finding("opposition.tension", "tension", claim, [other for other, _ in against], f"conditions that only one side states ({', '.join(names)})")


def _finding(code: str, verdict: str, claim: Json, against: Sequence[Json], under: str) -> Finding:
    word = claim.get("direction", "the opposite")
    return Finding(
        code, verdict, "warning" if code == "opposition.contradiction" else "info",
        f"says {word} where {len(against)} other statement(s) about the same say {against[0].get('direction', 'the opposite')}, under {under}",
        ((claim["id"], "statement"), *involved(against, "opposed to it", PER_GROUP)),
    )  # fmt: skip


def _open(one: Json, other: Json) -> list[str] | None:
    """The conditions that only one side states; None where a condition, date or standing sets the two apart."""
    if one.get("as_of") and other.get("as_of") and disjoint(span(one["as_of"]), span(other["as_of"])):
        return None
    names = []
    for side in ("conditions", "baseline_conditions"):
        for name in (*CONDITIONS, "date"):
            a, b = known(one, name, side), known(other, name, side)
            if a is not None and b is not None:
                if _text(a).isdisjoint(_text(b)):
                    return None
            elif a is not None or b is not None:
                names.append(name)
    if one.get("modality", "stated") != other.get("modality", "stated"):
        names.append("modality")
    return names


def _text(value: Any) -> set[str]:
    return set(map(str, value)) if isinstance(value, list) else {str(value)}
