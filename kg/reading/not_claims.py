"""Figures that claim nothing, by what they stand in: dates, versions, addresses, files, options, marks, numbers of lists."""

import re
from typing import Final

from kg.reading.text import Block

Span = tuple[int, int, str]
"""Start, end, reason."""

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR: Final = r"(?:19[5-9]\d|20[0-4]\d)"
_UNIT_AFTER: Final = r"(?!\s*(?:%|[xX×]\b|[kKMGTP]?(?:W|B|FLOP|Hz|bit)\w*|[A-Za-z]+/s|tokens?|GPUs?|accelerators?|chips?|nodes?|samples?|MHz|GHz|MT/s)\b)(?![,.]?\d)"
_FILES: Final = (
    "py|ipynb|md|rst|txt|sh|bash|yaml|yml|json|jsonl|csv|tsv|toml|cfg|ini|png|jpe?g|gif|svg|webp|pdf|html?|js|ts|css|c|cc"
    "|cpp|h|cu|cuh|rs|go|java|zip|tar|gz|whl|deb|rpm|xlsx?|docx?|pptx?|parquet|safetensors|gguf|onnx|pt|pth|bin|so|log|mp4"
)

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
    ("file-name", r"(?<![\w/])(?:\.{0,2}/)(?:[\w.-]+/)*[\w.-]*\d[\w.-]*|\b[\w.-]+(?:/[\w.-]+){2,}"),
    ("option", r"(?<![\w-])--?[A-Za-z][\w-]*(?:[= ]\d[\w.,:]*)?"),
    (
        "code",
        r"\b[A-Za-z]\w*_\w*\d\w*\b|\b\w+\(\)|\b0x[0-9A-Fa-f]+\b|\b[0-9a-f]{7,40}\b(?<=[a-f]\d)|\$\{?\w*\d\w*\}?(?<![$\d])",
    ),
    ("date", rf"\b{_YEAR}[-/.](?:0?[1-9]|1[0-2])(?:[-/.](?:0?[1-9]|[12]\d|3[01]))?\b(?!\.\d)"),
    (
        "date",
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}})?\s+(?:of\s+)?)?{_MONTH}\s+(?:\d{{1,2}}(?:st|nd|rd|th)?(?:\s*[-–]\s*\d{{1,2}})?(?:,?\s+{_YEAR})?|{_YEAR})\b(?![,.]?\d)",
    ),
    ("date", rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?\b"),
    (
        "date",
        rf"\b(?:Q[1-4]|[1-4]Q|H[12]|[12]H|FY|CY|FQ[1-4])[-’' ]?(?:(?:of\s+)?(?:FY|CY)?\s?(?:{_YEAR}|['’]?\d\d))?E?\b",
    ),
    ("date", rf"\b(?:early|mid|late|end|spring|summer|fall|autumn|winter)[- ](?:of[- ])?{_YEAR}s?\b"),
    ("date", rf"(?<![\d.,$€¥£+*/=~≈-])\b{_YEAR}(?:\s*[-–/]\s*(?:{_YEAR}|\d\d))?s?\b{_UNIT_AFTER}"),
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
        r"\b(?:[Ff]ig(?:ure|s)?|[Tt]ab(?:le|s)?|[Ss]ect?(?:ion|s)?|[Cc]hap(?:ter)?|[Aa]ppendix|[Ee]q(?:uation|s|n)?|[Aa]lg(?:orithm)?|[Ll]ine|[Ff]ootnote|[Nn]ote|[Ss]tep|[Pp]art|[Cc]ase|[Pp]hase|[Ll]isting|[Ee]xhibit|[Ii]tem|[Dd]ay|[Ii]ssue|[Tt]ier|[Ll]evel|[Vv]ol(?:ume)?|[Rr]ound|[Oo]ption|[Ll]esson|[Ss]lide|[Qq]uestion)\.?\s?#?\(?\d+(?:\.\d+)*[a-z]?\)?(?:\s*(?:[-–,]|and|or|to)\s*\d+(?:\.\d+)*[a-z]?\b)?(?!\s*%)\b",
    ),
    (
        "citation-mark",
        r"\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\]|\[\^[^\]\s]{1,40}\]|【\d+[^】]*】|(?<=[A-Za-z.,)])[¹²³⁴⁵⁶⁷⁸⁹⁰]+",
    ),
    (
        "page-furniture",
        r"(?i)\bpage\s+\d+(?:\s+of\s+\d+)?\b|©\s*(?:\d{4})?(?:\s*[-–]\s*\d{4})?|\b\d+\s+min(?:ute)?s?\s+read\b|\b\d+\s+(?:comments?|likes?|views?|shares?|replies|claps)\b",
    ),
    (
        "version",
        r"\b[vV]\d+(?:\.\d+)*(?:[-.]?(?:rc|alpha|beta|post|dev)\d*)?\b(?!\s*%)|\b\d+\.\d+\.\d+(?:\.\d+)*(?:[-+.]?[a-z]+\d*)?\b|(?i:\b(?:version|release|rev(?:ision)?|ver)\.?\s?)\d+(?:\.\d+)*\b",
    ),
    (
        "example-not-claim",
        r"(?:\bper|/)\s*(?:1\s?(?:[MKB]\b|million|billion|thousand)|1(?:,000|,000,000|000|000000)?(?![\d.,]))(?=\s*(?:input |output )?(?:tokens?|requests?|queries|hours?|samples?|images?|GPUs?)\b)",
    ),
)
_REGIONS: Final = tuple((reason, re.compile(pattern)) for reason, pattern in _PATTERNS)

