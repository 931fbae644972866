"""Findings about what claims repeat: whether it was kept as it was, and whether anyone can look it up.

The recorded fidelity is a reader's; the computed one comes from the fields. Where the two differ, that is a finding too.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from kg.audit.chains import EndState, Step
from kg.audit.claim_links import Lookup
from kg.audit.fidelity import GRAVITY, NEGATED, FidelityChange, Fields
from kg.audit.finding import Finding, Severity
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import Fidelity

_HARMLESS: Final = frozenset(("condition-added", "rounded", "unit-changed", "wording-altered"))
_OF_A_FIGURE: Final = frozenset(("value-changed", "hedge-dropped", "modality-raised"))
"""What changes a figure even where its author repeats it."""
MOST_CHANGES: Final = 4
_READER_ONLY: Final = frozenset(("wording-altered",))
"""What a reader may see in the words although no field differs."""
_ENDS: Final[dict[EndState, tuple[str, Severity, str]]] = {
    "circular": ("citation.circular", "warning", "what it repeats leads back to itself"),
    "unopened": ("citation.unopened", "info", "the source it names was not opened, so that it cannot be compared"),
    "no-source": ("citation.no-source", "info", "what it repeats is said only by a machine-written text"),
    "primary": ("citation.primary", "info", "what it repeats was found in a text that says it first-hand"),
}


@dataclass(frozen=True, slots=True)
class CitationAudit:
    """Judges what claims repeat; `claim` gives the record of an id, or None."""

    claim: Lookup
    fields: Fields

    def findings(self, records: Iterable[ClaimRecord], steps: Iterable[Step] = ()) -> Iterator[Finding]:
        """Fidelity of every repeated claim, snippets that do not hold what is quoted, and the ends of the chains."""
        for record in records:
            if record.get("restates"):
                yield from self._fidelity(record)
        yield from self._end_findings(steps)

    def _fidelity(self, record: ClaimRecord) -> Iterator[Finding]:
        recorded: dict[str, list[str]] = {}
        for position, link in enumerate(record["restates"], 1):
            # one claim may be named twice, with two things a reader saw
            # change: they are judged as one pair
            if "claim" in link:
                recorded.setdefault(link["claim"], []).append(link.get("fidelity", "unverified"))
            elif link.get("fidelity") == "not-found":
                text = f"{self.fields.label(link['source'])} as quoted here does not hold it"
                yield Finding(
                    "citation.not-found", "not-found", "warning", text, ((record["id"], "repeats"),), key=str(position)
                )
        repeated = [one for name in recorded if (one := self.claim(name)) is not None]
        polarities = {one.get("polarity", "affirmed") for one in repeated}
        for position, (name, given) in enumerate(recorded.items(), 1):
            earlier = self.claim(name)
            if earlier is None or "subject" not in earlier:
                continue
            changes = self.fields.changes(record, earlier)
            if record.get("polarity", "affirmed") in polarities:
                # what another of the statements it repeats denies as well was not put in here
                changes = tuple(one for one in changes if one.text != NEGATED)
            yield _judge(_Pair(record, earlier), given, changes, str(position))

    def _end_findings(self, steps: Iterable[Step]) -> Iterator[Finding]:
        ends: dict[tuple[str, EndState], list[Step]] = {}
        for step in steps:
            if step.end_state is not None:
                ends.setdefault((step.claim, step.end_state), []).append(step)
        for (claim, state), reached in ends.items():
            # one finding for each kind of end: a claim that relays five
            # unopened sources has one gap, not five
            code, severity, text = _ENDS[state]
            names = ", ".join(dict.fromkeys(map(self._end, reached)))
            # a circle ends at the claim itself, which is named already
            named = tuple((step.reaches, "end") for step in reached if step.is_claim and step.reaches != claim)
            yield Finding(code, state, severity, f"{text}: {names}", ((claim, "repeats"), *dict.fromkeys(named)))

    def _end(self, step: Step) -> str:
        """Where a chain ends: the label of a source, the printed words of a claim before its id."""
        record = self.claim(step.reaches) if step.is_claim else None
        if record is None:
            return self.fields.label(step.reaches)
        words = (record.get("quantity") or {}).get("printed") or record.get("cue")
        return f'"{words}" [{step.reaches}]' if words else step.reaches


@dataclass(frozen=True, slots=True)
class _Pair:
    """A claim and the claim it repeats."""

    later: ClaimRecord
    earlier: ClaimRecord

    @property
    def is_one_speaker(self) -> bool:
        """Whether the same speaker goes on in the same text: a next sentence is no relaying of the last."""
        return all(self.later[name] == self.earlier[name] for name in ("asserted_by", "source"))

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """Both with their roles."""
        return (self.later["id"], "repeats"), (self.earlier["id"], "repeated")

    def is_only_reworded(self, codes: Collection[str]) -> bool:
        """Whether the changes leave alone what the reader takes from it; who repeats themselves may leave out what was said."""
        if {*codes} <= _HARMLESS:
            return True
        return self.is_one_speaker and not self.is_another_figure(codes)

    def is_another_figure(self, codes: Collection[str]) -> bool:
        """Whether a printed figure was made into another one."""
        both = all((one.get("quantity") or {}).get("value") is not None for one in (self.later, self.earlier))
        return both and not _OF_A_FIGURE.isdisjoint(codes)


def _judge(pair: _Pair, recorded: list[str], changes: tuple[FidelityChange, ...], key: str) -> Finding:
    firm = [change for change in changes if not change.by_context]
    # what only the context suggests is reported only where nothing is certain
    summary = _summary([change.text for change in firm or changes])
    if not _agree(recorded, changes, firm):
        return _disputed(pair, recorded, firm, summary, key)
    # what a reader saw counts as well as what the fields show, since no
    # field holds the tone of a sentence
    codes = {change.fidelity for change in firm} | ({*recorded} - {"unverified", "identical"})
    if not codes:
        text = "repeats what was said, field by field"
        return Finding("citation.faithful", "identical", "info", text, pair.named, key=key)
    verdict, summary = min(codes, key=_gravity), summary or "altered in its words"
    if pair.is_only_reworded(codes):
        return Finding("citation.reworded", verdict, "info", summary, pair.named, key=key)
    return Finding("citation.altered", verdict, "warning", summary, pair.named, key=key)


def _summary(changes: list[str]) -> str:
    """The most severe changes in words, and how many more there are: a list of fifteen is read by nobody.

    >>> _summary(["a", "b"]), _summary(list("abcdefg"))
    ('a; b', 'a; b; c; d; and 3 more changes')
    """
    # a single one left over is shown: counting it would take as much room
    more = len(changes) - MOST_CHANGES
    return "; ".join([*changes[:MOST_CHANGES], *([f"and {more} more changes"] if more > 1 else changes[MOST_CHANGES:])])


def _disputed(pair: _Pair, recorded: list[str], firm: list[FidelityChange], summary: str, key: str) -> Finding:
    """Where a reader and the fields disagree: a note about the record, unless a figure was changed."""
    worst = firm[0].fidelity if firm else "identical"
    if pair.is_another_figure({worst}):
        return Finding("citation.altered", worst, "warning", summary, pair.named, key=key)
    # where the fields show the graver change the record is to be mended, else the
    # reader saw what they cannot hold
    code = "citation.fidelity" if _gravity(worst) < min(map(_gravity, recorded)) else "citation.fidelity-unseen"
    text = f"recorded as {' and '.join(sorted(recorded))}, the fields say {worst}" + (
        f" ({summary})" if summary else ""
    )
    return Finding(code, worst, "info", text, pair.named, key=key)


def _gravity(fidelity: str) -> int:
    """The place of a fidelity in the list that begins with the most severe."""
    return GRAVITY.index(cast(Fidelity, fidelity))


def _agree(recorded: list[str], changes: tuple[FidelityChange, ...], firm: list[FidelityChange]) -> bool:
    """Whether a reader and the fields say the same: one code in common, or what only a reader can see. Nobody, no dispute."""
    given, computed = {*recorded} - {"unverified"}, {change.fidelity for change in changes}
    if given <= {"identical"}:
        # a reader who found no change is contradicted by certain ones only
        return not (given and firm)
    if given & computed:
        return True
    strongest = firm[0].fidelity if firm else "identical"
    return bool(given & _READER_ONLY) and _gravity(strongest) >= _gravity("wording-altered")
