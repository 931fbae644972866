"""A source with every figure that is claimed in it: where it stands, its verdict, and what the claims there say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kg.answers.asking import Ask, Asker, plain, said, text
from kg.answers.chains import DERIVED
from kg.answers.claim import ClaimCard, Thing, read_cards
from kg.answers.show import show
from kg.errors import UsageError
from kg.model.columns import columns, table_of
from kg.model.result import Table, brief
from kg.model.verdict import VERDICTS, Verdict

if TYPE_CHECKING:
    from kg.content.documents import Document
    from kg.stores.protocol import Cell

_WORST_FIRST: Final[tuple[Verdict, ...]] = ("wrong", "disputed", "caution", "unknown", "unverified", "confirmed")
_COLUMNS: Final = columns(
    "claim=id verdict figure=worded|statement metric subject=subject_names baseline=baseline.name reason=verdict_reason"
    " value_to_use start=place.start end=place.end place=place.named"
)


class NoSuchSource(UsageError):
    """No source has this id."""

    code = "usage.source"


class MarkedFigure(NamedTuple):
    """A place of the text, in code points, with the claims that stand there; the verdict is the worst of theirs."""

    number: int
    start: int
    end: int
    verdict: Verdict
    claims: tuple[ClaimCard, ...]


class Repetition(NamedTuple):
    """Another source, and how many claims the one repeats of the other."""

    other: Thing
    claims: int


@brief
class MarkedSource(NamedTuple):
    """A source with its figures in the order of the text, and its claims without a position."""

    id: str
    label: str
    facts: Mapping[str, Cell]
    figures: tuple[MarkedFigure, ...]
    unplaced: tuple[ClaimCard, ...]
    worst: tuple[int, ...]
    """Numbers of the figures, the most damaging first; what is confirmed or unverified is not among them."""
    repeats: tuple[Repetition, ...]
    repeated_by: tuple[Repetition, ...]
    questions: tuple[str, ...]

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many figures have each verdict, the worst first; claims without a position count one by one."""
        found = Counter([one.verdict for one in self.figures] + [one.verdict for one in self.unplaced])
        return {verdict: found[verdict] for verdict in _WORST_FIRST if found[verdict]}

    @property
    def claims(self) -> tuple[ClaimCard, ...]:
        """All claims in the order of the text, those without a position last."""
        placed = {card.id: card for figure in self.figures for card in figure.claims}
        return (*placed.values(), *self.unplaced)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        return {**plain(self), "counts": self.counts}

    def table(self) -> Table:
        """One row a claim."""
        return table_of(_COLUMNS, self.claims)


def marked_source(ask: Ask, source: str, document: Document | None, *, ranked: Sequence[str] = ()) -> MarkedSource:
    """The figures of a source; `ranked` are claims in the order of the damage they do. Raises NoSuchSource.

    Positions are those of the snapshot that was read: `document`, where there is one, bounds them.
    """
    shown = show(ask, source)
    if shown.kind != "source" or shown.id is None:
        raise NoSuchSource(
            "is no source.",
            given=source,
            expected="an id such as source/002",
            next_step="kg ask sources/all lists them",
        )
    asker = Asker(ask)
    ids = tuple(dict.fromkeys(text(row, "claim") for row in asker.rows("sources/claims", source=source)))
    cards = read_cards(asker, ids)
    figures, unplaced = _figures(cards.values(), None if document is None else len(document.text))
    return MarkedSource(
        source,
        str(shown.facts.get("label") or source),
        shown.facts,
        figures,
        unplaced,
        _worst(figures, ranked),
        _repeats(asker, ids, source),
        _repeated_by(asker, ids, source),
        tuple(dict.fromkeys((*shown.questions, *asker.used))),
    )


def _figures(cards: Iterable[ClaimCard], length: int | None) -> tuple[tuple[MarkedFigure, ...], tuple[ClaimCard, ...]]:
    """Claims by the place they stand at, in the order of the text; those without a place."""
    places: dict[tuple[int, int], list[ClaimCard]] = {}
    unplaced = []
    for card in cards:
        start, end = card.place.start, card.place.end
        # a claim from another edition of the text may lie behind its end: it is listed, not marked
        if start is None or end is None or end <= start or (length is not None and end > length):
            unplaced.append(card)
        else:
            places.setdefault((start, end), []).append(card)
    figures = (
        MarkedFigure(number, start, end, max((one.verdict for one in found), key=_severity), tuple(found))
        for number, ((start, end), found) in enumerate(sorted(places.items()), 1)
    )
    return tuple(figures), tuple(unplaced)


def _severity(verdict: Verdict) -> int:
    return -_WORST_FIRST.index(verdict)


def _worst(figures: Sequence[MarkedFigure], ranked: Sequence[str]) -> tuple[int, ...]:
    """The figures in doubt: by verdict, then by damage, then in the order of the text."""
    # from the end, so that a claim that is ranked twice keeps its first place
    damage = {claim: rank for rank, claim in reversed(list(enumerate(ranked)))}
    doubted = [one for one in figures if VERDICTS.index(one.verdict) >= VERDICTS.index("caution")]
    doubted.sort(
        key=lambda one: (
            _WORST_FIRST.index(one.verdict),
            min(damage.get(card.id, len(damage)) for card in one.claims),
            one.start,
        )
    )
    return tuple(one.number for one in doubted)


def _repeats(asker: Asker, ids: Sequence[str], source: str) -> tuple[Repetition, ...]:
    """The sources whose claims are repeated here, directly."""
    found: dict[Thing, set[str]] = {}
    for row in asker.rows("origins/chain", claim=ids) if ids else ():
        # only direct repetition, not what an input of a computed figure repeats
        if row["hop"] != 1 or row["via"] == DERIVED:
            continue
        reached = said(row, "reached_source") or text(row, "reached")
        if reached != source and not reached.startswith(f"{source.partition('/')[2]}/"):
            # a claim that is reached has its own label, which is not that of its source
            label = None if said(row, "reached_source") else said(row, "label")
            found.setdefault(Thing(reached, label), set()).add(text(row, "claim"))
    return _repetitions(asker, found)


def _repeated_by(asker: Asker, ids: Sequence[str], source: str) -> tuple[Repetition, ...]:
    """The sources that repeat claims of this one, at any distance, or the source as a whole."""
    found: dict[Thing, set[str]] = {}
    rows = [(text(row, "dependent"), row) for row in asker.rows("claims/dependents", claim=ids)] if ids else []
    rows = [(claim, row) for claim, row in rows if row["via"] != DERIVED]
    rows += [(text(row, "claim"), row) for row in asker.rows("origins/echo", origin=source)]
    for claim, row in rows:
        if (other := said(row, "source")) is not None and other != source:
            found.setdefault(Thing(other), set()).add(claim)
    return _repetitions(asker, found)


def _repetitions(asker: Asker, found: Mapping[Thing, set[str]]) -> tuple[Repetition, ...]:
    wanted = sorted({one.id for one in found if one.label is None})
    labels = (
        {text(row, "thing"): text(row, "label") for row in asker.rows("entities/labels", thing=wanted)}
        if wanted
        else {}
    )
    made = [Repetition(Thing(one.id, one.label or labels.get(one.id)), len(claims)) for one, claims in found.items()]
    return tuple(sorted(made, key=lambda one: (-one.claims, one.other.id)))