_LIST_NUMBER: Final = re.compile(r"(?:\*\*|\s)*\(?\d{1,3}(?:[.)](?=[\s*])|\)(?=\s))")
_INLINE_NUMBER: Final = re.compile(r"(?<=[:;.]\s)\(?([1-9]|1\d)[.)](?=\s+[A-Z])|(?<=\s)\(([1-9]|1\d)\)(?=\s)")
_SECTION: Final = re.compile(r"(?:#+\s*)?(?:\*\*)?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?(?=\s+[^\W\d_]|\s*$)")
_ALONE: Final = re.compile(r"\s*\(?\d{1,4}\)?\s*")


def regions(text: str, block: Block) -> list[Span]:
    """The stretches of a view whose figures claim nothing, and why; the earlier kinds first."""
    if block.kind == "code":
        return [(0, len(text), "code")]
    found: list[Span] = []
    for reason, pattern in _REGIONS:
        found += [(match.start(), match.end(), reason) for match in pattern.finditer(text)]
    if (match := _LIST_NUMBER.match(text)) is not None and block.kind != "cell":
        found.append((match.start(), match.end(), "list-number"))
    found += [(match.start(), match.end(), "list-number") for match in _INLINE_NUMBER.finditer(text)]
    if block.kind == "heading" and (match := _SECTION.match(text)) is not None:
        found.append((match.start(), match.end(), "heading"))
    if block.kind == "paragraph" and _ALONE.fullmatch(text):
        found.append((0, len(text), "page-furniture"))
    return found


_NAME_TOKEN: Final = re.compile(r"(?<![A-Za-z0-9.])[A-Za-z][A-Za-z0-9]*(?:[-–./][A-Za-z0-9]+)*(?:['’]s)?")
_FIGURE: Final = re.compile(r"\d")
_NOT_NAMES: Final = re.compile(
    r"(?i)(?:up|to|of|by|the|a|an|top|sub|non|pre|post|x|mid|over|about|multi|single|dual)-\d|(?:TP|PP|DP|EP|CP|SP|BS|GBS|MBS|N|K|M|TDP|US|RMB|USD|CNY|HK|Rs)\d+$"
)
_PRODUCT_HEAD: Final = (
    r"(?:GeForce|RTX|GTX|Quadro|Radeon|Instinct|Xeon|EPYC|Ryzen|Core|Gaudi|Trainium|Inferentia|TPU|Ascend|Kunlun|Atlas"
    r"|NVLink|NVSwitch|InfiniBand|PCIe|PCI-E|PCI Express|Gen|CDNA|RDNA|ROCm|CUDA|cuDNN|TensorRT(?:-LLM)?|PyTorch|JAX|Python"
    r"|Ubuntu|Llama|LLaMA|GPT|Claude|Gemini|Gemma|Qwen|Mistral|Mixtral|Falcon|DeepSeek|MPT|Phi|Grok|Kimi|GLM|Yi|Bloom|OPT"
    r"|Megatron|DeepSpeed|vLLM|Triton|Windows|Linux|Android|iOS|HBM|GDDR|DDR|LPDDR|USB|Ethernet|Wi-?Fi|MLPerf|CloudMatrix"
    r"|SuperPOD|Pod|WSE|IPU|MI|Zen|Epyc|Apache|ISO|IEEE|RFC|Stable Diffusion|SDXL|ResNet|BERT|ViT|ImageNet|FlashAttention"
    r"|Flash Attention|ZeRO|Area|Route|Formula|Boeing|Airbus|Tier)"
)
_HEADED: Final = re.compile(
    rf"\b{_PRODUCT_HEAD}[- ](?:[A-Z][\w-]*\s)?v?\d+(?:\.\d+)*[A-Za-z]{{0,2}}\b(?!\s*(?:%|[xX×]\b|GPUs?|GB\b|TB\b|W\b|accelerators?|cards?|nodes?))(?![,.]?\d)"
)


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
    return found + [(match.start(), match.end(), "product-name") for match in _HEADED.finditer(text)]
