"""A report that was read, checked figure by figure: joins reading, the arithmetic of the text, and what the graph knows."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from kg.answers.asking import Ask, Asker
from kg.answers.check import FigureCheck
from kg.answers.checked_figures import CheckedText, Ranked, TextFigure, Unchecked
from kg.answers.column_sums import column_sums
from kg.answers.denial_words import denies
from kg.answers.each_device import each_device
from kg.answers.entry_words import NOTHING, EntryWords, entry_words
from kg.answers.figure_subjects import OF_SEVERAL, ranked, subjects_of
from kg.answers.named_run import NamedRun, named_run, own_clause
from kg.answers.own_conditions import with_own_conditions
from kg.answers.own_metrics import is_mean, own_metrics
from kg.answers.per_device import device_in, device_of
from kg.answers.sentence_arithmetic import sentence_arithmetic
from kg.answers.text_arithmetic import TextOperand, recompute
from kg.answers.words_around import (
    SENTENCE,
    WORDS,
    after,
    around,
    before,
    headers_of,
    own_sentence,
    rest_of_sentence,
    sentence_of,
)
from kg.ask.mentions import in_digits
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.content.vocabulary import read_vocabulary
from kg.model.names import descendants
from kg.model.printed import PrintedNumber
from kg.model.recorded import ThingRecord
from kg.model.units import UnitTable
from kg.reading.deadline import NO_DEADLINE, Deadline
from kg.reading.proposal import ClaimProposal
from kg.reading.reading_session import ReadingSession
from kg.reading.text import ReportText, TextFormat

_SURE_CONDITION: Final = 0.6
"""From which confidence a condition that reading found counts as stated by the text."""
# meets "L2 cache of 50 MB", "eight of 24 GB each" and "80 GB free"; not "141 GB of HBM3e", the whole memory, nor "each B200"
_PARTIAL: Final = re.compile(
    r"\b(?:cache|L[0-3]|SRAM|LDS|shared memory|register|each(?! (?:nvidia |amd |intel )?[a-z]{1,3}\d)"
    r"|per (?:stack|core|die|link|lane|SM|CU)|stacks?|bus|clock|model|weights|left|free|saved?|vs\.?|versus|against|than|instead|"
    r"disks?|SSDs?|storage|files?|ethernet|infiniband|NICs?|checkpoints?|loads?|loading|downloads?|cop(?:y|ies|ied|ying)|transfers?|"
    r"datasets?|activations?|tensors?|batch(?:es)?|requests?|writing|reading|idl(?:es?|ing)|over (?:the )?(?:pcie|network|bus|links?)|from (?:the )?(?:host|cpu|network)|"
    r"above|below|at the (?:wall|plug|socket)|wall (?:power|socket|plug))\b",
    re.IGNORECASE,
)
"""Words next to a figure after which it is no specification of the whole thing."""
_USED: Final = re.compile(r"\b(?:measured|achiev\w*|clocked|got|used?|uses|using|consum\w*)\b", re.IGNORECASE)
"""Words after which it is of a use, which has no more than the whole."""
_OF_CONTENT: Final = re.compile(
    r"\s?[kKMGTP]i?B\sof\s(?!(?:[\w.-]+\s){0,2}?(?:HBM\w*|memory|VRAM|GDDR\w*|DRAM|RAM)\b)", re.IGNORECASE
)
"""Behind an amount of what a memory holds: "80 MB of weights"."""
_EARLIER: Final = re.compile(r"\bfrom(?: (?:about|only|just|some|its|the))?\s*$", re.IGNORECASE)
"""Before what something had before: "from 80 GB to 141 GB"."""
_SEVERAL: Final = re.compile(
    r"\b(?:nodes?|servers?|racks?|pods?|clusters?|machines?|systems?|cabinets?|trays?|boxe?s?|in total|altogether|combined)\b"
    r"|\b(?:of them|(?:gpus|cards|chips|accelerators|modules|units) (?:alone|together))\b"
    # not "989 FP16": the header of a cell is put behind its figure
    r"|\b(?:\d{1,4}|two|four|eight|sixteen)\s?[x×*-]?\s?(?!(?:fp|bf|tf)\d)[A-Z]{1,3}\d",
    re.IGNORECASE,
)
"""Words of several of a thing: what is said of them is not said of one."""
_COMPARED: Final = frozenset(
    {"model", "precision", "scenario", "phase", "round", "benchmark", "sparsity", "accelerators"}
)
"""Conditions that tell two measurements apart."""
_RANGE_BEGINS: Final = re.compile(
    r"\b(?:between|(?:rang(?:es?|ing)|var(?:y|ies|ying)|anywhere|anything) from)(?: about| roughly)?\s*$", re.IGNORECASE
)
_RANGE_GOES_ON: Final = re.compile(r"(?:\s?[A-Za-z/%]{1,12})?\s(?:and|to)\s(?:about |roughly )?")
"""Between the ends of a range, with the unit of the first."""
_INFERENCE: Final = "round/mlperf-inference-v"
_OF_RUNS: Final = frozenset(
    {"throughput", "training-throughput", "performance", "inference-speed", "training-speed", "training-time"}
)
"""Metrics of what is measured in a run."""
_RUN_OVER: Final = re.compile(
    r"(?:\$\d[\d.,]*\s?[kKMB]?|\b(?:r[au]ns?|running|spread|distribut\w+|scal(?:es?|ed|ing)|split|shard\w*|paralleli[sz]\w+|train\w*|work\w*|partition\w*|across or)) over\s*$",
    re.IGNORECASE,
)
"""Before a count of devices that are used: no bound of it."""
_TOGETHER: Final = re.compile(
    r"\b(?:[2-9]|\d{2,4}|two|three|four|six|eight|sixteen)(?:\s|\s?[x×*]\s?)(?:nvidia |amd |intel )?[a-z]{1,3}\d\w*(?:\s\w+)?"
    r"\s(?:have|draw|cost|consume|hold|need|use|offer|deliver|rent)\b",
    re.IGNORECASE,
)
"""Several chips that do something: the verb of one ends in s."""
_EACH: Final = re.compile(r"\b(?:each|apiece|per|every)\b", re.IGNORECASE)
_MONTH: Final = re.compile(r"(?<![\d-])20\d\d-(?:0[1-9]|1[0-2])(?:-\d\d)?(?![\d-])|(?<=\b[Ii]n )20\d\d(?![\d-])")
"""A month or a day, and a year that is said to be when something held: "in 2023"."""

_WITHOUT_YEAR: Final = re.compile(
    r"\b(?:January|February|March|April|June|July|August|September|October|November|December)\b(?!,? 20\d\d)"
)
_UNTIL: Final = re.compile(r"\b(?:by|until|till)\s(?:the end of\s)?20\d\d(?!\d)", re.IGNORECASE)


def covers_of(records: Mapping[str, ThingRecord]) -> Callable[[str], Sequence[str]]:
    """From a thing to itself, all below it, and what it is made of: a text says of a rack what holds of its accelerators."""
    below = descendants(records)

    def covers(name: str) -> Sequence[str]:
        record = records.get(name, {})
        inside = [part["part"] for part in record.get("parts", ())]
        inside += [record["accelerator_inside"]] if "accelerator_inside" in record else []
        return (*below.get(name, (name,)), *inside)

    return covers


class TextChecker:
    """Checks texts against one graph: names and words of metrics are read once, the graph is asked through `ask`."""

    def __init__(self, ask: Ask, content: Content) -> None:
        self._ask = ask
        self._session = ReadingSession(str(content.place))
        self._units = read_vocabulary(content).units
        self._covers = covers_of(read_registry(content).records)

    def check(
        self,
        source: Path | bytes,
        *,
        form: TextFormat | None = None,
        name: str | None = None,
        seconds: float | None = None,
    ) -> CheckedText:
        """The verdicts of the figures of a file or of bytes; the format is that of its name, or of what it begins with.

        After `seconds` the figures that were checked, and how many were not. Raises ReportTooLarge where the text was not
        read by then.
        """
        deadline = Deadline(seconds)
        shown = name or (str(source) if isinstance(source, Path) else "standard input")
        reading = self._session.read(source, form, shown=name, deadline=deadline)
        return check_reading(
            self._ask,
            self._units,
            self._covers,
            reading.report,
            reading.proposals,
            name=shown,
            deadline=deadline,
        )


def check_reading(
    ask: Ask,
    units: UnitTable,
    covers: Callable[[str], Sequence[str]],
    report: ReportText,
    proposals: Iterable[ClaimProposal],
    *,
    name: str,
    deadline: Deadline = NO_DEADLINE,
) -> CheckedText:
    """The verdict of every figure of a report that claims something, as far as there is time."""
    given = list(proposals)
    claims = [
        one
        for one in given
        if one.figure.is_claim and one.figure.number is not None and not _is_dimension(report.text, one)
    ]
    ends = _ends_of_ranges(report.text, claims)
    figures = [_text_figure(one, report.text, ends.get(one.figure.start)) for one in claims]
    operands = [_operand(one) for one in claims]
    lines = [0, *(at + 1 for at, sign in enumerate(report.text) if sign == "\n")]

    def line_of(at: int) -> int:
        return bisect_right(lines, at)

    sums = column_sums(report, operands, units)
    told = sentence_arithmetic(report.text, operands, units)
    checked = FigureCheck(Asker(ask), units, covers).check(
        # later ones win: a formula that is printed over one given in words, and that over a column
        figures,
        {**sums, **told, **recompute(report.text, operands, units)},
        line_of,
        deadline.is_over,
    )
    left = figures[len(checked) :]
    unchecked = Unchecked(len(left), line_of(left[0].start), deadline.seconds or 0) if left else None
    return CheckedText(name, report.text, report.sha256, checked, len(given) - len(claims), unchecked)


def _ends_of_ranges(text: str, claims: Sequence[ClaimProposal]) -> dict[int, PrintedNumber | None]:
    """The other end for each figure, by its start, that is one end of a range: "between 700 W and 1,200 W"."""
    found: dict[int, PrintedNumber | None] = {}
    for low, high in pairwise(one.figure for one in claims):
        first, between = text[max(0, low.start - WORDS) : low.start], text[low.end : high.start]
        if _RANGE_BEGINS.search(first) and _RANGE_GOES_ON.fullmatch(between):
            found |= {low.start: high.number, high.start: low.number}
    return found


def _is_dimension(text: str, proposal: ClaimProposal) -> bool:
    """Whether a figure is one side of "2048x2048"."""
    figure = proposal.figure
    # with the signs around it: reading takes "2048x" alone, as it would a factor
    first, then = text[max(0, figure.start - 2) : figure.start], text[figure.end : figure.end + 2]
    return re.search(r"\d[x×]$", first) is not None or (
        figure.printed[-1] in "x×" and then[:1].isdigit() or re.match(r"[x×]\d", then) is not None
    )


def _dated_words(text: str, proposal: ClaimProposal) -> str:
    """The words next to a figure, or else its sentence, whichever name a month; months in digits."""
    given = map(in_digits, (around(text, proposal), own_sentence(text, proposal)))
    return next(filter(_MONTH.search, given), "")


def _only_month(dated: str) -> str | None:
    """The one month of a sentence; none where another one is named without its year."""
    months = _MONTH.findall(dated)
    return months[0] if len(set(months)) == 1 and _WITHOUT_YEAR.search(dated) is None else None


def _text_figure(proposal: ClaimProposal, text: str, other_end: PrintedNumber | None) -> TextFigure:
    figure = proposal.figure
    subjects, dated, speaker = subjects_of(text, proposal), _dated_words(text, proposal), proposal.first("asserted_by")
    said, goes_on = before(text, proposal, SENTENCE), after(text, proposal)
    metrics = own_metrics(proposal, ranked(proposal.fields.get("metric", ())), said, goes_on)
    entry = _entry(text, proposal)
    plain = NamedRun(subjects, _conditions(text, proposal, entry))
    run = named_run(proposal, plain, metrics, own_clause(said, goes_on))
    is_partial, is_used = _is_partial(text, proposal, subjects)
    return TextFigure(
        figure.start,
        figure.end,
        figure.printed,
        figure.number,
        figure.unit,
        None if _RUN_OVER.search(text[max(0, figure.start - WORDS) : figure.start]) else figure.hedge,
        figure.relation,
        run.subjects,
        metrics,
        ranked(proposal.fields.get("baseline", ())),
        run.conditions,
        sentence_of(text, proposal).lower(),
        is_partial,
        # of two months in one sentence nobody can say which is meant
        _only_month(dated),
        _UNTIL.search(dated) is not None,
        # what stands before a cell of a table is another cell, no sentence that could deny it
        figure.block.cell is None and denies(said),
        _per_device(text, proposal),
        _TOGETHER.search(said) is not None and _EACH.search(sentence_of(text, proposal)) is None,
        speaker.value if speaker is not None else None,
        speaker.label if speaker is not None else "",
        other_end,
        figure.currency,
        operator=run.operator if speaker is None else None,
        is_used=is_used,
        is_mean=figure.block.cell is None and is_mean(proposal, said, goes_on),
        sentence=own_sentence(text, proposal),
        entry=entry,
    )


def _conditions(text: str, proposal: ClaimProposal, entry: EntryWords) -> dict[str, str]:
    """What a text states of a figure for certain, and can tell two measurements apart; of two results the words close to one."""
    sure = {
        name: found[0].value
        for name, found in proposal.conditions.items()
        if name in _COMPARED and found and found[0].confidence >= _SURE_CONDITION
    }
    found = with_own_conditions(sure, *rest_of_sentence(text, proposal), headers_of(proposal), text)
    if not entry.is_alone and entry.round and found.get("round", _INFERENCE).startswith(_INFERENCE):
        found["round"] = f"{_INFERENCE}{entry.round}"
    if not entry.is_alone and entry.scenario:
        found["scenario"] = f"scenario/{entry.scenario}"
    return found


def _entry(text: str, proposal: ClaimProposal) -> EntryWords:
    """What the sentence of a figure, or the headers of its cell, state of the benchmark entry that it is a result of."""
    if not _is_of_run(proposal):
        return NOTHING
    is_cell = proposal.figure.block.cell is not None
    if is_cell:  # what reading finds of a cell may be of the column next to it
        return replace(entry_words("", headers_of(proposal)), is_alone=False)
    return entry_words(*rest_of_sentence(text, proposal))


def _is_of_run(proposal: ClaimProposal) -> bool:
    """Whether a figure may be a result of a benchmark: of others nobody looks for the words of an entry."""
    metric = proposal.first("metric")
    return metric is not None and metric.value in _OF_RUNS


def _per_device(text: str, proposal: ClaimProposal) -> str | None:
    """The device that the words of its sentence, or the headers of its cell, divide a figure by."""
    figure, cell = proposal.figure, proposal.figure.block.cell
    if cell is not None:
        return device_in(headers_of(proposal))
    behind = text[figure.end : min(figure.block.end, figure.end + WORDS)]
    device = device_of(before(text, proposal, SENTENCE), behind)
    return device or (each_device(*rest_of_sentence(text, proposal)) if _is_of_run(proposal) else None)


def _is_partial(text: str, proposal: ClaimProposal, subjects: Sequence[Ranked]) -> tuple[bool, bool]:
    """Whether the words around a figure say that it is of a part, of a use, of several of its subject, or of an earlier one;
    and whether of a use alone.
    """
    figure, words = proposal.figure, around(text, proposal)
    first = proposal.first("subject")
    named = (subjects[0].value if subjects else "", first.value if first is not None else "")
    is_one = not any(one.startswith(OF_SEVERAL) for one in named)
    is_part = (
        _PARTIAL.search(words) is not None
        or _OF_CONTENT.match(text, figure.end) is not None
        or _EARLIER.search(text[max(0, figure.start - WORDS) : figure.start]) is not None
        or (is_one and _SEVERAL.search(words) is not None)
    )
    is_use = _USED.search(words) is not None
    return is_part or is_use, is_use and not is_part


def _operand(proposal: ClaimProposal) -> TextOperand:
    figure = proposal.figure
    block = (figure.block.start, figure.block.end)
    return TextOperand(figure.start, figure.end, figure.printed, figure.number, figure.unit, figure.relation, block)
