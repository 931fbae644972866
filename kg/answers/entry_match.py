"""A figure that a benchmark result gives, where its sentence states the entry otherwise: another division, submitter, count.

`kg.answers.check` decides which claims match; what a sentence states of an entry is read in `kg.answers.entry_words`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kg.answers.asking import Asker, said, text
from kg.answers.checked_figures import CheckedFigure, TextFigure
from kg.answers.claim import ClaimCard, bare, shown_value
from kg.answers.entry_words import EntryWords
from kg.answers.figure_match import is_among
from kg.answers.known_numbers import short_name
from kg.answers.telling_digits import is_telling
from kg.model.comparability import base_division
from kg.model.condition_line import stated_conditions
from kg.model.exact import whole_number

_PER_CHIP: Final = "per-chip"
_ORGANISATION: Final = "org/"
_PUBLISHER: Final = "org/mlcommons"
_OF_ENTRY: Final = frozenset({"scenario", "round", "accelerators"})
"""Conditions that reading finds and an entry has once."""
_SYSTEMS: Final = {"available": "an available system", "preview": "a preview system", "rdi": "an RDI system"}
_SAME_RUN: Final = frozenset({"server", "interactive"})
"""Scenarios of which one is run as the other."""


@dataclass(slots=True)
class EntryMatch:
    """Compares what sentences state of entries with the entries; names are resolved once."""

    asker: Asker
    _organisations: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """By name as printed, the organisations that it and its beginnings name, with their labels."""

    def of_named_entry(self, checked: CheckedFigure, same: Sequence[ClaimCard]) -> CheckedFigure:
        """A figure that may stand by the claims that match: a caution where each result among them is of another entry than the
        sentence states, wrong where it is per accelerator and said of several.
        """
        entries = [card for card in same if is_entry(card)]
        if not entries or checked.verdict not in ("confirmed", "unverified"):
            return checked
        differing = {card.id: self._differences(checked.figure, card) for card in entries}
        agreeing = [card for card in entries if not differing[card.id]]
        if agreeing:
            return _of_system(checked, agreeing)
        nearest = min(
            entries, key=lambda card: (len(differing[card.id]), bare(card.figure.unit) != checked.figure.unit, card.id)
        )
        reason = _reason(nearest, differing[nearest.id])
        return replace(checked, verdict="caution", reason=reason, value_to_use=None)

    def of_another(self, figure: TextFigure, cards: Sequence[ClaimCard]) -> tuple[ClaimCard, str] | None:
        """Of results that give the very figure under other conditions the first that is of the same run but for what an entry
        has once, with what it is of instead; None where a print says too little.
        """
        # of one of two results in a sentence nobody can tell which words are its own
        for card in cards if is_telling(figure.printed) and figure.entry.is_alone else ():
            known = stated_conditions(card.conditions)
            other = {
                name for name, value in figure.conditions.items() if name in known and not is_among(value, known[name])
            }
            if is_entry(card) and card.verdict in ("confirmed", "unverified") and other and other <= _OF_ENTRY:
                return card, _reason(card, self._differences(figure, card))
        return None

    def _differences(self, figure: TextFigure, card: ClaimCard) -> list[str]:
        """What a result is of and its sentence states otherwise."""
        known, words = stated_conditions(card.conditions), figure.entry
        found = [*_of_conditions(figure, known), *_of_words(words, known)]
        count, devices = _stated_count(figure, known), _devices(card)
        if count is not None and devices is not None and count != devices:
            found.append(f"of {devices:,} accelerator{'s' if devices > 1 else ''}, not of {count:,}")
        if (submitter := self._other_submitter(words, card)) is not None:
            found.append(f"of {card.asserted_by.name}, not of {submitter}")
        return found

    def _other_submitter(self, words: EntryWords, card: ClaimCard) -> str | None:
        """The name of who is said to have submitted a result, or to own its system, and neither did nor made the chip or model."""
        named = {one: self._resolved(one) for one in (*words.submitters, *words.owners)}
        stated = set().union(*named.values())
        if not stated or any(_is_part(one, card.asserted_by.id) for one in stated):
            return None
        makers = self._makers(card)
        for name, organisations in named.items():
            # "NVIDIA's H200" is a chip of NVIDIA, whoever ran it
            others = organisations.keys() if name in words.submitters else organisations.keys() - makers
            if others:
                return organisations[min(others)]
        return None

    def _resolved(self, name: str) -> Mapping[str, str]:
        """The organisations that a name means, or its first words: "Dell" in "Dell PowerEdge"."""
        if name not in self._organisations:
            words = name.split()
            begun = [" ".join(words[:count]) for count in range(len(words), 0, -1)]
            entities = {
                text(row, "entity"): text(row, "label") for row in self.asker.rows("names/resolve", thing=begun)
            }
            self._organisations[name] = {one: label for one, label in entities.items() if one.startswith(_ORGANISATION)}
        return self._organisations[name]

    def _makers(self, card: ClaimCard) -> frozenset[str]:
        """Who made the chip and the model of a result, and who publishes results."""
        things = [one.id for one in card.subjects]
        models = stated_conditions(card.conditions).get("model")
        things += [f"model/{one}" for one in models.split(", ")] if models else []
        made = {said(row, "maker") for row in self.asker.rows("entities/card", thing=things)}
        return frozenset({*filter(None, made), _PUBLISHER})


def is_entry(card: ClaimCard) -> bool:
    """Whether a claim is a result of an entry of a benchmark round."""
    return "division" in stated_conditions(card.conditions) and card.relation == "absolute"


def is_of_publisher(figure: TextFigure, cards: Sequence[ClaimCard]) -> bool:
    """Whether a figure is said by who publishes the results that give it: MLCommons those of all submitters."""
    return figure.speaker == _PUBLISHER and any(map(is_entry, cards))


def _of_conditions(figure: TextFigure, known: Mapping[str, str]) -> Iterator[str]:
    """Round and scenario as reading found them, or else as the words next to the figure have them."""
    words = figure.entry
    near = {"round": words.round, "scenario": words.scenario}
    read = {name: short_name(figure.conditions[name]) for name in near if name in figure.conditions and words.is_alone}
    given = {name: read.get(name) or value for name, value in near.items()}
    round_, ran = given["round"], known.get("round")
    if round_ and ran and not ran.endswith(round_.rpartition("-v")[2]):
        yield f"of {_round_words(ran)}, not of {_round_words(round_)}"
    scenario, run = given["scenario"], known.get("scenario")
    if scenario and run and _plain(run) != _plain(scenario) and {_plain(run), _plain(scenario)} != _SAME_RUN:
        yield f"of the {run.capitalize()} scenario, not of {scenario.capitalize()}"


def _of_words(words: EntryWords, known: Mapping[str, str]) -> Iterator[str]:
    """Division and availability."""
    division, row = words.division, base_division(known.get("division"))
    # the division of runs over a network is one of closed rules
    if division and row and division != row and {division, row} != {"closed", "network"}:
        yield f"of the {row} division, not of the {division} one"
    availability, available = words.availability, known.get("availability", "").strip().casefold()
    if availability and available in _SYSTEMS and availability != available:
        yield f"of {_SYSTEMS[available]}, not of {_SYSTEMS[availability]}"


def _stated_count(figure: TextFigure, known: Mapping[str, str]) -> int | None:
    """How many accelerators the sentence states; those of a rack that is named, unless the result is of a part of that rack."""
    words = figure.entry
    read = figure.conditions.get("accelerators", "") if words.is_alone else ""
    counted = words.accelerators or whole_number(read)
    is_of_rack = figure.per is None and "nvl" not in known.get("tested_on", "").casefold()
    return counted or (words.rack if is_of_rack else None)


def _devices(card: ClaimCard) -> int | None:
    """The accelerators of the run that a result is of, in total or per accelerator."""
    return whole_number(stated_conditions(card.conditions).get("accelerators", ""))


def _of_system(checked: CheckedFigure, entries: Sequence[ClaimCard]) -> CheckedFigure:
    """A figure that is per accelerator in each result that gives it, and that the sentence says of several together: wrong."""
    figure, card = checked.figure, entries[0]
    count, value = _devices(card), card.figure.single
    is_per_chip = figure.per is None and all(one.normaliser == _PER_CHIP for one in entries)
    if not is_per_chip or not figure.entry.is_of_system or count is None or count < 2 or value is None:
        return checked
    reason = f"{card.worded} is the figure per accelerator, not that of the {count:,} accelerators together [{card.id}]"
    return replace(checked, verdict="wrong", reason=reason, value_to_use=shown_value(value * count, card.figure.unit))


def _reason(card: ClaimCard, differences: Sequence[str]) -> str:
    return f"{card.worded} is the published result {'; '.join(differences)} [{card.id}]"


def _is_part(organisation: str, submitter: str) -> bool:
    """Whether an organisation is the submitter, or one of those of a joint submission: Dell of Dell and MangoBoost.

    >>> _is_part("org/dell", "org/dell-mangoboost"), _is_part("org/dell", "org/delta")
    (True, False)
    """
    named, whole = (f"-{one.removeprefix(_ORGANISATION)}-" for one in (organisation, submitter))
    return named in whole or whole in named


def _plain(scenario: str) -> str:
    return scenario.replace("-", "").replace(" ", "")


def _round_words(name: str) -> str:
    """A round as people name it.

    >>> _round_words("mlperf-inference-v5.1"), _round_words("5.0")
    ('MLPerf Inference v5.1', 'v5.0')
    """
    suite, _, version = name.rpartition("-v")
    words = suite.replace("mlperf", "MLPerf").replace("-", " ").split()
    return " ".join((*(one[:1].upper() + one[1:] for one in words), f"v{version}"))
