"""What official results give of two things, next to a ratio of a text that no claim states."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kg.answers.asking import Asker, text
from kg.answers.checked_figures import TextFigure
from kg.answers.figure_match import values_of_number
from kg.answers.published import BEARING_ON, PublishedRatio, Restriction, bare_id, published_ratios, ratio_span

_NAMED: Final = 0.5
"""The confidence from which a thing counts as one of the two: what is said of them is no verdict."""
_NARROWED: Final = ("task", "scenario", "round")
_TRAINING: Final = re.compile(r"\btrain(?:s|ed|ing)?\b")
_CHIPS: Final = ("accelerator/", "family/")
_FAR: Final = 2
"""From how many times the largest measured ratio on one is beyond what another model or software may give."""
_ROUNDED: Final = 0.05
"""By how much a ratio may lie outside of what is measured, as texts round it."""


class MeasuredGain(NamedTuple):
    """The least and the largest ratio per accelerator of official results, and of which round, model, task and scenario they are."""

    lowest: float
    highest: float
    narrowed: tuple[str, ...]

    @property
    def worded(self) -> str:
        """As a half sentence."""
        where = f" ({', '.join(self.narrowed)})" if self.narrowed else ""
        return f"official results of the two give {ratio_span(self.lowest, self.highest)} per accelerator{where}"

    def refutes(self, figure: TextFigure) -> bool:
        """Whether a ratio of single devices lies outside of all that was measured; of whole systems nothing follows.

        Of two chips whose ratio is not said to be per device, only one that is far above all of them.
        """
        values = values_of_number(figure.number)
        if len(values) != 1:
            return False
        ratio = float(values[0]) if figure.relation == "ratio" else 1 + float(values[0]) / 100
        if figure.per is None:
            sides = (figure.subjects[0].value, figure.baselines[0].value)
            return all(one.startswith(_CHIPS) for one in sides) and ratio > self.highest * _FAR and not figure.is_denied
        is_more = ratio > self.highest * (1 + _ROUNDED)
        # "up to 3x" is no less than what was measured somewhere
        return is_more or (ratio < self.lowest * (1 - _ROUNDED) and figure.hedge is None)


@dataclass(slots=True)
class MeasuredGains:
    """The gains of published results; names are read once, and two things are asked about once a model."""

    asker: Asker
    _keys: dict[str, str] = field(default_factory=dict)
    _asked: dict[tuple[str, str, str | None], Sequence[PublishedRatio]] = field(default_factory=dict)

    def of(self, figure: TextFigure) -> MeasuredGain | None:
        """What results of the conditions that a text names give of its subject over its baseline; None where there are none."""
        if not _is_of_two(figure):
            return None
        model = figure.conditions.get("model")
        named = {name: value for name, value in figure.conditions.items() if name in _NARROWED}
        fitting = [
            one.per_accelerator
            for one in self.of_pair(figure.subjects[0].value, figure.baselines[0].value, model)
            if all(getattr(one, name) == value for name, value in named.items())
        ]
        if not fitting:
            return None
        stated = (*named.values(), *([model] if model else ()))
        return MeasuredGain(min(fitting), max(fitting), tuple(sorted(map(bare_id, stated))))

    def of_pair(self, subject: str, baseline: str, model: str | None = None) -> Sequence[PublishedRatio]:
        """What results give of one thing, by its id, over another; of one model, or of all."""
        asked = (subject, baseline, model)
        if asked not in self._asked:
            a, b = self._key(subject), self._key(baseline)
            within = Restriction(models=frozenset({model})) if model else None
            found = published_ratios(self.asker, a, b, within=within, listed=True) if a and b else None
            self._asked[asked] = found.listed if found is not None else ()
        return self._asked[asked]

    def _key(self, thing: str) -> str | None:
        """A name by which the results of all that a thing covers are found; an id means itself alone."""
        if not self._keys:
            self._keys = _own_keys((text(row, "key"), text(row, "entity")) for row in self.asker.rows("names/keys"))
        return self._keys.get(thing)


def _own_keys(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The shortest name of each thing that means nothing else and is no id.

    >>> _own_keys([("h200", "family/h200"), ("h200 series", "family/h200"), ("mi325x", "x"), ("mi325x", "y")])
    {'family/h200': 'h200'}
    """
    owners: dict[str, set[str]] = {}
    for key, thing in rows:
        owners.setdefault(key, set()).add(thing)
    found: dict[str, str] = {}
    for key in sorted(owners, key=lambda one: (-len(one), one)):
        if len(owners[key]) == 1 and "/" not in key:
            found[min(owners[key])] = key
    return found


def _is_of_two(figure: TextFigure) -> bool:
    if figure.relation not in ("ratio", "increase") or not (figure.subjects and figure.baselines and figure.metrics):
        return False
    is_training = "train" in figure.conditions.get("phase", "") or (
        _TRAINING.search(figure.words) and "inference" not in figure.words
    )
    if figure.metrics[0].value not in BEARING_ON or is_training:
        return False
    return min(figure.subjects[0].confidence, figure.baselines[0].confidence) >= _NAMED
