"""Dates: said before it happened, before launch, intervals that do not fit, one figure under two dates."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Final

from kg.audit.derivation import RESTS_ON
from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, each, involved, is_single, known
from kg.audit.rules.part import Alone, AuditPart, Scope
from kg.audit.wording import print_of
from kg.model.counting import counted
from kg.model.dates import Span, disjoint, is_date, shown, span
from kg.model.recorded import ClaimRecord
from kg.model.reference import Moment

DAY: Final = 86_400
LATE: Final = 4
"""A launch in the last quarter of a stated period leaves most of it before the launch."""
EARLIER: Final = ("before", "earlier", "past")


def _dated(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    if "as_of" in claim or "event" in claim or claim["kind"] == "measurement":
        yield from _said_before(claim)
        yield from _before_launch(facts, claim)
        yield from trained_before(facts, claim)


def _is_expected(claim: ClaimRecord) -> bool:
    return bool(claim["kind"] == "projection" or claim.get("modality", "stated") != "stated")


def _said_before(claim: ClaimRecord) -> Iterator[Finding]:
    said, when = claim.get("said_on"), (claim.get("event") or {}).get("date") or claim.get("as_of")
    if said and when and not _is_expected(claim) and span(when)[0] > span(said)[1]:
        yield Finding(
            "chronology.said-before",
            "suspicious",
            "warning",
            f"stated as a fact on {said}, but it is dated {when}, which is later",
            ((claim["id"], "suspect"),),
        )


def _moment(facts: Facts, thing: str, *events: str) -> Moment | None:
    """The first outside date of a thing or of what it belongs to."""
    for one in facts.lineage(thing):
        for moment in facts.references.moments.get(one, ()):
            if moment.event in events:
                return moment
    return None


def _before_launch(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    is_measured = claim["kind"] == "measurement" and "as_of" not in claim
    # what was measured existed when the claim was made
    when = claim.get("said_on") if is_measured else claim.get("as_of")
    moment = (
        _moment(facts, claim["subject"], "announced", "released", "reached")
        if when and not _is_expected(claim)
        else None
    )
    if when is None or moment is None:
        return
    (first, last), day = span(when), span(moment.date)[0]
    # a date that is a month or longer (27 days from first to last of a February) says "during":
    # most of it before the launch is as wrong as all of it
    if day > last or (last - first >= 27 and (last - day) * LATE < last - first):
        yield Finding(
            "chronology.before-launch",
            "suspicious",
            "warning",
            f"{'measured by' if is_measured else 'said of'} {when}, but {facts.label(moment.thing)} was {moment.event} on {moment.date}"
            + ("" if day >= last else f", {counted(last - day, 'day')} before the end of that period"),
            ((claim["id"], "suspect"),),
            basis="reference",
            reference=moment.citation.text,
        )


def trained_before(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A model that its maker is said to have trained on a chip which shipped after the model was released."""
    model, operator = known(claim, "model"), (claim.get("event") or {}).get("operator")
    if (
        claim["kind"] != "event"
        or claim["metric"] != "deployment"
        or known(claim, "phase") != "training"
        or operator is None
    ):
        return
    # others may train a released model again, on any later chip
    if not isinstance(model, str) or facts.registry.get(model, {}).get("maker") != operator:
        return
    released, shipped = _moment(facts, model, "released"), _moment(facts, claim["subject"], "shipped")
    if released is not None and shipped is not None and span(released.date)[1] < span(shipped.date)[0]:
        yield Finding(
            "chronology.trained-before-shipping",
            "suspicious",
            "warning",
            f"{facts.label(model)} was released on {released.date}, before {facts.label(shipped.thing)} shipped ({shipped.date}): its maker "
            "can hardly have trained it there, unless a later training is meant",
            ((claim["id"], "suspect"),),
            basis="reference",
            reference=f"{released.citation.text}; {shipped.citation.text}",
        )


