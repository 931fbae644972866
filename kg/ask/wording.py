"""A question in plain words: which saved question it means, and with which values.

Offline: a question is meant the more the likelier it is worded so (`kg.ask.examples`) and the better it takes the names, ids
and metrics that are found among the words (`kg.ask.question_fit`). One with neither words nor wordings in its header is asked
by its name only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kg.ask.agreement import SURE_OF_METRIC, agreed, ignoring
from kg.ask.bind import checked_words
from kg.ask.command_wordings import COMMANDS, filled
from kg.ask.directions import directed, takes_direction
from kg.ask.examples import OTHERS, shares, wording_examples
from kg.ask.exclusions import exceptions_in, exceptions_said
from kg.ask.id_names import AskIds
from kg.ask.mentions import either_in, quoted_figures, unbounded_figures, verdict_in
from kg.ask.metrics_asked import (
    ALL_STATED,
    AT_PRECISION,
    COUNT_USED,
    OF_SUPPORT,
    OUT,
    PEAK,
    SAID,
    asks_peak,
    counts_chips,
    is_count_of,
    key_of,
    metric_alone,
    metrics_asked,
    narrowing_of,
    of_one_chip,
    with_metric_meant,
    without_wishes,
)
from kg.ask.named_words import NamedWords
from kg.ask.outright import (
    above,
    asks_meaning,
    asks_trust,
    asks_which_figure,
    compared_or_priced,
    is_taken_for_rows,
    meaning,
    meaning_of_word,
    of_one,
    only_states_figure,
    said_of_one,
    several_compared,
    what_it_is,
    without_true_that,
    without_which_figure,
    worst_conflict,
)
from kg.ask.passed_over import WordsTaken
from kg.ask.plain_words import CHIPS, stems
from kg.ask.question import Question
from kg.ask.question_fit import TAKEN, AskedWords, PassedOver, WordReading, fit_of, narrowed, narrows, says
from kg.ask.results_asked import of_entry, of_submitter, results_asked, results_of_several
from kg.ask.row_filters import ACCELERATORS, RowFilter
from kg.ask.said_filters import filters_said
from kg.ask.spelled_figures import with_figures_printed
from kg.ask.spelling import as_spelled, with_models_joined
from kg.ask.unsure_question import OFFERED, answered_elsewhere, asked_back, likely
from kg.model.names import name_key

if TYPE_CHECKING:
    from kg.model.units import UnitTable

_SURE: Final = 0.6
"""From which probability on a question is answered without asking back."""
_SURE_OF_COMMAND: Final = 0.5
"""From which probability of the words alone another command answers; questions of development that were rightly taken had 0.7."""
_UNKNOWN: Final = 0.5
"""The share of words that no wording has up to which a question is answered."""
_OF_METRIC: Final = "claims/of-metric"
"""The question of a thing and a metric: it takes all metrics whose names are among the words."""
_HOW_MANY: Final = re.compile(r"\bhow many\b", re.IGNORECASE)
_SAYS_MORE: Final = frozenset({"audit", "comparisons", "disputes"})
"""Topics of which no question is meant by words that say no more than that something is claimed."""


def understood(
    ask: AskIds,
    questions: Iterable[Question],
    text: str,
    metric_words: Sequence[Sequence[str]] = (),
    units: UnitTable | None = None,
) -> list[WordReading]:
    """The saved question that plain words mean, and the next two; words that mean none for certain are refused with these.

    Words that name a thing and a metric ask for the claims of it, where they mean no other question for certain.
    `metric_words` are the label of every metric and the other words for it, as keys of names. Without `units` no bound narrows
    the rows, and what has one is asked back.
    """
    checked_words(text, "question")
    wordings = _wordings(ask, questions, metric_words, units)
    text = as_spelled(with_figures_printed(with_models_joined(text, wordings.named), units), wordings.named)
    asked = wordings.asked_words(text)
    if (stated := wordings.which_figure(text)) is not None:
        return [stated]
    said, wishes = without_wishes(without_true_that(text), units)
    said, count = of_one_chip(with_metric_meant(said, wordings.named, units, wishes), wordings.named)
    readings, taken = wordings.understood(said)
    if taken is not None:
        others = [one for one in readings if one.question != taken.question]
        following = sorted(others, key=lambda one: bool(one.ignored))[:2]
        passed_over = replace(taken.left_over, words=(*taken.left_over.words, *wishes))
        return [replace(taken, count=count, left_over=passed_over), *wordings.with_left_over(following, said)]
    figures = wordings.figures_in(text)
    command = wordings.other_command(text)
    if command is not None:
        raise answered_elsewhere(text, asked, figures, command)
    left = [one.left_over for one in wordings.with_left_over(likely(readings), text)]
    raise asked_back(text, asked, figures, readings, left)


def claims_of_metric(
    ask: AskIds,
    questions: Iterable[Question],
    text: str,
    metric_words: Sequence[Sequence[str]],
    units: UnitTable | None = None,
) -> WordReading | None:
    """The claims that words ask for which name a thing and a metric; None where they do not."""
    wordings = _wordings(ask, questions, metric_words, units)
    text = with_metric_meant(as_spelled(text, wordings.named), wordings.named, units)
    reading = wordings.of_metric(text)
    return None if reading is None else wordings.with_left_over([reading], text)[0]


def metrics_said(
    ask: AskIds, questions: Iterable[Question], text: str, metric_words: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """The metrics with the longest name among the words, be it one word that questions have too: "memory"."""
    return _wordings(ask, questions, metric_words).named.metrics_said(text)


def _wordings(
    ask: AskIds, questions: Iterable[Question], metric_words: Sequence[Sequence[str]], units: UnitTable | None = None
) -> Wordings:
    """The saved questions with all names and metrics that are known."""
    names: dict[str, tuple[str, ...]] = {}
    for key, thing in ask("names/keys").rows:
        names[str(key)] = (*names.get(str(key), ()), str(thing))
    metrics: dict[str, str] = {}
    better: dict[str, str] = {}
    for row in ask("find/metrics", text="").dicts():
        name = str(row["metric"]).removeprefix("metric/")
        metrics |= {name_key(name): name, name_key(str(row["label"])): name}
        better[name] = str(row["better"] or "")
    return Wordings(questions, names, metrics, metric_words, units, better=better)


class Wordings:
    """Ranks saved questions by plain words."""

    def __init__(
        self,
        questions: Iterable[Question],
        names: Mapping[str, tuple[str, ...]],
        metrics: Mapping[str, str],
        metric_words: Sequence[Sequence[str]],
        units: UnitTable | None = None,
        *,
        better: Mapping[str, str] | None = None,
    ) -> None:
        """Names are keys with the ids they mean, metrics keys with their names; then label and synonyms of each; units read bounds."""
        self.units, self._better = units, better or {}
        self.by_name = by_name = {one.name: one for one in questions}
        self.questions = [one for one in by_name.values() if one.words or one.asked]
        self.examples = wording_examples(self.questions)
        self.claims_of_metric = by_name.get(_OF_METRIC)
        self.named = NamedWords(self.questions, self.examples, names, metrics, metric_words)

    def which_figure(self, text: str) -> WordReading | None:
        """All that is stated of a thing and a metric, where words ask which figure of it to use, or who states it.

        None for other words, and for a figure that is named: it is traced.
        """
        about = without_which_figure(text)
        if about == text or self.figures_in(text):
            return None
        about = with_metric_meant(about, self.named, self.units)
        reading = self.of_metric(about) or said_of_one(self.by_name, self.asked_words(about))
        return None if reading is None else self.with_left_over([reading], about)[0]

    def asked_words(self, text: str) -> AskedWords:
        """What is named in the words, and the words that are left."""
        return self.named.asked_words(text)

    @cached_property
    def words_taken(self) -> WordsTaken:
        """What each question takes up of words."""
        named = self.named
        return WordsTaken(
            known=self.examples.stems,
            names=named.names,
            metric_stems=named.metric_stems,
            model_stems=named.model_stems,
        )

    def readings(self, text: str) -> list[WordReading]:
        """The questions that may be meant, best first."""
        return self._ranked(text, self.asked_words(text))

    def _ranked(self, text: str, asked: AskedWords) -> list[WordReading]:
        # the figure of a bound is a value, and no word of a wording
        likelihoods = self.examples.likelihoods([one for one in asked.stems if one not in asked.bound_figures])
        # the claims of a thing and a metric are read in their own way below: their metrics may be
        # several
        fits = (fit_of(one, asked) for one in self.questions if one.name != _OF_METRIC)
        read = (one.reading(likelihoods[one.question.name]) for one in fits if one is not None)
        wanted = self._narrowing(text)
        found = [narrowed(directed(one, asked), wanted) for one in read if takes_direction(one, self._better)]
        of_metric = self.of_metric(text)
        if of_metric is not None:
            found.append(replace(of_metric, score=of_metric.score + likelihoods.get(_OF_METRIC, 0.0)))
        # that another command answers, or nothing here does, is as possible as any question
        likely = shares([*(one.score for one in found), *(likelihoods[other] for other in OTHERS)])
        ranked = (replace(one, share=share) for one, share in zip(found, likely, strict=False))
        return sorted(ranked, key=lambda one: (-one.share, one.question.name))

    def understood(self, text: str) -> tuple[list[WordReading], WordReading | None]:
        """The questions that may be meant, best first, and the one that is answered; None where it has to be asked back.

        A question that passes over what was named, or over words that it does not know, is asked back however likely it is.
        """
        asked = self.asked_words(text)
        readings, taken = self._likeliest(text, asked)
        if taken is None or asks_trust(asked) or worst_conflict(text, asked) is not None:
            return readings, None
        left = self._left_over(taken, asked)
        if not self.named.metrics_of_one_word.isdisjoint(left.words):
            # what is measured is no word to pass over: another reading may take it up
            taken, left = self._with_all_taken(readings, asked) or (taken, left)
        holds_answer = taken.question.name == _OF_METRIC or is_taken_for_rows(taken, asked, readings, text)
        probability = 1.0 if holds_answer else max(taken.share, agreed(taken, readings))
        if left.is_answered(probability):
            return readings, replace(taken, left_over=left)
        others = [one for one in readings if one.question != taken.question]
        return [replace(taken, share=max(taken.share, OFFERED)), *others], None

    def _with_all_taken(
        self, readings: Iterable[WordReading], asked: AskedWords
    ) -> tuple[WordReading, PassedOver] | None:
        """The likeliest reading that passes over nothing."""
        found = ((one, self._left_over(one, asked)) for one in readings if not one.ignored)
        return next(((replace(one, share=1.0), left) for one, left in found if not left.all), None)

    def with_left_over(self, readings: Iterable[WordReading], text: str) -> list[WordReading]:
        """Readings of the words with what each passes over."""
        asked = self.asked_words(text)
        return [replace(one, left_over=self._left_over(one, asked)) for one in readings]

    def _left_over(self, reading: WordReading, asked: AskedWords) -> PassedOver:
        """What a reading passes over, first of all that it is about all but what was named: its rows would be the opposite."""
        left = self.words_taken.left_over(reading, asked)
        denied = tuple(one for one, behind in exceptions_said(asked.text) if not says(reading.question, one, behind))
        kept = [one.key for one in asked.excluded if one.key not in reading.names]
        return replace(left, named=(*denied, *kept, *left.named))

    def _likeliest(self, text: str, asked: AskedWords) -> tuple[list[WordReading], WordReading | None]:
        """The questions that may be meant, best first, and the one that is likely enough to be answered."""
        readings = self._ranked(text, asked)
        said = self._outright(text, asked, of_one(self.by_name, asked)) or compared_or_priced(text, asked, readings)
        if said is not None or asks_meaning(text):
            return readings, said
        return readings, self._of_likely(text, asked, readings)

    def _of_likely(self, text: str, asked: AskedWords, readings: Sequence[WordReading]) -> WordReading | None:
        """What is answered by how likely it is, where the words do not say plainly what they ask for."""
        alone, best = of_one(self.by_name, asked), next((one for one in readings if not one.ignored), None)
        only = self._nothing_but_metric(text, asked)
        is_of_more = best is not None and best.question.topic in _SAYS_MORE
        if is_of_more and (only is not None or metric_alone(text, asked, self.named) is not None):
            return only or alone
        is_clear = self._is_clear(asked)
        if best is not None and is_clear and self._is_sure(best, readings, text):
            return best
        if alone is None and is_clear and ignoring(readings) > _SURE:
            # the claims of the thing and the metric hold the answer; another command does not
            return self.of_metric(text)
        return alone or only

    def _outright(self, text: str, asked: AskedWords, alone: WordReading | None) -> WordReading | None:
        """What words ask for however they are worded: an entry, one thing and no more, what a metric is, how many chips ran a model,
        which of two figures it is, a dense or sparse peak.
        """
        if (entry := of_entry(self.by_name, asked)) is not None:
            return entry
        if alone is not None and (len(asked.stems) == 1 or not ALL_STATED.isdisjoint(asked.words)):
            return alone
        of_results = results_asked(self.by_name, text, asked)
        if of_results is None and any("model" in one.kinds for one in asked.mentions) and counts_chips(text, asked):
            return self.of_metric(text)
        if either_in(text) and (which := self.of_metric(text)) is not None:
            return which
        several = results_of_several(self.by_name, asked) or of_submitter(self.by_name, asked)
        return several or of_results or self._of_metrics(text, asked) or what_it_is(self.by_name, text, asked)

    def _of_metrics(self, text: str, asked: AskedWords) -> WordReading | None:
        """What words ask for that name a metric plainly: a peak, one of several things, what it is, who has more of it."""
        metrics = metrics_asked(text, asked, self.named)
        is_said = asks_peak(asked, key_of(text).split()) or metrics in (OF_SUPPORT, OUT)
        if is_said and (peak := self.of_metric(text)) is not None:
            return peak
        words = (one.filter for one in asked.mentions if narrows(one))
        if (several := several_compared(self.by_name, asked, metrics, (*words, *self._narrowing(text)))) is not None:
            return several
        what = meaning(self.by_name, text, asked, self.named) or meaning_of_word(self.by_name, text, asked)
        return above(self.by_name, text, asked, self.named) or what

    def _is_clear(self, asked: AskedWords) -> bool:
        """Whether most of the words are known, and say more than "hardware", which is all that there is."""
        # nor do "claims" but those of somebody say which are asked for
        nothing = CHIPS | SAID if asked.excluded and not asked.mentions else CHIPS
        return self.examples.unknown(asked.stems) <= _UNKNOWN and (not asked.words or bool(set(asked.words) - nothing))

    def _is_sure(self, best: WordReading, readings: Sequence[WordReading], text: str) -> bool:
        """Whether a reading is likely enough to be answered, and passes over no figure that is quoted."""
        least = SURE_OF_METRIC if best.question.name == _OF_METRIC else _SURE
        return agreed(best, readings) >= least and not self._passes_over_figure(best, text)

    def other_command(self, text: str) -> str | None:
        """Another command that the words ask for rather than any question; none leaves out a thing."""
        asked = self.asked_words(text)
        if asked.excluded or exceptions_in(text):
            return None
        if (conflicts := worst_conflict(text, asked)) is not None:
            return conflicts
        if (metric := metric_alone(text, asked, self.named)) is not None:
            return f"kg show {metric}"
        is_figure = asks_which_figure(text) or only_states_figure(asked)
        if is_figure and (figures := self.figures_in(text)):
            return filled("kg trace FIGURE", asked.mentions, figures)
        likelihoods = self.examples.likelihoods(asked.stems)
        share, best = max(zip(shares(list(likelihoods.values())), likelihoods, strict=True))
        is_clear = best in COMMANDS and share >= _SURE_OF_COMMAND and self.examples.unknown(asked.stems) <= _UNKNOWN
        # what is confirmed is no problem, and more than the ratios that published results bear out
        if best.startswith(("kg audit", "kg verify")) and verdict_in(text) is not None:
            return None
        return filled(best, asked.mentions, self.figures_in(text)) if is_clear else None

    def figures_in(self, text: str) -> list[str]:
        """The figures among the words that belong to no name: where each comes from is another command's answer."""
        mentions = self.asked_words(text).mentions
        named = {word for one in mentions for word in one.key.split()}
        if _HOW_MANY.search(text):  # the 8,000 of "how many B200 replace 8,000 H100" nobody printed
            key = f" {key_of(text)} "
            named |= {one for one in map(name_key, unbounded_figures(text)) if is_count_of(one, mentions, key)}
        return [one for one in unbounded_figures(text) if name_key(one) not in named]

    def _passes_over_figure(self, reading: WordReading, text: str) -> bool:
        """Whether words quote a figure, for which no saved question looks: its rows would be about all figures."""
        if reading.question.name == _OF_METRIC:  # its rows give the figures that are stated instead
            return False
        counted = {one.name for one in reading.filters if one.kinds == {ACCELERATORS}}
        mine = set(self.figures_in(text)) - counted
        return any(one in mine for one in quoted_figures(text))

    def _narrowing(self, text: str) -> list[RowFilter]:
        """What the rows of any question are narrowed to, and their order."""
        return filters_said(text, self.asked_words(text), self.named, self.units)

    def of_metric(self, text: str) -> WordReading | None:
        """The claims of what is named, on the model that is named with it, for the metrics of which the words hold a name."""
        asked = self.asked_words(text)
        things, models = asked.things_and_models
        found = metrics_asked(text, asked, self.named)
        # who used the chips says so: "how many GPUs did Meta use for Llama 3.1" is about the model, or the chips that are named
        users = [one for one in things if one.kinds == {"org"}] if found == (COUNT_USED,) and asked.mentions[1:] else []
        things = [one for one in things if one not in users]
        if not things:
            things, models = models, []
        if self.claims_of_metric is None or len(things) != 1 or len(models) > 1 or not found:
            return None
        values = {"thing": things[0].key, "metric": found}
        words = (one for one in asked.mentions if narrows(one))
        narrowing = [one.filter for one in (*models, *users, *words)]
        narrowing += [*narrowing_of(found, text), *self._narrowing(text)]
        return narrowed(WordReading(self.claims_of_metric, values, score=2 * TAKEN), narrowing)

    def _nothing_but_metric(self, text: str, asked: AskedWords) -> WordReading | None:
        """The claims of a thing and a metric where the words say nothing else."""
        reading = self.of_metric(text)
        if reading is None:
            return None
        named = {stem for one in asked.mentions if one.kinds & {"metric", "precision"} for stem in stems(one.key)}
        named |= AT_PRECISION if reading.metrics == {PEAK} else set()
        return reading if asked.words and set(asked.words) <= named else None
