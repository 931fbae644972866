"""Figures that claim nothing, by their surroundings: dates, versions, addresses, files, options, marks, numbers of lists."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from kg.reading.text import Block

Span = tuple[int, int, str]
"""Start, end, reason."""

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR: Final = r"(?:19[5-9]\d|20[0-4]\d)"
_FILES: Final = (
    "py|ipynb|md|rst|txt|sh|bash|yaml|yml|json|jsonl|csv|tsv|toml|cfg|ini|png|jpe?g|gif|svg|webp|pdf|html?|js|ts|css|c|cc"
    "|cpp|h|cu|cuh|rs|go|java|zip|tar|gz|whl|deb|rpm|xlsx?|docx?|pptx?|parquet|safetensors|gguf|onnx|pt|pth|bin|so|log|mp4"
)

_MONTH_NUMBER: Final = r"(?:0?[1-9]|1[0-2])"
_DAY_NUMBER: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_DAY_AND_MONTH: Final = rf"(?:{_MONTH_NUMBER}/{_DAY_NUMBER}|{_DAY_NUMBER}/{_MONTH_NUMBER})"
_SAID: Final = (
    r"(?:(?<=\b[Oo]n )|(?<=\b[Ss]ince )|(?<=\b[Uu]ntil )|(?<=\b[Dd]ated )|(?<=\b[Aa]s of )"
    r"|(?<=\d [AaPp]M )|(?<=:\d\d ))"
)
_NO_SHARE: Final = r"\b(?![/%]|[.,]\d|[-\s](?:of\b|the\b|an?\b|bit\b|[A-Za-z-]{1,20}s\b))"
_NUMERIC_DATES: Final = (
    rf"(?<![\w.,/$€¥£]){_DAY_AND_MONTH}/{_YEAR}\b(?![/%]|[.,]\d)",
    r"(?<![\w.,/$€¥£])(?:0[1-9]|1[0-2])/(?:0[1-9]|[12]\d|3[01])/\d\d\b(?![/%]|[.,]\d|\s[A-Za-z-]+s\b)",
    rf"(?<![\w.,/$€¥£])(?<!ersion ){_DAY_NUMBER}\.{_MONTH_NUMBER}\.{_YEAR}\b(?![/%]|[.,]\d)",
    rf"(?<![\w.,/$€¥£])0[1-9]/{_DAY_NUMBER}\b(?![/%]|[.,]\d)",
    rf"{_SAID}{_DAY_AND_MONTH}{_NO_SHARE}",
    rf"(?<![\w.,/$€¥£]){_DAY_AND_MONTH}(?=,?\s(?:at\s)?\d{{1,2}}:[0-5]\d)",
)
"""Day and month in figures: with a year, with a leading nought, or where a word or a time of day says that it is a day.

