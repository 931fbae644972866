"""What official results give of two things, next to a ratio of a text that no claim states."""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from kg.answers.asking import Asker, said, text
from kg.answers.checked_figures import TextFigure
from kg.answers.figure_match import values_of_number
from kg.answers.preview_results import marked_span, previews_among
from kg.answers.published import Restriction, bare_id
from kg.answers.published_ratios import BEARING_ON, PublishedRatio, published_ratios
from kg.model.names import name_key
from kg.model.verdict import Verdict

_NAMED: Final = 0.5
"""The confidence from which a thing counts as one of the two: what is said of them is no verdict."""
_NARROWED: Final = ("task", "scenario", "round")
_TRAINING: Final = re.compile(r"\btrain(?:s|ed|ing)?\b")
_CHIPS: Final = ("accelerator/", "family/")
_FAR: Final = 2
"""From how many times the largest measured ratio on one is beyond what another model or software may give."""
_ROUNDED: Final = 0.05
"""By how much a ratio may lie outside of what is measured, as texts round it."""
_ALL_NAMED: Final = 3
"""How many conditions a text names that leaves one setting: model or task, scenario, round."""
_UP_TO: Final = "up-to"
_SYSTEM: Final = "system/"
_WORKLOADS: Final = ("model/", "task/")
_MOST_WORDS: Final = 5
_LEAST_LETTERS: Final = 4
_MOST: Final = 200
"""Ratios of which it is looked up whether they are of previews; a text that names its workload and round leaves fewer."""


_NOBODY: Final = "nobody states it"


class MeasuredGain(NamedTuple):
    """What results give of two things, per accelerator and per system, and of which round, model, task and scenario they are."""

    ratios: tuple[PublishedRatio, ...]
    narrowed: tuple[str, ...]
    is_of_workload: bool
    """Whether the text names the model or the task."""
    previews: frozenset[PublishedRatio] = frozenset()
    """Those of the ratios with a system that cannot be had yet."""

    @property
    def had(self) -> tuple[PublishedRatio, ...]:
        """The ratios of systems that can be had; of previews where there are no others."""
        return tuple(one for one in self.ratios if one not in self.previews) or self.ratios

    def worded(self, *, systems: bool = False, limited: str = "") -> str:
        """As a half sentence; with `systems` what they give per system too, `limited` to what a figure agrees with."""
        where = f" ({', '.join(self.narrowed)})" if self.narrowed else ""
        each = _span(one.per_accelerator for one in self.had)
        per_system = _span(one.per_system for one in self.had)
        whole = f", {per_system} per system" if systems and per_system and per_system != each else ""
        previews = [one for one in self.ratios if one in self.previews]
        apart = ""
        if previews:
            is_all = len(previews) == len(self.ratios)
            apart = (
                " of preview systems"
                if is_all
                else f"; {_span(one.per_accelerator for one in previews)} with a preview system"
            )
        return f"computed from official results of the two{limited}: {each} per accelerator{whole}{where}{apart}"

    def judged(self, figure: TextFigure, stated: str = _NOBODY, *, is_of_system: bool) -> tuple[Verdict, str]:
        """The verdict of a ratio that no claim states, with its reason, which begins with what is `stated` instead where results
        do not agree; one of whole systems is held against both bases.
        """
        if self.refutes(figure):
            return "caution", f"{stated}; {self.worded()}"
        fits_a_system = figure.per is None and self._fits_a_system(figure)
        systems = figure.per is None and (is_of_system or fits_a_system)
        if not self.is_of_workload:
            return "unknown", f"{stated}; {self.worded(systems=systems)}"
        if _fit_any(figure, self._compared(figure)):
            return "confirmed" if self._is_sure(figure) else "unverified", f"as {self.worded(systems=systems)}"
        if _fit_any(figure, self.ratios):
            return "caution", f"as {self.worded(systems=systems, limited=' with a preview system only')}"
        if fits_a_system:
            return "caution", f"as {self.worded(systems=True, limited=' per system, not per accelerator')}"
        return "unknown", f"{stated}; {self.worded(systems=systems)}"

    def _is_sure(self, figure: TextFigure) -> bool:
        """Whether a text says a ratio per accelerator of one setting, and all results of it give that."""
        is_of_setting = figure.per is not None and len(self.narrowed) >= _ALL_NAMED
        return is_of_setting and all(_fits(figure, one.per_accelerator) for one in self.had)

    def _fits_a_system(self, figure: TextFigure) -> bool:
        return any(
            one.per_system is not None and _fits(figure, one.per_system) for one in self._compared(figure, systems=True)
        )

    def _compared(self, figure: TextFigure, *, systems: bool = False) -> Sequence[PublishedRatio]:
        """The ratios that a figure is held against: "up to 3x" is the largest."""
        if figure.hedge != _UP_TO:
            return self.had
        return [max(self.had, key=lambda one: (one.per_system or 0) if systems else one.per_accelerator)]

    def refutes(self, figure: TextFigure) -> bool:
        """Whether a ratio of single devices lies outside of all that was measured; of whole systems nothing follows.

        Of two chips whose ratio is not said to be per device, only one that is far above all of them.
        """
        ratio = _ratio_of(figure)
        if ratio is None:
            return False
        each = [one.per_accelerator for one in self.ratios]
        if figure.per is None:
            sides = (figure.subjects[0].value, figure.baselines[0].value)
            is_of_chips = all(one.startswith(_CHIPS) for one in sides)
            return is_of_chips and float(ratio) > max(each) * _FAR and not figure.is_denied
        is_more = float(ratio) > max(each) * (1 + _ROUNDED)
        # "up to 3x" is no less than what was measured somewhere
        return is_more or (float(ratio) < min(each) * (1 - _ROUNDED) and figure.hedge is None)


