"""An announced range or set against the one that is used."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.normalisers import same_normaliser
from kg.audit.rules.facts import Facts, compatible, each, involved, known
from kg.audit.rules.part import SINGLE, Alone, AuditPart, Scope
from kg.audit.typo_explanations import swapped
from kg.audit.wording import print_of, text_of
from kg.model.counting import first_of
from kg.model.derived import CanonicalFigure
from kg.model.recorded import ClaimRecord

RANGED: Final = ("accelerators-used",)
ROUNDS: Final = ("round", "rounds")
SHOWN: Final = 8


def _ended(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim.get("modality", "stated") == "stated":
        statistic = claim.get("statistic")
        yield f"{claim['source']}|{claim['subject']}", statistic if statistic in ("min", "max") else None


def _outside(facts: Facts) -> Iterator[Finding]:
    """Figures outside the two ends that the same text gives for the runs of one kind."""
    ends: dict[str, dict[str, ClaimRecord]] = defaultdict(dict)
    used: list[ClaimRecord] = []
    for claim in facts.claims.values():
        statistic = claim.get("statistic")
        if statistic in ("min", "max"):
            kind = claim.get("utterance") or f"{known(claim, 'model')}|{known(claim, 'precision')}"
            ends[kind].setdefault(statistic, claim)
        # a mean lies inside any range, and a figure per card counts something else
        if statistic != "mean" and claim.get("normaliser") == "total":
            used.append(claim)
    # in order, so that what lies outside is met first, from either end
    used.sort(key=lambda one: (_number(one), one["id"]))
    for pair in ends.values():
        if len(pair) == 2:
            yield from _beyond(facts, pair["min"], pair["max"], used)


def _beyond(facts: Facts, low: ClaimRecord, high: ClaimRecord, used: Sequence[ClaimRecord]) -> Iterator[Finding]:
    least, most = _number(low), _number(high)
    below = _first(low, used, lambda value: value < least)
    above = _first(high, reversed(used), lambda value: value > most)
    for end, outside in ((low, below), (high, above)):
        if outside:
            values = first_of([f"{value:,}" for value in sorted(outside)], SHOWN)
            yield Finding(
                "ranges.outside",
                "inconsistent",
                "warning",
                f"the range announced for {facts.label(end['subject'])} is {least:,} to {most:,}; the same text goes on with {values}",
                ((end["id"], "announced end"), *involved((outside[v] for v in sorted(outside)), "outside")),
            )


def _number(claim: ClaimRecord) -> float:
    """The one number of a single figure, as printed."""
    value = claim["quantity"]["value"]
    return value[0] if isinstance(value, list) else value


def _first(
    end: ClaimRecord, ordered: Iterable[ClaimRecord], is_outside: Callable[[float], bool]
) -> dict[float, ClaimRecord]:
    """The figures outside, each value once, the farthest first."""
    found: dict[float, ClaimRecord] = {}
    for claim in ordered:
        value = _number(claim)
        if not is_outside(value):
            break
        # a misprint of the end itself is no run outside it: it meets the end as a figure at odds
        if _of_same(end, claim) and not swapped(str(end["quantity"]["value"]), str(value)):
            found.setdefault(value, claim)
    return found


def _of_same(end: ClaimRecord, claim: ClaimRecord) -> bool:
    """Runs of the one who announced the range, on the same model as far as that is said."""
    return bool(end["asserted_by"] == claim["asserted_by"]) and compatible(end, claim, ("model",))


def _listed(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] == "test-coverage":
        if (claim.get("quantity") or {}).get("set"):
            yield f"{claim['source']}|{claim['subject']}", "announced"
    elif claim["kind"] == "measurement" and isinstance(suite := known(claim, "benchmark"), str):
        yield f"{claim['source']}|{suite}", "row"


def _sets(facts: Facts) -> Iterator[Finding]:
    """What a text says it covers against the rows it has, and against another list of the same text."""
    announced: dict[tuple[str, str], list[ClaimRecord]] = defaultdict(list)
    for claim in facts.by_metric.get("test-coverage", ()):
        announced[claim["asserted_by"], _sort(claim["quantity"]["set"][0])].append(claim)
    rows: dict[str, dict[str, ClaimRecord]] = defaultdict(dict)
    for claim in facts.by_metric.get("throughput", ()):
        for sort, member in _members(facts, claim):
            rows[sort].setdefault(member, claim)
    for (_, sort), claims in announced.items():
        yield from _covered(facts, claims, rows.get(sort, {}))


def _sort(member: str) -> str:
    """Hardware of any level is one sort; rounds, models (also as tasks) and organisations are others."""
    prefix = member.partition("/")[0]
    return {"task": "model", "model": "model", "round": "round", "org": "maker"}.get(prefix, "hardware")


def _members(facts: Facts, claim: ClaimRecord) -> Iterator[tuple[str, str]]:
    yield "hardware", claim["subject"]
    if (model := known(claim, "model")) is not None:
        yield "model", str(model)
    for name in ROUNDS:
        value = known(claim, name)
        yield from (("round", one) for one in (value if isinstance(value, list) else [value]) if one)
    if maker := facts.registry.get(claim["subject"], {}).get("maker"):
        yield "maker", maker


def _covered(facts: Facts, claims: Sequence[ClaimRecord], rows: dict[str, ClaimRecord]) -> Iterator[Finding]:
    # texts announce a task or the model that it runs; rows name the model
    members = {facts.registry.get(one, {}).get("model", one) for claim in claims for one in claim["quantity"]["set"]}
    if not rows:
        return
    extra = [row for row in rows if not any(_covers(facts, one, row) for one in members)]
    unused = [one for one in sorted(members) if not any(_covers(facts, one, row) for row in rows)]
    roles = (*each(claims[:1], "announced"), *each(claims[1:], "announced too"))
    if extra or unused:
        differences = [
            f"{what}: {', '.join(map(facts.label, things))}"
            for what, things in (("not announced", extra), ("announced without a row", unused))
            if things
        ]
        yield Finding(
            "ranges.set",
            "inconsistent",
            "warning",
            f"the list of what is covered and the rows of the same text differ ({'; '.join(differences)})",
            (*roles, *involved((rows[one] for one in extra), "row outside")),
        )
    else:
        yield Finding(
            "ranges.holds",
            "consistent",
            "info",
            "every row of the text is of something announced, and the reverse",
            roles,
        )


def _covers(facts: Facts, announced: str, row: str) -> bool:
    # lists name a series or a variant, rows the variant that was run
    if announced in facts.lineage(row) or facts.root(announced) == facts.root(row):
        return True
    return bool(facts.registry.get(announced, {}).get("maker") == row)


def _summed_up(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A headline of several figures: a range against the least and the greatest, one figure against each, their sum and mean."""
    figure = facts.figure(claim)
    if figure is None:
        return
    found = _repeated(facts, claim, figure.unit)
    if len({row["id"] for _, row in found}) < 2:
        return
    least, most = min(one.value for one, _ in found), max(one.high or one.value for one, _ in found)
    holds = _sums_up(figure, [one.value for one, _ in found], least, most)
    if holds and least == most:
        return  # one figure said several times: it is repeated, and nothing is summed up
    yield Finding(
        "ranges.holds" if holds else "ranges.headline",
        "consistent" if holds else "inconsistent",
        "info",
        f"{print_of(claim['quantity'])} {'sums up figures' if holds else 'does not sum up the figures that it repeats,'} "
        f"from {text_of(least)} to {text_of(most)}",
        ((claim["id"], "summary"), *involved((row for _, row in found), "figure")),
    )


