"""Writes into the entity files of a content folder: one alias more, or one entity more. The file is written in the one layout."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.content.entities import ALIASES
from kg.content.folders import Content
from kg.content.format import changed_entities, entities_text
from kg.content.layout import Comments, comments_of, layout
from kg.content.located import Located, read_located
from kg.errors import ContentError

ACCEPTED = "accepted.yaml"
"""Where new entities go; a curator may move them to the file of their kind."""


class ReadOnlyContent(ContentError):
    """The content in use belongs to the installed package, or cannot be written."""

    code = "content.read-only"


def ensure_writable(content: Content) -> Path:
    """The folder of the entity files, if they may be written."""
    folder = content.writable_seeds / "entities"
    # `_content` is the folder of an installed package: an update would overwrite what is written
    # there.
    if content.place.name == "_content" or not os.access(folder, os.W_OK):
        raise ReadOnlyContent(
            path=str(content.place),
            given="content that cannot be written",
            expected="a content folder of your own",
            next_step="make one with kg init DIR",
        )
    return folder


def with_alias(folder: Path, identifier: str, name: str, *, is_own: bool = False) -> tuple[Path, str]:
    """The file that holds an entity, and its text with the name among the aliases.

    In a folder of one's own the names of things that are described elsewhere appear in a file of their own.
    """
    if is_own and not _is_held(folder, identifier):
        path = folder / ALIASES
        more, comments = _further_names(path)
        more[identifier] = [*more.get(identifier, ()), name]
        return path, layout(dict(sorted(more.items())), comments=comments)
    path, value, located, text = _held(folder, identifier)
    value["aliases"] = [*value.get("aliases", ()), name]
    return path, entities_text(located.value, comments_of(text, located))


def with_entity(folder: Path, value: Mapping[str, object]) -> tuple[Path, str]:
    """The file for new entities, and its text with one more, sorted by id."""
    path = folder / ACCEPTED
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not text.strip():
        return path, entities_text([dict(value)])
    return path, changed_entities(text, read_located(path), put=[value])


def without_alias(folder: Path, identifier: str, name: str) -> tuple[Path, str]:
    """The file that holds an entity, and its text without a name among the aliases; empty where nothing is left."""
    if not _is_held(folder, identifier) and (folder / ALIASES).is_file():
        path = folder / ALIASES
        more, comments = _further_names(path)
        if name not in more.get(identifier, ()):
            raise ContentError(path=str(path), given=name, expected=f"an alias of {identifier}")
        more[identifier] = [one for one in more[identifier] if one != name]
        more = {key: names for key, names in more.items() if names}
        return path, layout(more, comments=comments) if more else ""
    path, value, located, text = _held(folder, identifier)
    left = [one for one in value.get("aliases", ()) if one != name]
    if len(left) == len(value.get("aliases", ())):
        raise ContentError(path=str(path), given=name, expected=f"an alias of {identifier}")
    if left:
        value["aliases"] = left
    else:
        del value["aliases"]
    return path, entities_text(located.value, comments_of(text, located))


def without_entity(folder: Path, identifier: str) -> tuple[Path, str]:
    """The file for new entities, and its text without one of them; empty where it was the only one."""
    path = folder / ACCEPTED
    located = read_located(path) if path.is_file() else None
    if located is None or all(one["id"] != identifier for one in located.value):
        raise ContentError(path=str(path), given=identifier, expected="an entity that kg names accept --new made")
    return path, changed_entities(path.read_text(encoding="utf-8"), located, without={identifier})


def _further_names(path: Path) -> tuple[dict[str, list[str]], Comments]:
    """The names of `aliases.yaml` by id, and its comments."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not text.strip():
        return {}, {}
    located = read_located(path)
    names = {key: list(names) if isinstance(names, list) else [names] for key, names in located.value.items()}
    return names, comments_of(text, located)


def _is_held(folder: Path, identifier: str) -> bool:
    """Whether a file of the folder describes a thing."""
    try:
        _held(folder, identifier)
    except ContentError as error:
        if error.given == identifier:
            return False
        raise
    return True


def _held(folder: Path, identifier: str) -> tuple[Path, dict[str, Any], Located, str]:
    """The file, the entry, all entries and the text of the file that holds an entity."""
    for path in sorted(folder.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        # A glance at the text first: reading every file as YAML takes much longer.
        if f"id: {identifier}" not in text:
            continue
        located = read_located(path)
        for value in located.value if isinstance(located.value, list) else ():
            if isinstance(value, dict) and value.get("id") == identifier and "kind" in value:
                return path, value, located, text
    raise ContentError(path=str(folder), given=identifier, expected="an entity of a file of this folder")