def _fit_any(figure: TextFigure, ratios: Iterable[PublishedRatio]) -> bool:
    return any(_fits(figure, one.per_accelerator) for one in ratios)


def _of_rack(figure: TextFigure, ratios: list[PublishedRatio]) -> list[PublishedRatio]:
    """Those ratios whose subject has as many accelerators as the rack that the text names; all where none has."""
    rack = figure.entry.rack if figure.subjects[0].value.startswith(_SYSTEM) else None
    return [one for one in ratios if rack is None or one.accelerators == rack] or ratios


def _setting(figure: TextFigure) -> dict[str, str]:
    """The conditions of results that a text names, as reading finds them, or else as the words next to the figure have them."""
    named = {name: value for name, value in figure.conditions.items() if name in _NARROWED}
    if figure.entry.round is not None:
        named.setdefault("round", f"round/mlperf-inference-v{figure.entry.round}")
    if figure.entry.scenario is not None:
        named.setdefault("scenario", f"scenario/{figure.entry.scenario}")
    return named


def _span(ratios: Iterable[float | None]) -> str:
    given = [one for one in ratios if one is not None]
    return marked_span(min(given), max(given)) if given else ""


def _ratio_of(figure: TextFigure) -> Fraction | None:
    """The ratio that a figure gives: "20 % more" is 1.2."""
    values = values_of_number(figure.number)
    if len(values) != 1:
        return None
    return values[0] if figure.relation == "ratio" else 1 + values[0] / 100


def _fits(figure: TextFigure, measured: float) -> bool:
    """Whether a measured ratio is within what the figure prints."""
    ratio, number = _ratio_of(figure), figure.number
    if ratio is None or number is None or number.place is None:
        return False
    rounding = number.place / (2 if figure.relation == "ratio" else 200)
    return abs(Fraction(measured) - ratio) <= rounding


@dataclass(slots=True)
class MeasuredGains:
    """The gains of published results; names are read once, and two things are asked about once a model."""

    asker: Asker
    _keys: dict[str, str] = field(default_factory=dict)
    _names: dict[str, set[str]] = field(default_factory=dict)
    _asked: dict[tuple[str, str, str | None], Sequence[PublishedRatio]] = field(default_factory=dict)

    def judged(self, figure: TextFigure, otherwise: str | None) -> tuple[Verdict, str] | None:
        """What follows for a ratio that no claim states of its thing so; None where nothing was measured, or what a claim of the
        thing states `otherwise` tells as much.
        """
        if (measured := self.of(figure)) is None:
            return None
        is_of_system = figure.entry.is_of_system or any(one.value.startswith(_SYSTEM) for one in figure.subjects[:1])
        verdict, reason = measured.judged(figure, otherwise or _NOBODY, is_of_system=is_of_system)
        is_telling = verdict != "unknown" or measured.is_of_workload
        return (verdict, reason) if is_telling or otherwise is None else None

    def of(self, figure: TextFigure) -> MeasuredGain | None:
        """What results of the conditions that a text names give of its subject over its baseline; None where there are none."""
        if not _is_of_two(figure):
            return None
        model, named = figure.conditions.get("model"), _setting(figure)
        # a name of a model and of the task with it, "Whisper", is neither to reading
        workloads: AbstractSet[str | None] = {named.get("task", model)} - {None} or self._workloads(figure.sentence)
        ratios = self.of_pair(figure.subjects[0].value, figure.baselines[0].value, model)
        fitting = [one for one in ratios if all(getattr(one, name) == value for name, value in named.items())]
        fitting = _of_rack(figure, [one for one in fitting if not workloads or workloads & {one.task, one.model}])
        if not fitting:
            return None
        stated = sorted(filter(None, {*named.values(), *sorted(map(str, workloads))[:1]}))
        previews = frozenset(previews_among(self.asker, fitting[:_MOST]))
        return MeasuredGain(tuple(fitting), tuple(map(bare_id, stated)), bool(workloads), previews)

    def _workloads(self, sentence: str) -> AbstractSet[str | None]:
        """The models and tasks that the words of a sentence name, by the longest name of any."""
        words = [word.strip(".,;:()[]\"'") for word in sentence.split()]
        for count in range(_MOST_WORDS, 0, -1):
            for at in range(len(words) - count + 1):
                name = name_key(" ".join(words[at : at + count]))
                if len(name) >= _LEAST_LETTERS and (found := self._named(name)):
                    return found
        return frozenset()

    def _named(self, name: str) -> frozenset[str]:
        return frozenset(one for one in self._owners().get(name, ()) if one.startswith(_WORKLOADS))

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
        """A name by which the results of all that a thing covers are found; of a system those of its chips."""
        if thing.startswith(_SYSTEM):
            cards = self.asker.rows("entities/card", thing=thing)
            inside = (said(row, "accelerator_inside") or said(row, "member_of") for row in cards)
            thing = next(filter(None, inside), thing)
        if not self._keys:
            self._keys = _own_keys(self._owners())
        return self._keys.get(thing)

    def _owners(self) -> Mapping[str, set[str]]:
        """What each name names."""
        if not self._names:
            for row in self.asker.rows("names/keys"):
                self._names.setdefault(text(row, "key"), set()).add(text(row, "entity"))
        return self._names


def _own_keys(owners: Mapping[str, set[str]]) -> dict[str, str]:
    """The shortest name of each thing that means nothing else and is no id.

    >>> _own_keys({"h200": {"family/h200"}, "h200 series": {"family/h200"}, "mi325x": {"x", "y"}})
    {'family/h200': 'h200'}
    """
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
