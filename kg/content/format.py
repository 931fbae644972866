"""The formatter of claim files: `find` becomes `at`, keys stand in one order, one claim a line."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from kg.content.claims import ClaimsFile
from kg.content.documents import Document
from kg.errors import ContentError, KgError, Mistakes

Json = dict[str, Any]

_ORDER = (
    "id", "kind", "utterance", "modality", "polarity", "subject", "subjects", "subject_printed", "level", "baseline",
    "baseline_printed", "baseline_level", "baseline_status", "metric", "statistic", "normaliser", "relation", "reading",
    "alternatives", "printed", "at", "table", "row", "column", "locator", "unit", "value", "shape", "hedge", "exact",
    "term", "set", "date", "absent", "statement", "direction", "event", "conditions", "baseline_conditions",
    "asserted_by", "attributed_to", "path", "said_on", "as_of", "restates", "same_as", "context_at", "also_at",
    "derivations", "note",
)  # fmt: skip


class NotFound(ContentError):
    """The words of a `find` do not lead to one place of the document."""

    code = "claim.find"


def _flow(value: object) -> str:
    text: str = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=True, width=10**9, allow_unicode=True, sort_keys=False
    )
    return text.removesuffix("\n").removesuffix("\n...")


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    def ignore_aliases(self, data: object) -> bool:
        return True


def ordered(entry: Mapping[str, Any]) -> Json:
    """The keys of a claim in the order of the formatter."""
    rank = {key: position for position, key in enumerate(_ORDER)}
    return {key: entry[key] for key in sorted(entry, key=lambda key: (rank.get(key, 999), key))}


def locate(text: str, given: Mapping[str, Any], printed: str) -> tuple[int, int]:
    """Start and end of the printed text that a `find` leads to."""
    words = given["find"]
    matches = list(re.finditer(r"\s+".join(map(re.escape, words.split())), text)) if text.count(words) != 1 else []
    if text.count(words) == 1:
        start, found = text.index(words), words
    elif len(matches) == 1:
        start, found = matches[0].start(), matches[0].group()
    else:
        raise NotFound(field="find", given=words, expected=f"words that occur once; they occur {max(len(matches), text.count(words))} times")
    position = -1
    for _ in range(given.get("nth") or 1):
        position = found.find(printed, position + 1)
        if position < 0:
            raise NotFound(field="printed", given=printed, expected=f'text inside "{words}"')
    return start + position, start + position + len(printed)


def positioned(entry: Mapping[str, Any], text: str) -> Json:
    """A claim whose places are positions."""
    whole = dict(entry)
    if "find" in whole:
        whole["at"] = locate(text, whole, whole["printed"])[0]
    for key in ("find", "nth"):
        whole.pop(key, None)
    for key in ("context_at", "also_at"):
        places = []
        for one in whole.get(key) or ():
            if "find" in one:
                start, end = locate(text, one, one.get("printed") or one["find"])
                places.append({"at": start, "to": end, **({"gives": one["gives"]} if "gives" in one else {})})
            else:
                places.append(one)
        if places:
            whole[key] = places
    return whole


def formatted(file: ClaimsFile, document: Document | None) -> str:
    """The text of a claims file as the formatter writes it; mistakes are collected."""
    mistakes: list[KgError] = []
    out = [f"source: {file.source}\n"]
    if file.document:
        out.append(f"document: {file.document}\n")
    out.append("groups:\n")
    for g, group in enumerate(file.located.value["groups"]):
        out.append(f"- about: {_flow(group.get('about', ''))}\n")
        if group.get("with"):
            out.append("  with:\n")
            shared = ordered(group["with"])
            out.extend(f"    {key}: {_flow(value)}\n" for key, value in shared.items())
        out.append("  claims:\n")
        for c, claim in enumerate(group.get("claims") or ()):
            try:
                if document is not None:
                    claim = positioned(claim, document.text)
            except KgError as error:
                mistakes.append(error.at(path=file.shown, line=file.located.line("groups", g, "claims", c)))
            out.append(f"  - {_flow(ordered(claim))}\n")
    Mistakes.raise_any(mistakes)
    return "".join(out)
