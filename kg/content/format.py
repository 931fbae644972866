"""The formatter of claim files: `find` becomes `at`, keys stand in one order, one claim a line."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from kg.content.claims import ClaimsFile
from kg.content.documents import Document
from kg.content.shape import shape_mistakes
from kg.errors import ContentError, KgError, Mistakes

Json = dict[str, Any]

_ORDER = (
    "id", "kind", "utterance", "modality", "polarity", "subject", "subjects", "subject_printed", "level", "baseline",
    "baseline_printed", "baseline_level", "baseline_status", "metric", "statistic", "normaliser", "relation", "reading",
    "alternatives", "printed", "at", "find", "nth", "table", "row", "column", "pointer", "sha256", "locator", "unit", "value", "shape", "hedge", "exact",
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
    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def ordered(entry: Mapping[str, Any]) -> Json:
    """The keys of a claim in the order of the formatter."""
    rank = {key: position for position, key in enumerate(_ORDER)}
    return {key: entry[key] for key in sorted(entry, key=lambda key: (rank.get(key, 999), str(key)))}


def locate(text: str, given: Mapping[str, Any], printed: str) -> tuple[int, int]:
    """Start and end of the printed text that a `find` leads to."""
    words = given["find"]
    matches = list(re.finditer(r"\s+".join(map(re.escape, words.split())), text)) if text.count(words) != 1 else []
    if text.count(words) == 1:
        start, found = text.index(words), words
    elif len(matches) == 1:
        start, found = matches[0].start(), matches[0].group()
    else:
        raise NotFound(
            field="find",
            given=words,
            expected=f"words that occur once; they occur {max(len(matches), text.count(words))} times",
        )
    position = -1
    for _ in range(given.get("nth") or 1):
        position = found.find(printed, position + 1)
        if position < 0:
            raise NotFound(field="printed", given=printed, expected=f'text inside "{words}"')
    return start + position, start + position + len(printed)


def positioned(entry: Mapping[str, Any], text: str) -> Json:
    """A claim whose places are positions."""
    whole = dict(entry)
    if "find" in whole and "printed" not in whole:
        raise NotFound(field="printed", given="nothing", expected="the text to look for inside the words of find")
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


def _placed(error: KgError, file: ClaimsFile, group: int, claim: int, own: Mapping[str, Any]) -> KgError:
    error.at(path=file.shown, line=file.line(group, claim, error.field))
    name = str(own.get("id", f"groups[{group}].claims[{claim}]"))
    error.field = f"{name}.{error.field}" if error.field else name
    return error


def _comments(file: ClaimsFile) -> list[KgError]:
    """Whole-line comments of a file: the formatter could not keep them, so it refuses to write."""
    return [
        ContentError(
            path=file.shown,
            line=number,
            given=line.strip()[:60],
            expected="notes in about: of a group or note: of a claim",
        )
        for number, line in enumerate(file.located.path.read_text(encoding="utf-8").splitlines(), 1)
        if line.lstrip().startswith("#")
    ]


def formatted(file: ClaimsFile, document: Document | None) -> str:
    """The text of a claims file as the formatter writes it; mistakes are collected."""
    mistakes: list[KgError] = []
    mistakes.extend(_comments(file))
    out = [f"source: {_flow(file.source)}\n"]
    if file.document:
        out.append(f"document: {_flow(file.document)}\n")
    out.append("groups:\n" if file.located.value["groups"] else "groups: []\n")
    for g, group in enumerate(file.located.value["groups"]):
        out.append(f"- about: {_flow(group.get('about', ''))}\n")
        if group.get("with"):
            out.append("  with:\n")
            shared = ordered(group["with"])
            out.extend(f"    {key}: {_flow(value)}\n" for key, value in shared.items())
        out.append("  claims:\n")
        for c, claim in enumerate(group.get("claims") or ()):
            placed, wrong = claim, list(shape_mistakes({"id": "-", **claim}))
            try:
                if document is not None and not wrong:
                    placed = positioned(claim, document.text)
            except KgError as error:
                wrong.append(error)
            mistakes.extend(_placed(one, file, g, c, claim) for one in wrong)
            out.append(f"  - {_flow(ordered(placed))}\n")
    Mistakes.raise_any(mistakes)
    return "".join(out)