def _repeated(facts: Facts, claim: ClaimRecord, unit: str) -> list[tuple[CanonicalFigure, ClaimRecord]]:
    """The figures of one unit that a claim repeats."""
    rows = filter(None, (facts.lookup(link.get("claim") or "") for link in claim["restates"]))
    return [(one, row) for row, one in facts.figured(rows) if one.unit == unit]


def _of_rows(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    # only a passage of a text sums up the tables around it; rows of published files have no headlines
    if "start" in claim["anchor"] and claim.get("relation", "absolute") == "absolute":
        tag = "row" if "table" in claim["anchor"] else "summary"
        yield f"{claim['source']}|{facts.root(claim['subject'])}|{claim['metric']}", tag


def _summaries(facts: Facts) -> Iterator[Finding]:
    """A figure outside all tables that repeats no other one, against the rows that the tables of its text have of it."""
    figured = list(facts.figured(facts.claims.values()))
    rows = [(figure, claim) for claim, figure in figured if "table" in claim["anchor"] and figure.high is None]
    for claim, figure in figured:
        if "table" in claim["anchor"] or any(name in claim for name in ("restates", "same_as", "derivations")):
            continue
        found = [(one, row) for one, row in rows if one.unit == figure.unit and _is_summed_up_by(claim, row)]
        values = sorted(one.value for one, _ in found)
        if len(set(values)) > 1 and not _sums_up(figure, values, values[0], values[-1]):
            yield Finding(
                "ranges.headline",
                "inconsistent",
                "info",
                f"{print_of(claim['quantity'])} is none of the {len(values)} figures that the tables of the text have of it, from "
                f"{text_of(values[0])} to {text_of(values[-1])}, nor their sum or mean",
                ((claim["id"], "summary"), *involved((row for _, row in found), "row")),
            )


def _is_summed_up_by(claim: ClaimRecord, row: ClaimRecord) -> bool:
    """Whether a row is of what a claim is of, as far as both say it."""
    return claim["level"] == row["level"] and same_normaliser(claim, row) and compatible(claim, row)


def _sums_up(figure: CanonicalFigure, values: Sequence[Fraction], least: Fraction, most: Fraction) -> bool:
    """Whether a range has the ends of some figures, or one figure is one of them, their sum or mean, or beyond an open end."""
    if figure.high is not None:
        return _meets(figure.value, least) and _meets(figure.high, most)
    return _is_one_of(figure, values, most)


def _is_one_of(figure: CanonicalFigure, values: Sequence[Fraction], most: Fraction) -> bool:
    """Whether a headline is one of the figures below it, their greatest end, their sum or their mean."""
    total = sum(values, Fraction())
    span = figure.interval
    return any(span.contains(one) or _meets(figure.value, one) for one in (*values, most, total, total / len(values)))


def _meets(end: Fraction, value: Fraction) -> bool:
    """Whether an end of a range is the figure it repeats, within a hundredth for the rounding of a summary."""
    return abs(end - value) <= abs(value) / 100


PARTS: Final = (
    AuditPart("ranges/outside", _ended, _outside, RANGED, sorts=SINGLE),
    AuditPart("ranges/rows", _of_rows, _summaries, needs="quantity"),
    AuditPart("ranges/sets", _listed, _sets, ("test-coverage", "throughput")),
)
ALONE: Final = (Alone("ranges/headline", _summed_up, needs="restates"),)