What is left, "2/3" or "4/16", may as well be a share or two settings.
"""

_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    (
        "link",
        r"(?:https?|ftp)://[^\s<>\"'\])}，。；]+|www\.[^\s<>\"'\])}]+|\bdoi:\s?\S+|\barXiv:\s?\S+|\b10\.\d{4,}/\S+",
    ),
    (
        "link",
        r"[\w.+-]{1,64}@[\w-]+\.[\w.-]+\b|\b(?:[\w-]{1,60}\.){1,6}(?:com|org|net|io|ai|dev|edu|gov|cn|de|uk)/[^\s)\]>]*",
    ),
    ("file-name", rf"(?<![\w/])(?:[\w.~-]*/)*[\w.-]*\w\.(?:{_FILES})\b(?![/\w])"),
    # paths by their strokes: "/opt/x2", "src/a/b"
    (
        "file-name",
        r"(?<![\w/])(?:\.{0,2}/)(?:[\w.-]+/)*[\w.-]*\d[\w.-]*|(?<![\w$€£¥./-])(?=[A-Za-z_.~])[\w.~-]+(?:/[\w.-]+){2,}",
    ),
    # "--tp-size 8" with its value; not the dash between two words
    ("option", r"(?<![\w-])--?[A-Za-z][\w-]*(?:[= ]\d[\w.,:]*)?"),
    # names with an underscore and a digit, calls, hexadecimal numbers, hashes of commits, variables
    # of a shell
    (
        "code",
        r"\b[A-Za-z]\w*_\w*\d\w*\b|\b\w+\(\)|\b0x[0-9A-Fa-f]+\b|\b(?=[0-9a-f]*[a-f][0-9a-f]*\d|[0-9a-f]*\d[0-9a-f]*[a-f])[0-9a-f]{7,40}\b|\$\{?[A-Za-z_]\w*\}?",
    ),
    ("date", rf"\b{_YEAR}[-/.](?:0?[1-9]|1[0-2])(?:[-/.](?:0?[1-9]|[12]\d|3[01]))?\b(?!\.\d)"),
    (
        "date",
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}})?\s+(?:of\s+)?)?{_MONTH}\s+(?:\d{{1,2}}(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}})?(?:,?\s+{_YEAR})?|{_YEAR})\b(?![,.]?\d)",
    ),
    ("date", rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?\b"),
    (
        "date",
        rf"\b(?:Q[1-4]|[1-4]Q|H[12]|[12]H|FQ[1-4]|FY|CY)(?:[-’' ]{{1,2}}(?:of\s+)?(?:FY|CY)?\s?(?:{_YEAR}|['’]?\d\d(?![\w%]|[.,]\d))|(?:FY|CY)?(?:{_YEAR}|['’]\d\d)|(?<=FY)\d\d)?E?\b",
    ),
    ("date", rf"\b(?:early|mid|late|end|spring|summer|fall|autumn|winter)[- ](?:of[- ])?{_YEAR}s?\b"),
    *(("date", pattern) for pattern in _NUMERIC_DATES),
    ("date", r"\b(?:[1-4]Q|[12]H)\d\dE?\b"),
    (
        "date",
        r"(?i)\b(?:first|second|1st|2nd|last|latter)\shalf\s(?:of|in)\s(?=(?:fiscal\s|FY\s?)?\d{4}|the\s(?:year|decade|century)|this|last|next)",
    ),
    # "two years ago", "3 months later"; not "after 3 months", a duration
    (
        "date",
        (
            r"(?i)\b(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half a|a few)[ -](?:years?|months?|weeks?|days?|quarters?|hours?)\s"
            r"(?:ago|earlier|later|before(?=[.,;)]|$)|from now|from today)\b"
        ),
    ),
    ("time-of-day", r"\b(?:UTC|GMT)\s?[-+−–]\s?(?:1[0-4]|0?\d)(?::?[0-5]\d)?\b(?!\.\d)"),
    ("date", r"\b\d{4}\s?年(?:\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?)?|\b\d{1,2}\s?月\s?\d{1,2}\s?日"),
    (
        "time-of-day",
        r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\.\d+)?(?:\s?[AaPp]\.?[Mm]\b\.?)?|\b(?:1[0-2]|[1-9])\s?[AaPp]\.?[Mm]\b\.?",
    ),
    (
        "idiom",
        r"\b24\s?[/x×]\s?7\b|\b100% (?:sure|certain)\b|\b(?:number|No\.?|#)\s?(?:1|one)\b(?! of)|\bWeb ?[23]\.0\b|\bIndustry 4\.0\b",
    ),
    (
        "reference-mark",
        r"\b(?:[Ff]ig(?:ure|s)?|[Tt]ables?|[Ss]ect(?:ion|s)?|[Cc]hap(?:ter)?|[Aa]ppendix|[Ee]q(?:uation|s|n)?|[Aa]lg(?:orithm)?|[Ff]ootnotes?|[Ll]isting|[Ee]xhibit)\.?\s?#?\(?\d+(?:\.\d+)*[a-z]?\)?(?:\s*(?:[-–,]|and|or|to)\s*\d+(?:\.\d+)*[a-z]?\b)?(?!\s*%)\b|(?<![\w-])(?:Step|Part|Case|Phase|Item|Day|Issue|Tier|Level|Vol(?:ume)?|Round|Option|Lesson|Slide|Question|Line|Note|Tab|Finding|Stage|Lab|Rule|Week|Class|Type|Grade|Zone|Gate|Layer|Rank|Node|Device|Epoch|Test|Example|Experiment|Scenario|Rev|Batch)\.?\s#?\d{1,2}[a-z]?\b(?![.,]?\d|\s*(?:%|[xX×]\b|[GTM]B|GPUs?|nodes?))",
    ),
    (
        "citation-mark",
        r"\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\]|\[\^[^\]\s]{1,40}\]|【\d{1,6}[^】【]{0,80}】|(?<=[A-Za-z.,)])[¹²³⁴⁵⁶⁷⁸⁹⁰]+",
    ),
    (
        "page-furniture",
        r"(?i)\bpage\s+\d+(?:\s+of\s+\d+)?\b|©\s*(?:\d{4})?(?:\s*[-–]\s*\d{4})?|\b\d+\s+min(?:ute)?s?\s+read\b|\b\d+\s+(?:comments?|likes?|views?|shares?|replies|claps)\b|\b(?:comments|likes|replies|responses)\s?\(\d+\)",
    ),
    (
        "version",
        r"\b[vV]\d+(?:\.\d+)*(?:[-.]?(?:rc|alpha|beta|post|dev)\d*)?\b(?!\s*%)|\b\d+\.\d+\.\d+(?:\.\d+)*(?:[-+.]?[a-z]+\d*)?\b|(?i:\b(?:version|release|rev(?:ision)?|ver)\.?\s?)\d+(?:\.\d+)*\b",
    ),
    # the amount that a price is for is no count of tokens: "per 1M tokens"
    (
        "example-not-claim",
        r"(?:\bper|/)\s*(?:1\s?(?:[MKB]\b|million|billion|thousand)|1(?:,000|,000,000|000|000000)?(?![\d.,]))(?=\s*(?:input |output )?(?:tokens?|requests?|queries|hours?|samples?|images?|GPUs?)\b)",
    ),
)
_MORE_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    (
        "citation-mark",
        r"(?:(?<=[A-Za-z.,)%;:])|(?<=[A-Z]\d)|(?<=[A-Z]\d\d)|(?<=[A-Z]\d\d\d))\^\d{1,3}(?:[,–-]\d{1,3})*\b",
    ),
    ("link", r"(?i)\barxiv:\s?\d+\.\d+"),
    ("date", rf"\b{_YEAR}[\s-]?(?:Q[1-4]|H[12])\b"),
    ("model-name", r"\b\d+x\d+(?:\.\d+)?[Bb]\b"),
    ("code", r"\b\d+\s?[x×]\s?\d+\s?[x×]\s?\d+\b"),
    ("version", r"\b\d+\.\d+\.\d+[\w.]*(?:[-+][\w.]+)*"),
    # how many units of a rack a server is high, and which share a percentile leaves below it
    ("product-name", r"\b[1-9]\d?U(?=[\s-][a-z])"),
    ("idiom", r"\b\d{2}(?:\.\d+)?th[\s-]percentile\b"),
    # a name and its version in a list: "Torch 2.1,"; one lookbehind a length, as Python's have a
    # fixed one
    (
        "version",
        r"(?<=[a-z] )(?<!\b[a-z] )(?:(?<=[A-Z][a-z] )|(?<=[A-Z][a-z]{2} )|(?<=[A-Z][a-z]{3} )|(?<=[A-Z][a-z]{4} )|(?<=[A-Z][a-z]{5} ))\d\.\d{1,2}(?=[,;)]|\s(?:and|or)\b|$)",
    ),
)
_NEXT_PLACES: Final = r"(?:\s?[-–]\s?\d{1,4})?(?:(?:,\s|,?\s(?:and|or|to)\s)\d{1,3}(?![\d%]|[.,]\d|\s?[A-Za-z]))*(?![\d%]|[.,]\d|\s?(?:[xX×]|[kKMGTP]?i?[BWb]|GPUs?|nodes?|chips?)\b)"
_PLACES: Final[tuple[tuple[str, str], ...]] = (
    (
        "reference-mark",
        (
            r"(?<![\w-])(?:[Nn]otes?|[Ee]nd ?notes?|[Rr]ows?|[Cc]olumns?|[Pp]anels?|[Bb]ox|[Ss]teps?|[Ss]lides?|[Ll]ines?|[Qq]uestions?|[Pp]oints?"
            rf"|[Ii]tems?|[Cc]hart|[Gg]raph|[Pp]lot|[Pp]art|[Vv]ol|[Nn]os?\.|#)\s?#?\d{{1,3}}{_NEXT_PLACES}"
        ),
    ),
    ("reference-mark", rf"(?<![\w.-])(?:[Pp]{{1,2}}\.|[Pp]ages?)\s?\d{{1,4}}{_NEXT_PLACES}|§+\s?\d+(?:\.\d+)*"),
    ("reference-mark", r"\bIS[BS]N(?:-1[03])?:?\s?[\dXx -]{8,17}|(?<![\w#])#\d{1,6}\b(?!\s?(?:%|[A-Za-z]))"),
    ("version", r"\b[Rr]ound\s\d+(?:\.\d+)+\b"),
    (
        "page-furniture",
        (
            r"(?i:\b(?:tel|phone|fax)\b\.?:?\s?)[+(]?\d[\d() .-]{6,18}\d|(?<![\w.])\+\d{1,3}(?:[ .-]\(?\d{1,4}\)?){3,6}(?![\w%])"
            r"|\(\d{3}\)\s?\d{3}-\d{4}\b"
        ),
    ),
    (
        "page-furniture",
        (
            r"\b\d{1,5}\s(?:[A-Z][a-z.]+\s){1,3}(?:Street|St\.|Avenue|Ave\.|Road|Rd\.|Boulevard|Blvd|Expressway|Drive|Lane|Way|Parkway|Pkwy)\b"
            r"|,\s[A-Z]{2}\s\d{5}(?:-\d{4})?\b|\b(?:Room|Suite|Booth|Floor|Building|Hall|Apt\.?)\s#?\d{1,5}\b"
        ),
    ),
    ("code", r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+=[\w.,-]*\w"),
)
"""Places in a text or a building, numbers of telephones and books, settings of a shell."""

_REGIONS: Final = tuple((reason, re.compile(pattern)) for reason, pattern in (*_PATTERNS, *_MORE_PATTERNS, *_PLACES))

# meets "1. " and "(2) "; not "1.5"
_LIST_NUMBER: Final = re.compile(r"(?:\*\*|\s)*\(?\d{1,3}(?:[.)](?=[\s*])|\)(?=\s))")
_INLINE_NUMBER: Final = re.compile(r"(?<=[:;.]\s)\(?([1-9]|1\d)[.)](?=\s+[A-Z])|(?<=\s)\(([1-9]|1\d)\)(?=\s)")
_SECTION: Final = re.compile(r"[#\s]*(?:\*\*)?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?(?=\s+[^\W\d_]|\s*$)")
_ALONE: Final = re.compile(r"[\s|()\[\]–—-]*\d{1,4}[\s|()\[\]–—-]*")
_RUNNING: Final = re.compile(r"\s*\d{1,4}\s?[|•·]\s|[^|•·\n]{3,80}\s[|•·]\s?(?=\d{1,4}\s*$)(?P<last>\d+)")
"""The line on top or at the foot of every page, with the number of the page."""
_OF_PAGES: Final = re.compile(r"(?:https?|file)://\S*\s(?P<page>\d{1,4}\s?/\s?\d{1,4})\s*$", re.MULTILINE)
"""What browsers print at the foot of a page: its address, its number and how many there are."""
_NOTE: Final = re.compile(r"^[ \t^]*\d{1,3}(?=[ \t]+[A-Z\"“‘][^\s\d]*[\s,])", re.MULTILINE)
_OF_NOTE: Final = re.compile(
    r"https?://|www\.|\bdoi\b|arXiv|\b(?:ibid|op\. cit|et al|data ?sheet|white ?paper|press release|accessed|retrieved|available at)\b",
    re.IGNORECASE,
)
"""What a note says where it only names a source."""
_NOTES: Final = re.compile(
    r"\W*(?:foot|end)?notes?|references|sources|bibliography|citations|works cited", re.IGNORECASE
)


def _notes(text: str, block: Block) -> list[Span]:
    """The numbers at which notes begin: below a heading of notes, in order line after line, or before the name of a source."""
    if block.cell is not None or block.kind == "heading":
        return []
    starts = list(_NOTE.finditer(text))
    numbers = [int(match[0].strip(" \t^")) for match in starts]
    in_order = block.kind == "footnote" or (
        len(numbers) > 1 and all(after == before + 1 for before, after in pairwise(numbers))
    )
    below = bool(block.headings) and _NOTES.match(block.headings[-1]) is not None
    ends = [*(match.start() for match in starts[1:]), len(text)][: len(starts)]
    return [
        (match.start(), match.end(), "list-number")
        for match, end in zip(starts, ends, strict=True)
        if in_order or below or _OF_NOTE.search(text, match.end(), end)
    ]


_YEARS: Final = re.compile(rf"(?<![\w.,])(?P<year>{_YEAR})(?:\s*[-–/]\s*(?:{_YEAR}|\d\d)(?!\d))?s?(?![\w%]|[,.]\d)")
_NO_YEAR_BEFORE: Final = re.compile(
    r"(?:[$€¥£~≈<>=*×x+±]|\b(?:over|about|up to|than|nearly|around|only|least|most|of|with|has|have|scale|approximately|roughly|US|USD|RMB|by|at|reach\w*|is|was|are|uses?|using))\s*$",
    re.IGNORECASE,
)
_YEAR_BEFORE: Final = re.compile(
    r"\b(?:in|of|by|since|until|before|after|during|through|from|year|end|start|late|early|mid|spring|summer|fall|autumn|winter|FY|Inc|et al|edition|\w+ber|"
    rf"{_MONTH}),?\.?\s*[(]?$",
    re.IGNORECASE,
)
_NO_YEAR_AFTER: Final = re.compile(
    r"\s*(?:[xX×*+]|[A-Z]+\d+\w*s?\b|[kMGTPEµm]?(?:W|B|Hz|FLOPS?|FLOP/s|OPS|bits?|s|m|J|Wh)\b|[A-Za-z]+/s|tokens?\b|samples?\b|TFLOPS|PFLOPS|GFLOPS"
    r"|[\w-]*\s?(?:GPUs?|chips?|cards?|accelerators?|nodes?|servers?|cores?|parameters?|users?|requests?|layers?|racks?|TPUs?|watts?|dollars|hours|seconds|steps|images|queries|sequence|context|dimension)\b)"
)
_SALES_AFTER: Final = re.compile(
    r"\s(?:[\w-]+\s){1,2}?(?:shipments?|sales|revenues?|spending|demand|supply|orders|forecasts?|capex|prices?|pricing|markets?|roadmaps?|unit)\b"
)
"""What a year has and no number of things: 2027 accelerator shipments."""
_YEAR_HEADER: Final = re.compile(
    r"year|date|launch|release|announc|introduc|availab|when|since|period|quarter|published", re.IGNORECASE
)


_MARK_HEADER: Final = re.compile(
    r"(?:notes?|refs?\.?|references?|footnotes?|#|no\.?|idx|index|id|rank|sources?|links?)$", re.IGNORECASE
)
_DATE_HEADER: Final = re.compile(r"\b(?:dates?|day)\b", re.IGNORECASE)
_VERSION_HEADER: Final = re.compile(r"\b(?:version|release|driver|firmware|commit|image)\b", re.IGNORECASE)


def _cell_reason(text: str, block: Block) -> str | None:
    """Why the figures of a column claim nothing: numbers of notes or rows, versions of software."""
    cell = block.cell
    if cell is None or cell.is_header or not cell.column_headers:
        return None
    header = cell.column_headers[-1].strip()
    if _MARK_HEADER.match(header) and re.fullmatch(r"\W*\d{1,3}(?:\W+\d{1,3})*\W*", text):
        return "list-number" if not cell.column else "reference-mark"
    if _DATE_HEADER.search(header) and re.fullmatch(rf"\s*{_DAY_AND_MONTH}\s*", text):
        return "date"
    return "version" if _VERSION_HEADER.search(header) and re.search(r"\d+\.\d+", text) else None


_MARKS_AHEAD: Final = re.compile(r"\s*\d{1,3}(?:\s*,\s*\d{1,3})*\s*(?=;)")


def _marks_ahead(text: str, block: Block) -> list[Span]:
    """The numbers of notes that a column of notes begins with, before words of its own: "3; peak"."""
    cell = block.cell
    if cell is None or cell.is_header or not cell.column or not cell.column_headers:
        return []
    if _MARK_HEADER.match(cell.column_headers[-1].strip()) and (match := _MARKS_AHEAD.match(text)) is not None:
        return [(*match.span(), "reference-mark")]
    return []


def _years(text: str, block: Block) -> list[Span]:
    """Four figures that are a year: by the word before them, or because nothing near them counts or measures."""
    if (
        block.cell is not None
        and not block.cell.is_header
        and not any(map(_YEAR_HEADER.search, block.cell.column_headers))
    ):
        return [
            (*match.span(), "date")
            for match in _YEARS.finditer(text)
            if re.search(r"[A-Za-z]", text) and _YEAR_BEFORE.search(text, max(0, match.start() - 40), match.start())
        ]
    found: list[Span] = []
    for match in _YEARS.finditer(text):
        before = text[max(0, match.start() - 24) : match.start()]
        follows = _NO_YEAR_AFTER.match(text, match.end()) is not None and not _SALES_AFTER.match(text, match.end())
        if follows or (_NO_YEAR_BEFORE.search(before) and not re.search(r"\b(?:of|by|at)\s*$", before)):
            continue
        if re.search(r"\b(?:of|by|at)\s*$", before) and not re.search(
            r"\b(?:end|start|half|quarter|beginning|summer|fall|autumn|winter|spring|middle|close|part|as) of\s*$|\bby\s*$|[A-Z]\w+ of\s*$",
            before,
        ):
            continue
        found.append((*match.span(), "date"))
    return found


def regions(text: str, block: Block) -> list[Span]:
    """The stretches of a view whose figures claim nothing, and why; the earlier kinds first."""
    if block.kind == "code":
        return [(0, len(text), "code")]
    found: list[Span] = []
    for reason, pattern in _REGIONS:
        found += [(match.start(), match.end(), reason) for match in pattern.finditer(text)]
    found += _years(text, block)
    if block.cell is not None and (why := _cell_reason(text, block)) is not None:
        found.insert(0, (0, len(text), why))
    found += _marks_ahead(text, block)
    if (match := _LIST_NUMBER.match(text)) is not None and block.kind != "cell":
        found.append((match.start(), match.end(), "list-number"))
    found += [(match.start(), match.end(), "list-number") for match in _INLINE_NUMBER.finditer(text)]
    if block.kind == "heading" and (match := _SECTION.match(text)) is not None:
        found.append((match.start(), match.end(), "heading"))
    return found + _notes(text, block) + list(_page_furniture(text, block))


def _page_furniture(text: str, block: Block) -> Iterator[Span]:
    """A page number alone in its block, and one next to a running head."""
    if block.kind in ("paragraph", "list-item") and _ALONE.fullmatch(text):
        yield 0, len(text), "page-furniture"
    if block.cell is None and (match := _RUNNING.match(text)) is not None:
        yield match.start("last") if match["last"] else match.start(), match.end(), "page-furniture"
    yield from ((*match.span("page"), "page-furniture") for match in _OF_PAGES.finditer(text))


_NAME_TOKEN: Final = re.compile(r"(?<![A-Za-z0-9.])[A-Za-z][A-Za-z0-9]*(?:[-–./][A-Za-z0-9]+)*(?:['’]s)?")
_FIGURE: Final = re.compile(r"\d")
_NOT_NAMES: Final = re.compile(
    r"(?i)(?:up|to|of|by|the|a|an|top|sub|non|pre|post|x|mid|over|about|multi|single|dual)-\d|(?:TP|PP|DP|EP|CP|SP|BS|GBS|MBS|K|M|TDP|US|RMB|USD|CNY|HK|Rs)\d+$"
)
_PRODUCT_HEAD: Final = (
    r"(?:GeForce|RTX|GTX|Quadro|Radeon|Instinct|Xeon|EPYC|Ryzen|Core|Gaudi|Trainium|Inferentia|TPU|Ascend|Kunlun|Atlas"
    r"|NVLink|NVSwitch|InfiniBand|PCIe|PCI-E|PCI Express|Gen|CDNA|RDNA|ROCm|CUDA|cuDNN|TensorRT(?:-LLM)?|PyTorch|JAX|Python"
    r"|Ubuntu|Llama|LLaMA|GPT|Claude|Gemini|Gemma|Qwen|Mistral|Mixtral|Falcon|DeepSeek|MPT|Phi|Grok|Kimi|GLM|Yi|Bloom|OPT"
    r"|Megatron|DeepSpeed|vLLM|SGLang|LMDeploy|Dynamo|Triton|Windows|Linux|Android|iOS|HBM|GDDR|DDR|LPDDR|USB|Ethernet|Wi-?Fi|MLPerf|CloudMatrix"
    r"|SuperPOD|Pod|WSE|IPU|MI|Zen|Epyc|Apache|ISO|IEEE|RFC|Stable Diffusion|SDXL|ResNet|BERT|ViT|ImageNet|FlashAttention"
    r"|Flash Attention|ZeRO|Area|Route|Formula|Boeing|Airbus|Tier)"
)
_HEADED: Final = re.compile(
    rf"\b{_PRODUCT_HEAD}[- ](?:[A-Z][\w-]*\s)?v?(?:\d+(?:\.\d+)+[A-Za-z]{{0,2}}\b(?!\s*(?:%|[xX×]\b|GB\b|TB\b|W\b))"
    r"|\d+[A-Za-z]{0,2}\b(?!\s*(?:%|[xX×]\b|GPUs?|GB\b|TB\b|W\b|accelerators?|cards?|nodes?)))(?![,.]?\d)"
)


MODEL_HEADS: Final = r"(?:Llama|LLaMA|GPT|Claude|Gemini|Gemma|Qwen|Mistral|Mixtral|Falcon|DeepSeek|MPT|Phi|Grok|Kimi|GLM|Yi|Bloom|BLOOM|OPT|Nemotron|Granite|OLMo|DBRX|Command|PaLM|Megatron|Mamba|gpt-oss)"
"""How the names of families of models begin."""
_SIZED: Final = re.compile(
    rf"\b{MODEL_HEADS}"
    r""
    r"[-\s]?\w{0,2}(?:\.\d)?(?:[-\s](?:Chat|Instruct|Base|Large|Coder))?[-\s]\d+(?:\.\d+)?[BbMT]\b(?!\s(?:tokens|parameters))"
)
"""A model by its name and size."""


def name_regions(text: str) -> list[Span]:
    """Words that are names by their form alone: letters and figures in one word, a known head with a number.

    >>> [(text[a:b], why) for text in ["the H100s in FP8, TP=4 of 512"] for a, b, why in name_regions(text)]
    [('H100s', 'product-name'), ('FP8', 'product-name')]
    """
    found = [
        (match.start(), match.end(), "product-name")
        for match in _NAME_TOKEN.finditer(text)
        if _FIGURE.search(match.group()) and _NOT_NAMES.match(match.group()) is None
    ]
    found += [(match.start(), match.end(), "product-name") for match in _HEADED.finditer(text)]
    return found + [(*match.span(), "model-name") for match in _SIZED.finditer(text)]
