"""Unit rules: a slip by a power of 1000 or 1024, a column header with the wrong unit, mixed units, two currencies."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from kg.audit.finding import Finding
from kg.audit.normalisers import same_normaliser
from kg.audit.result_conditions import stated_text
from kg.audit.rules.facts import Facts, compatible, each, involved, is_single, known
from kg.audit.rules.part import ALWAYS, SINGLE, AuditPart, Scope
from kg.audit.wording import amount_of, text_of
from kg.model.counting import counted
from kg.model.recorded import AnchorRecord, ClaimRecord
from kg.model.reference import TOKENS, ResultUnit
from kg.model.units import currency_of

PREFIXED: Final = (
    "memory-bandwidth",
    "memory-capacity",
    "interconnect-bandwidth",
    "peak-compute",
    "power",
    "energy-use",
    "energy-efficiency",
    "energy-per-token",
    "clock",
    "latency",
    "time-per-output-token",
)
"""Metrics whose units take prefixes, and whose figures are properties rather than results that may differ by chance."""
SLIPS: Final = tuple(Fraction(base**power) for base in (1000, 1024) for power in (1, 2, 3))
JUMP: Final = 10
"""Two groups of one column this far apart are not one unit."""
MONEY: Final = ("rental-price", "purchase-price", "capital-cost", "investment", "cost")


def _alike(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if (figure := facts.figure(claim)) is not None and figure.value:
        yield f"{facts.root(claim['subject'])}|{claim['level']}|{claim['metric']}", figure.value


def _slips(facts: Facts) -> Iterator[Finding]:
    """Name the value that fewer claims give; where as many give either, both are named."""
    values: dict[Fraction, list[ClaimRecord]] = defaultdict(list)
    for claim, figure in facts.figured(facts.claims.values()):
        values[figure.value].append(claim)
    for small, low in values.items():
        for factor in SLIPS:
            # exactly the factor: a true difference of a thousandfold would not repeat all digits
            high = values.get(small * factor)
            if high is None:
                continue
            # the majority is no proof, but a slip is made once and copied less often than the right value
            if len(low) <= len(high):
                yield from _slipped(facts, low, high, factor, small * factor)
            if len(high) <= len(low):
                yield from _slipped(facts, high, low, 1 / factor, small)


def _slipped(
    facts: Facts, few: Sequence[ClaimRecord], many: Sequence[ClaimRecord], factor: Fraction, other: Fraction
) -> Iterator[Finding]:
    for claim in few:
        # under other conditions (sparse, per rack) the same digits may be right in both units
        agreeing = [one for one in many if compatible(claim, one) and same_normaliser(claim, one)]
        figure = facts.figure(claim)
        if agreeing and figure is not None:
            times = max(factor, 1 / factor)
            yield Finding(
                "unit.slip",
                "slip",
                "violation",
                f"{amount_of(figure.value, figure.unit)} is exactly {text_of(times)} times {'below' if factor > 1 else 'above'} what is given in "
                f"{counted(len(many), 'other claim')} about the same thing: probably another prefix is meant",
                ((claim["id"], "suspect"), *involved(agreeing, "other value")),
                corrected=other,
                unit=figure.unit,
            )


_HEADS = {"sample/s": "samples per second", "query/s": "queries per second", TOKENS: "tokens per second"}
"""Units that a results page prints over results of a language model, whether tokens or samples are counted."""


def _is_doubtful(facts: Facts, claim: ClaimRecord) -> bool:
    """Whether another unit is printed than the rules say; where none decides, samples and queries of a task that counts tokens."""
    unit = (claim.get("quantity") or {}).get("unit")
    if unit not in _HEADS:
        return False
    rule = _rule(facts, claim)
    if rule is None:
        return unit != TOKENS and facts.references.counts_tokens(_task(claim))
    return (unit == TOKENS) != (rule.unit == TOKENS)


def _column(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    unit, table = (claim.get("quantity") or {}).get("unit"), claim["anchor"].get("table")
    if _is_doubtful(facts, claim):
        yield f"{claim['source']}|{table or _field(claim['anchor']) or claim['id']}", ALWAYS
    elif unit == "result/s" and table is not None and is_single(claim):
        figure = facts.figure(claim)
        yield f"{claim['source']}|{table}", None if figure is None else figure.value


def _field(anchor: AnchorRecord) -> str:
    """The column of a cell, or the last key of its place in a tree: what all rows of a file share.

    >>> _field({"column": "Result"}), _field({"pointer": "/17/Result"}), _field({"start": 4, "end": 6})
    ('Result', 'Result', '')
    """
    return str(anchor.get("column") or str(anchor.get("pointer") or "").rpartition("/")[2])


def _columns(facts: Facts) -> Iterator[Finding]:
    headed: dict[tuple[str, str, str, str, str, ResultUnit | None], list[ClaimRecord]] = defaultdict(list)
    mixed: dict[tuple[str, str, str], list[ClaimRecord]] = defaultdict(list)
    for claim in facts.by_metric.get("throughput", ()):
        unit, anchor = (claim.get("quantity") or {}).get("unit"), claim["anchor"]
        if unit is not None and _is_doubtful(facts, claim):
            # a column is one mistake however many rows it has: one finding for it, not one a row
            key = (claim["source"], _task(claim) or "", unit, _place(claim), _field(anchor), _rule(facts, claim))
            headed[key].append(claim)
        elif unit == "result/s" and "table" in anchor and is_single(claim):
            mixed[(claim["source"], anchor["table"], anchor.get("column") or "")].append(claim)
    for (_, task, unit, place, _, rule), claims in headed.items():
        yield _headed(claims, rule, f"printed as {_HEADS[unit]} in {place}", facts.label(task))
    for (_, table, _), claims in mixed.items():
        yield from _mixed(facts, table, claims)


def _rule(facts: Facts, claim: ClaimRecord) -> ResultUnit | None:
    """What decides in which unit the result of a claim is counted."""
    return facts.result_unit(_task(claim), _rounds(claim), stated_text(known(claim, "scenario")))


def _task(claim: ClaimRecord) -> str | None:
    """The task of a claim; None where none or several are named, of which no rule is."""
    return stated_text(known(claim, "task"))


def _place(claim: ClaimRecord) -> str:
    """Where the column of a claim is, in words."""
    anchor = claim["anchor"]
    if "table" in anchor:
        return f"table {anchor['table']}"
    of = f" of {anchor['document']}" if "pointer" in anchor and "document" in anchor else ""
    return f"column {_field(anchor) or claim['id']}{of}"


def _headed(claims: Sequence[ClaimRecord], rule: ResultUnit | None, printed: str, task: str) -> Finding:
    """A column headed with another unit than its task is counted in; which of both holds may be open."""
    about = ((claims[0]["id"], "suspect"), *each(claims[1:], "same column"))
    if rule is not None:
        by_rule = "is a rate of tokens" if rule.unit == TOKENS else f"of this round is in {_HEADS[rule.unit]}"
        return Finding(
            "unit.header",
            "suspicious",
            "warning",
            f"{printed}, but the official result of {task} {by_rule}",
            about,
            basis="reference",
            reference=rule.citation.text,
        )
    return Finding(
        "unit.undecided",
        "suspicious",
        "warning",
        f"{printed}; results of {task} are counted in tokens in some rounds and scenarios, and no rule says in which unit this one is",
        about,
    )


def _rounds(claim: ClaimRecord) -> tuple[str, ...]:
    """The round or rounds that a claim names."""
    named = [one for name in ("round", "rounds") for one in _listed(known(claim, name))]
    return tuple(one for one in named if isinstance(one, str))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _mixed(facts: Facts, table: str, claims: Sequence[ClaimRecord]) -> Iterator[Finding]:
    """A column whose unit is left open and whose values fall into two groups far apart."""
    values = sorted(
        (figure.value, claim["id"])
        for claim in claims
        if (figure := facts.figure(claim)) is not None and figure.value > 0
    )
    gaps = [(high[0] / low[0], n) for n, (low, high) in enumerate(pairwise(values), 1)]
    # systems in one column differ step by step; samples and tokens of one model differ at once by the length of its
    # answers
    if not gaps or max(gaps)[0] < JUMP:
        return
    cut = max(gaps)[1]
    low, high = values[:cut], values[cut:]
    tokens = any(facts.references.counts_tokens(_task(claim)) for claim in claims)
    units = "probably samples a second beside tokens a second" if tokens else "its unit is not one"
    yield Finding(
        "unit.mixed",
        "suspicious",
        "warning",
        f"table {table} holds {counted(len(low), 'value')} up to {text_of(low[-1][0])} next to {len(high)} from {text_of(high[0][0])} upwards in "
        f"one column: {units}; the two groups cannot be compared",
        (*((name, "lower group") for _, name in low), *((name, "upper group") for _, name in high)),
    )


def _priced(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if (figure := facts.figure(claim)) is not None and (currency := currency_of(figure.kind)):
        yield f"{facts.root(claim['subject'])}|{claim['level']}|{claim['metric']}", currency


def _currencies(facts: Facts) -> Iterator[Finding]:
    by_currency: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim, figure in facts.figured(facts.claims.values()):
        by_currency[str(currency_of(figure.kind))].append(claim)
    names = sorted(by_currency)
    first, *rest = (by_currency[name] for name in names)
    thing, metric = facts.root(first[0]["subject"]), first[0]["metric"]
    yield Finding(
        "unit.currency",
        "not-comparable",
        "info",
        f"{metric.replace('-', ' ')} of {facts.label(thing)} is given in {' and '.join(names).upper()}; no dated rate is recorded, so they are not compared",
        (
            *involved(first, names[0]),
            *(pair for name, group in zip(names[1:], rest, strict=True) for pair in involved(group, name)),
        ),
    )


PARTS: Final = (
    AuditPart("unit/slips", _alike, _slips, PREFIXED, sorts=SINGLE),
    AuditPart("unit/columns", _column, _columns, ("throughput",)),
    AuditPart("unit/currencies", _priced, _currencies, MONEY, sorts=SINGLE),
)


ALONE: Final = ()