def _trainings(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    operator = (claim.get("event") or {}).get("operator")
    if "utterance" in claim and operator is not None and known(claim, "phase") == "training":
        yield f"{claim['source']}|{claim['utterance']}", operator


def _trained_along(facts: Facts) -> Iterator[Finding]:
    """Another operator that the same words name next to the maker of a model who cannot have trained it on that chip."""
    trainings = facts.by_metric.get("deployment", ())
    for maker in trainings:
        for finding in trained_before(facts, maker):
            for claim in trainings:
                if _is_alike(claim, maker) and not any(trained_before(facts, claim)):
                    yield Finding(
                        finding.code,
                        finding.verdict,
                        finding.severity,
                        f"named with {facts.label(maker['event']['operator'])}, the maker of {facts.label(str(known(maker, 'model')))}, "
                        "which can hardly have trained it there",
                        ((claim["id"], "suspect"), (maker["id"], "the maker")),
                        basis=finding.basis,
                        reference=finding.reference,
                    )


def _is_alike(claim: ClaimRecord, maker: ClaimRecord) -> bool:
    return claim["subject"] == maker["subject"] and known(claim, "model") == known(maker, "model")


def _date(claim: ClaimRecord) -> str | None:
    given = known(claim, "date") or claim.get("as_of")
    return given if isinstance(given, str) and is_date(given) else None


def _redated(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A repeated figure under another date than where it was first given."""
    when = _date(claim)
    for link in claim["restates"] if when else ():
        first = facts.lookup(link.get("claim") or "")
        earlier = _date(first) if first is not None else None
        # "2024" and "2024-12" may be the same day
        if first is None or when is None or earlier is None or not disjoint(span(when), span(earlier)):
            continue
        one, other = facts.figure(claim), facts.figure(first)
        if one is not None and other is not None and one.value == other.value:
            yield Finding(
                "chronology.redated",
                "suspicious",
                "warning",
                f"the same figure stands under {when} here and under {earlier} where it was first given",
                ((claim["id"], "repetition"), (first["id"], "first place")),
            )


def _spaced(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] == "release-interval":
        if is_single(claim):
            yield claim["source"], "interval"
    elif "date" in (claim.get("quantity") or {}):
        yield claim["source"], "date"


def _intervals(facts: Facts) -> Iterator[Finding]:
    """Two dated generations whose distance fits no stated release interval of their maker."""
    dated: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.of_metrics("release-date", "availability"):
        dated[claim["subject"]].append(claim)
    stated: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.by_metric.get("release-interval", ()):
        if known(claim, "period") not in EARLIER:
            stated[claim["subject"]].append(claim)
    for subject, claims in dated.items():
        rules = stated.get(facts.registry.get(subject, {}).get("maker", ""))
        for claim in claims:
            before = dated.get(claim.get("baseline", ""))
            if before and rules:
                yield from _distance(facts, claim, before[0], rules)


def _distance(facts: Facts, claim: ClaimRecord, before: ClaimRecord, rules: Sequence[ClaimRecord]) -> Iterator[Finding]:
    (a, b), (c, d) = span(before["quantity"]["date"]), span(claim["quantity"]["date"])
    # all that the printed dates allow: from the end of one period to the start of
    # the next, and from start to end
    least, most = max(0, c - b) * DAY, (d - a) * DAY
    for rule in rules:
        figure = facts.figure(rule)
        if figure is None:
            return
        # a word such as yearly is good to half of the unit it names
        if figure.value / 2 <= most and least <= figure.value * 3 / 2:
            return
    yield Finding(
        "chronology.interval",
        "suspicious",
        "warning",
        f"{print_of(before['quantity'])} to {print_of(claim['quantity'])} is at most {(d - a) // 30} months, which does not fit the "
        f"stated interval ({print_of(rules[0]['quantity'])})",
        ((claim["id"], "later"), (before["id"], "earlier"), *each(rules, "stated interval")),
    )


def _counted_back(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if "event" in claim:
        yield f"{facts.lineage(claim['subject'])[-1]}|{claim['event']['type']}", claim["id"]


def _elapsed(facts: Facts) -> Iterator[Finding]:
    """How long ago one event was by several statements, counted back to its day; and the day that is printed of it.

    Texts name the event of a series by one of its chips or by another, so that the series is the scope.
    """
    found = [
        (*start, claim)
        for claim in facts.of_metrics("elapsed-time", "availability", "release-date")
        if "event" in claim and (start := _start(facts, claim)) is not None
    ]
    found.sort(key=lambda one: (one[1], one[2]["id"]))
    for early, late in pairwise(found):
        sorts = {one[2]["metric"] == "elapsed-time" for one in (early, late)}
        # a printed year meets anything that began in it: only two counts may meet by rounding
        if sorts == {True} or (len(sorts) == 2 and disjoint(early[0], late[0])):
            yield from _starts(early, late)


def _start(facts: Facts, claim: ClaimRecord) -> tuple[Span, int] | None:
    """The days on which the event of a claim may have begun, and the likeliest."""
    if claim["metric"] != "elapsed-time":
        printed = None if _is_expected(claim) else claim["event"].get("date")
        # a day that was only expected is not the day on which something began
        return None if printed is None else (span(printed), sum(span(printed)) // 2)
    figure, when = facts.figure(claim), known(claim, "date")
    if figure is None or not isinstance(when, str) or figure.lower is None or figure.upper is None:
        return None
    if not is_date(when):  # a date in words (spring of 2024) has no days to count from
        return None
    first, last = span(when)
    start = int(first - figure.value / DAY)
    if not 1 <= start <= date.max.toordinal():  # no calendar has it
        return None
    return (int(first - figure.upper / DAY), int(last - figure.lower / DAY)), start


def _starts(early: tuple[Span, int, ClaimRecord], late: tuple[Span, int, ClaimRecord]) -> Iterator[Finding]:
    apart = late[1] - early[1]
    clash = disjoint(early[0], late[0])
    # "months ago" is good to half a month: nearer than this two statements do not differ
    if apart > 45:
        yield Finding(
            "chronology.elapsed" if clash else "chronology.elapsed-rounded",
            "suspicious" if clash else "within-rounding",
            "warning",
            f"counted back, the event began about {shown(early[1])[:7]} by one statement and about {shown(late[1])[:7]} by another"
            + ("" if clash else "; they meet only because whole years are rounded"),
            ((late[2]["id"], "one statement"), (early[2]["id"], "other statement")),
        )


def _credited(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """What is credited to a product although the figures below it are of a time before the product, by the same text."""
    conclusions = [given for given in claim["derivations"] if given["expression"] == RESTS_ON]
    inputs = [one.get("claim") or "" for given in conclusions for one in given["inputs"].values()]
    used = list(filter(None, map(facts.lookup, inputs)))
    for product in used:
        if not _is_release(product) or not facts.related(product["subject"], claim["subject"]):
            continue
        when = product["quantity"]["date"]
        early = [one for one in used if (day := _date(one)) and not _is_expected(one) and span(day)[1] < span(when)[0]]
        if early:
            yield Finding(
                "chronology.before-product",
                "suspicious",
                "warning",
                f"credited to {facts.label(claim['subject'])}, which the same text dates {print_of(product['quantity'])}; the figure it rests on "
                f"is of {_date(early[0])}",
                ((claim["id"], "suspect"), (product["id"], "date of the product"), *involved(early, "earlier")),
            )
            return


def _is_release(claim: ClaimRecord) -> bool:
    """Whether a claim gives the day on which a product came out."""
    return claim["metric"] in ("release-date", "availability") and "date" in (claim.get("quantity") or {})


PARTS: Final = (
    AuditPart("chronology/intervals", _spaced, _intervals, ("release-date", "availability", "release-interval")),
    AuditPart("chronology/trained-along", _trainings, _trained_along, ("deployment",)),
    AuditPart("chronology/elapsed", _counted_back, _elapsed, ("elapsed-time", "availability", "release-date")),
)
ALONE: Final = (
    Alone("chronology/dated", _dated),
    Alone("chronology/redated", _redated, needs="restates"),
    Alone("chronology/credited", _credited, needs="derivations"),
)
