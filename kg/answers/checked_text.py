"""A report that was read, checked figure by figure: joins reading, the arithmetic of the text, and what the graph knows."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from kg.answers.figure_match import LEAST
from kg.answers.named_run import NamedRun, named_run, own_clause
from kg.answers.own_conditions import is_of_other_form, with_own_conditions
from kg.answers.own_metrics import is_mean, own_metrics
from kg.answers.per_device import device_in, device_of
from kg.answers.sentence_arithmetic import sentence_arithmetic
from kg.answers.system_names import by_chip_of_system
from kg.answers.text_arithmetic import TextOperand, recompute
from kg.ask.mentions import in_digits
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.content.vocabulary import read_vocabulary
from kg.model.names import descendants
from kg.model.printed import PrintedNumber
from kg.model.recorded import ThingRecord
from kg.model.units import COUNT_PREFIX, UnitTable
from kg.reading.candidates_subject import ZONE_REASON
from kg.reading.deadline import NO_DEADLINE, Deadline
from kg.reading.proposal import Candidate, ClaimProposal
from kg.reading.reading_session import ReadingSession
from kg.reading.text import ReportText, TextFormat

_SURE_CONDITION: Final = 0.6
"""From which confidence a condition that reading found counts as stated by the text."""
_WORDS: Final = 40
_OF_SEVERAL: Final = ("system/", "cluster/")
"""What is made of several accelerators by its name."""
_SENTENCE: Final = 120
"""Code points on each side in which a named condition is looked for."""
_LONG_SENTENCE: Final = 400
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
# ends at "700 W. The"; not inside "3.35 TB/s", nor at "approx. as"
_SENTENCE_END: Final = re.compile(r"[.!?;][)\]”\"]*\s+(?=[\"“(\[]?[A-Z0-9])")
_COMPARED: Final = frozenset(
    {"model", "precision", "scenario", "phase", "round", "benchmark", "sparsity", "accelerators"}
)
"""Conditions that tell two measurements apart."""
_RANGE_BEGINS: Final = re.compile(
    r"\b(?:between|(?:rang(?:es?|ing)|var(?:y|ies|ying)|anywhere|anything) from)(?: about| roughly)?\s*$", re.IGNORECASE
)
_RANGE_GOES_ON: Final = re.compile(r"(?:\s?[A-Za-z/%]{1,12})?\s(?:and|to)\s(?:about |roughly )?")
"""Between the ends of a range, with the unit of the first."""
_OF_RUNS: Final = frozenset(
    {"throughput", "training-throughput", "performance", "inference-speed", "training-speed", "training-time"}
)
"""Metrics of what is measured in a run."""
_RUN_OVER: Final = re.compile(
    r"\b(?:r[au]ns?|running|spread|distribut\w+|scal(?:es?|ed|ing)|split|shard\w*|paralleli[sz]\w+|train\w*|work\w*|partition\w*|across or) over\s*$",
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
_HARDWARE: Final = ("accelerator/", "family/", "superchip/", "system/", "config/")
_ELSEWHERE: Final = ("previous", "next", "block", "section")
"""Where a thing stands that another sentence names."""
_REFERS: Final = re.compile(
    r"\b(?:it|its|they|their|them|this|these|those|that|which|both|each|the (?:former|latter|same|other|new\w*|old\w*)"
    r"|the (?:card|chip|gpu|accelerator|system|rack|server|node|machine|part|device)s?)\b",
    re.IGNORECASE,
)
"""Words of a sentence that may mean a thing of an earlier one."""
_OF_ITS_OWN: Final = re.compile(
    r"\b(?:one|another|some|an? (?:certain|different)|an?(?: [a-z]+)? unnamed)\s(?:other\s)?"
    r"(?:systems?|servers?|nodes?|racks?|chips?|cards?|gpus?|accelerators?|machines?|clusters?|submissions?)\s(?!of\b)[a-z]+",
    re.IGNORECASE,
)
"""A subject of which the text gives no name: "one system reached"."""
_THE_WHOLE: Final = re.compile(
    r"^\W*(?:(?:[Ii]n|[Oo]n|[Ii]nside|[Ww]ithin|[Aa]cross)\s)?(?:it|this one|(?:the|this|that|each|every|one|its|a)(?: [a-z-]+)? (?:rack|system|server|node|pod|machine|box|cabinet)s?)\b",
    re.IGNORECASE,
)
"""Words with which a sentence begins that goes on about a whole, which has parts."""
_MONTH: Final = re.compile(r"(?<![\d-])20\d\d-(?:0[1-9]|1[0-2])(?:-\d\d)?(?![\d-])|(?<=\b[Ii]n )20\d\d(?![\d-])")
"""A month or a day, and a year that is said to be when something held: "in 2023"."""

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
        before, between = text[max(0, low.start - _WORDS) : low.start], text[low.end : high.start]
        if _RANGE_BEGINS.search(before) and _RANGE_GOES_ON.fullmatch(between):
            found |= {low.start: high.number, high.start: low.number}
    return found


def _is_dimension(text: str, proposal: ClaimProposal) -> bool:
    """Whether a figure is one side of "2048x2048"."""
    figure = proposal.figure
    # with the signs around it: reading takes "2048x" alone, as it would a factor
    before, after = text[max(0, figure.start - 2) : figure.start], text[figure.end : figure.end + 2]
    return re.search(r"\d[x×]$", before) is not None or (
        figure.printed[-1] in "x×" and after[:1].isdigit() or re.match(r"[x×]\d", after) is not None
    )


def _text_figure(proposal: ClaimProposal, text: str, other_end: PrintedNumber | None) -> TextFigure:
    figure = proposal.figure
    around, subjects = _around(text, proposal), _subjects(text, proposal)
    dated = next((one for one in (around, _own_sentence(text, proposal)) if _MONTH.search(in_digits(one))), "")
    dates = _MONTH.findall(in_digits(dated))
    speaker = proposal.first("asserted_by")
    before, after = _before(text, proposal, _SENTENCE), _after(text, proposal)
    metrics = own_metrics(proposal, _ranked(proposal.fields.get("metric", ())), before, after)
    plain = NamedRun(subjects, _conditions(text, proposal))
    run = named_run(proposal, plain, metrics, own_clause(before, after))
    is_partial, is_used = _is_partial(text, proposal, subjects)
    return TextFigure(
        figure.start,
        figure.end,
        figure.printed,
        figure.number,
        figure.unit,
        None if _RUN_OVER.search(text[max(0, figure.start - _WORDS) : figure.start]) else figure.hedge,
        figure.relation,
        run.subjects,
        metrics,
        _ranked(proposal.fields.get("baseline", ())),
        run.conditions,
        _sentence(text, proposal).lower(),
        is_partial,
        # of two months in one sentence nobody can say which is meant
        dates[0] if len(set(dates)) == 1 else None,
        _UNTIL.search(in_digits(dated)) is not None,
        # what stands before a cell of a table is another cell, no sentence that could deny it
        figure.block.cell is None and denies(before),
        _per_device(text, proposal),
        _TOGETHER.search(before) is not None and _EACH.search(_sentence(text, proposal)) is None,
        speaker.value if speaker is not None else None,
        speaker.label if speaker is not None else "",
        other_end,
        figure.currency,
        operator=run.operator if speaker is None else None,
        is_used=is_used,
        is_mean=figure.block.cell is None and is_mean(proposal, before, after),
        sentence=_own_sentence(text, proposal),
        entry=_entry(text, proposal),
    )


def _subjects(text: str, proposal: ClaimProposal) -> tuple[Ranked, ...]:
    """What a figure may be said of; of a count of parts that "the rack" joins the rack, and not the parts."""
    found = _offered_subjects(text, proposal)
    unit = proposal.figure.unit or ""
    if len(found) < 2 or not unit.startswith(COUNT_PREFIX) or found[0].value.startswith(_OF_SEVERAL):
        return found
    whole = next((one for one in found[:3] if one.value.startswith(_OF_SEVERAL) and one.confidence >= LEAST), None)
    if whole is None or not _THE_WHOLE.search(_before(text, proposal, _SENTENCE)):
        return found
    rest = (one for one in found[1:] if one is not whole)
    return (Ranked(whole.value, found[0].confidence), Ranked(found[0].value, whole.confidence), *rest)


def _offered_subjects(text: str, proposal: ClaimProposal) -> tuple[Ranked, ...]:
    """What a figure may be said of; nothing where the text goes on to a card that reading has no name for."""
    offered = proposal.fields.get("subject", ())
    if offered and proposal.figure.block.cell is not None:
        return _of_own_header(offered)
    before = _before(text, proposal, _SENTENCE)
    if not offered or is_of_other_form(offered[0].value, before):
        return ()
    elsewhere = {ZONE_REASON[zone] for zone in _ELSEWHERE}
    if _OF_ITS_OWN.search(before) and not _REFERS.search(_before(text, proposal, _LONG_SENTENCE)):
        return _ranked(one for one in offered if one.reason not in elsewhere)
    # "The B300 has 8 TB/s. With 8 TB/s, the H200 …": of a sentence that names its own thing, the one before it is none
    is_own = offered[0].reason not in elsewhere and not _REFERS.search(_own_sentence(text, proposal))
    kept = [one for one in offered if not is_own or one.reason not in elsewhere]
    metric = proposal.first("metric")
    is_rate = metric is not None and metric.value == "throughput"
    return _ranked(by_chip_of_system(kept) if is_rate else kept)


def _of_own_header(offered: Sequence[Candidate]) -> tuple[Ranked, ...]:
    """What a cell may be said of: hardware that its row or column names, and then none that only stands above the table."""
    headers = {ZONE_REASON[zone] for zone in ("row", "column", "rowcell")}
    if offered[0].reason not in headers or not offered[0].value.startswith(_HARDWARE):
        return _ranked(offered)
    kept = [one for one in offered if one.reason in headers or not one.value.startswith(_HARDWARE)]
    share = sum(one.confidence for one in kept)
    return tuple(Ranked(one.value, one.confidence / share) for one in kept)


def _conditions(text: str, proposal: ClaimProposal) -> dict[str, str]:
    """What a text states of a figure for certain, and can tell two measurements apart."""
    sure = {
        name: found[0].value
        for name, found in proposal.conditions.items()
        if name in _COMPARED and found and found[0].confidence >= _SURE_CONDITION
    }
    return with_own_conditions(sure, *_rest_of_sentence(text, proposal), _headers(proposal), text)


def _entry(text: str, proposal: ClaimProposal) -> EntryWords:
    """What the sentence of a figure, or the headers of its cell, state of the benchmark entry that it is a result of."""
    if not _is_of_run(proposal):
        return NOTHING
    is_cell = proposal.figure.block.cell is not None
    return entry_words("", _headers(proposal)) if is_cell else entry_words(*_rest_of_sentence(text, proposal))


def _is_of_run(proposal: ClaimProposal) -> bool:
    """Whether a figure may be a result of a benchmark: of others nobody looks for the words of an entry."""
    metric = proposal.first("metric")
    return metric is not None and metric.value in _OF_RUNS


def _headers(proposal: ClaimProposal) -> str:
    """The headers of the cell of a figure; nothing of one in a sentence."""
    cell = proposal.figure.block.cell
    return " ".join((*cell.column_headers, *cell.row_headers)) if cell is not None else ""


def _rest_of_sentence(text: str, proposal: ClaimProposal) -> tuple[str, str]:
    """The words of its sentence before a figure, and those behind it."""
    before = _before(text, proposal, _SENTENCE)
    return before, _own_sentence(text, proposal)[len(before) + len(proposal.figure.printed) :]


def _per_device(text: str, proposal: ClaimProposal) -> str | None:
    """The device that the words of its sentence, or the headers of its cell, divide a figure by."""
    figure, cell = proposal.figure, proposal.figure.block.cell
    if cell is not None:
        return device_in(_headers(proposal))
    behind = text[figure.end : min(figure.block.end, figure.end + _WORDS)]
    device = device_of(_before(text, proposal, _SENTENCE), behind)
    return device or (each_device(*_rest_of_sentence(text, proposal)) if _is_of_run(proposal) else None)


def _is_partial(text: str, proposal: ClaimProposal, subjects: Sequence[Ranked]) -> tuple[bool, bool]:
    """Whether the words around a figure say that it is of a part, of a use, of several of its subject, or of an earlier one;
    and whether of a use alone.
    """
    figure, around = proposal.figure, _around(text, proposal)
    first = proposal.first("subject")
    named = (subjects[0].value if subjects else "", first.value if first is not None else "")
    is_one = not any(one.startswith(_OF_SEVERAL) for one in named)
    is_part = (
        _PARTIAL.search(around) is not None
        or _OF_CONTENT.match(text, figure.end) is not None
        or _EARLIER.search(text[max(0, figure.start - _WORDS) : figure.start]) is not None
        or (is_one and _SEVERAL.search(around) is not None)
    )
    is_use = _USED.search(around) is not None
    return is_part or is_use, is_use and not is_part


def _around(text: str, proposal: ClaimProposal) -> str:
    """The words next to a figure in its own sentence, and the headers of its cell."""
    figure = proposal.figure
    block, cell = figure.block, figure.block.cell
    before = _before(text, proposal, _WORDS)
    after = text[figure.end : min(block.end, figure.end + _WORDS)]
    ends = _SENTENCE_END.search(after)
    headers = (*cell.column_headers, *cell.row_headers) if cell is not None else ()
    return " ".join((before + figure.printed + after[: ends.start() if ends else None], *headers))


def _before(text: str, proposal: ClaimProposal, most: int) -> str:
    """The words of its sentence before a figure."""
    before = text[max(proposal.figure.block.start, proposal.figure.start - most) : proposal.figure.start]
    return before[max((one.end() for one in _SENTENCE_END.finditer(before)), default=0) :]


def _after(text: str, proposal: ClaimProposal) -> str:
    """The words of its sentence behind a figure."""
    figure = proposal.figure
    after = text[figure.end : min(figure.block.end, figure.end + _SENTENCE)]
    ends = _SENTENCE_END.search(after)
    return after[: ends.start() if ends else None]


def _own_sentence(text: str, proposal: ClaimProposal) -> str:
    """The sentence of a figure, as far as it is looked at."""
    return _before(text, proposal, _SENTENCE) + proposal.figure.printed + _after(text, proposal)


def _sentence(text: str, proposal: ClaimProposal) -> str:
    """What stands around a figure in its block; of a table its headers."""
    figure = proposal.figure
    start, end = max(figure.block.start, figure.start - _SENTENCE), min(figure.block.end, figure.end + _SENTENCE)
    cell = figure.block.cell
    return " ".join((text[start:end], *((*cell.column_headers, *cell.row_headers) if cell is not None else ())))


def _ranked(found: Iterable[Candidate]) -> tuple[Ranked, ...]:
    return tuple(Ranked(one.value, one.confidence) for one in found)


def _operand(proposal: ClaimProposal) -> TextOperand:
    figure = proposal.figure
    block = (figure.block.start, figure.block.end)
    return TextOperand(figure.start, figure.end, figure.printed, figure.number, figure.unit, figure.relation, block)
