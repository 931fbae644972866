"""The formatter of content files: `find` becomes `at`, keys appear in one order, every YAML file has the one layout."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import Path
from typing import Any

from kg.content.claims_file import ClaimsFile, read_claims_file
from kg.content.documents import Document
from kg.content.folders import Content
from kg.content.layout import Comments, comments_of, layout
from kg.content.located import Key, Located, read_located
from kg.content.shape import ABOUT, PLACE, SPEAKERS, STATED, VALUE, shape_mistakes
from kg.errors import ContentError, KgError, Mistakes
from kg.model.inserted_scale import without_inserted_scale
from kg.model.json_types import Json
from kg.model.record import Entity, Source

_ORDER = (
    *("id", *ABOUT, "printed", *PLACE, *VALUE, *STATED, "conditions", "baseline_conditions", *SPEAKERS),
    *("said_on", "as_of", "restates", "same_as", "context_at", "also_at", "derivations", "secondary", "note"),
)


_CLAIMS = 4
"""Levels of a claims file that are never one line: the file, its groups, a group, its claims."""


_ORDERED = frozenset({"patterns.yaml"})
"""Lists whose order decides: the first rule that matches."""


class NotFound(ContentError):
    """The words of a `find` do not lead to one place of the document."""

    code = "claim.find"


def ordered(entry: Mapping[str, object]) -> Json:
    """The keys of a claim in the order of the formatter."""
    rank = {key: position for position, key in enumerate(_ORDER)}
    return {key: entry[key] for key in sorted(entry, key=lambda key: (rank.get(key, 999), str(key)))}


def locate(text: str, given: Mapping[str, Any], printed: str) -> tuple[int, int]:
    """Start and end of the printed text that a `find` leads to."""
    words = given["find"]
    # Words of a `find` may be broken over lines in the document: any white space between them
    # counts as one.
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
    position, printed = -1, without_inserted_scale(printed)
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


def _placed(error: KgError, file: ClaimsFile, group: int, claim: int, own: Mapping[str, object]) -> KgError:
    error.at(path=file.shown, line=file.line(group, claim, error.field))
    name = str(own.get("id", f"groups[{group}].claims[{claim}]"))
    error.field = f"{name}.{error.field}" if error.field else name
    return error


def formatted(file: ClaimsFile, document: Document | None, *, comments: Comments | None = None) -> str:
    """The text of a claims file as the formatter writes it, with the comments it has or those given; mistakes are collected."""
    mistakes: list[KgError] = []
    groups = []
    for g, group in enumerate(file.located.value["groups"]):
        claims = []
        for c, claim in enumerate(group.get("claims") or ()):
            placed, wrong = claim, list(shape_mistakes({"id": "-", **claim}))
            try:
                if document is not None and not wrong:
                    placed = positioned(claim, document.text)
            except KgError as error:
                wrong.append(error)
            mistakes.extend(_placed(one, file, g, c, claim) for one in wrong)
            claims.append(ordered(placed))
        shared = {"with": ordered(group["with"])} if group.get("with") else {}
        groups.append({"about": group.get("about", ""), **shared, "claims": claims})
    Mistakes.raise_any(mistakes)
    whole = {"source": file.source, **({"document": file.document} if file.document else {}), "groups": groups}
    noted = comments_of(file.text(), file.located) if comments is None else comments
    return layout(whole, blocks=_CLAIMS, comments=_on_top(noted, file.located, "source"))


def _on_top(comments: Comments, located: Located, first: str) -> Comments:
    """The comment above the first key of a file is that of the file, and stays above the key that comes first from now on."""
    top = next((key for key in located.lines if key), ())
    if top in ((), (first,)) or top not in comments:
        return comments
    rest = {key: lines for key, lines in comments.items() if key != top}
    return {**rest, (first,): [*comments[top], *rest.get((first,), ())]}


def laid_out(path: Path, *, shown: str) -> str:
    """The text of any other YAML file as the formatter writes it: entities by id, all else in the order it has."""
    located = read_located(path, shown=shown)
    comments = comments_of(path.read_text(encoding="utf-8"), located)
    if path.parent.name == "entities" and isinstance(located.value, list) and path.name not in _ORDERED:
        return entities_text(located.value, comments)
    return layout(located.value, comments=comments)


def entities_text(entries: Sequence[object], comments: Comments | None = None) -> str:
    """The text of a file of entities, sorted by id. The comment of the first entry is that of the file and stays on top."""
    order = sorted(range(len(entries)), key=lambda at: _id_of(entries[at]))
    now = {old: new for new, old in enumerate(order)}
    moved: dict[Key, list[str]] = {}
    for key, lines in (comments or {}).items():
        first = now[key[0]] if isinstance(key[0], int) and key != (0,) else key[0]
        moved.setdefault((first, *key[1:]), []).extend(lines)
    return layout([entity_ordered(entries[at]) for at in order], comments=moved)


def changed_entities(
    text: str, located: Located, *, without: Container[object] = (), put: Sequence[Mapping[str, object]] = ()
) -> str:
    """The text of a file of entities, some taken out and some put in, in place of those with their ids; empty without any.

    Comments stay, but for those of what is taken out.
    """
    known: list[Any] = list(located.value or ())
    new = {one["id"]: one for one in put}
    kept = [at for at, one in enumerate(known) if not isinstance(one, dict) or one.get("id") not in without]
    entries = [new.pop(_id_of(known[at]), known[at]) for at in kept]
    now = {old: place for place, old in enumerate(kept)}
    comments: dict[Key, list[str]] = {}
    for key, lines in comments_of(text, located).items():
        if key == (0,) or not isinstance(key[0], int):  # of the file, at its top or its end
            comments[key] = [*lines, *comments.get(key, ())]
        elif key[0] in now:
            comments.setdefault((now[key[0]], *key[1:]), []).extend(lines)
    whole = [*entries, *new.values()]
    return entities_text(whole, comments) if whole else ""


def _id_of(entry: object) -> str:
    return str(entry.get("id")) if isinstance(entry, dict) else ""


def entity_ordered(entry: object) -> Any:
    """The keys of an entity or source in the order in which its record declares them."""
    if not isinstance(entry, dict):
        return entry
    cls = Source if entry.get("kind") in ("source", "unresolved-source") else Entity
    rank = {key: position for position, key in enumerate(cls.model_fields)}
    return {key: entry[key] for key in sorted(entry, key=lambda key: (rank.get(key, 999), str(key)))}


def yaml_files(content: Content) -> list[Path]:
    """Every YAML file of the folder of one's own, or where there is none of the content folders, sorted."""
    files = content.files() if content.own is None else content.own_files()
    return [path for path in files if path.suffix in (".yaml", ".yml")]


def layout_of(path: Path, content: Content, document: Callable[[str], Document | None] = lambda _: None) -> str:
    """The text that one YAML file of a content folder should have; `document` finds the text of a source."""
    shown = content.shown(path)
    if {content.seeds / "claims", content.writable_seeds / "claims"} & set(path.parents):
        file = read_claims_file(path, shown=shown)
        return formatted(file, document(file.source))
    return laid_out(path, shown=shown)
