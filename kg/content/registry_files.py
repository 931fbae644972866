"""Writes into the entity files of a content folder: one alias more, or one entity more. The file is written in the one layout."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.content.folders import Content
from kg.content.format import entities_text
from kg.content.layout import comments_of
from kg.content.located import Located, read_located
from kg.errors import ContentError

Json = Mapping[str, Any]
ACCEPTED = "accepted.yaml"
"""Where new entities go; a curator may move them to the file of their kind."""


class ReadOnlyContent(ContentError):
    """The content in use belongs to the installed package, or cannot be written."""

    code = "content.read-only"


def ensure_writable(content: Content) -> Path:
    """The folder of the entity files, if they may be written."""
    folder = content.seeds / "entities"
    if content.root.name == "_content" or not os.access(folder, os.W_OK):
        raise ReadOnlyContent(
            path=str(content.root),
            given="content that cannot be written",
            expected="a content folder of your own",
            next_step="make one with kg content copy DIR, then give --content DIR",
        )
    return folder


def with_alias(folder: Path, identifier: str, name: str) -> tuple[Path, str]:
    """The file that holds an entity, and its text with the name among the aliases."""
    path, value, located, text = _held(folder, identifier)
    value["aliases"] = [*value.get("aliases", ()), name]
    return path, entities_text(located.value, comments_of(text, located))


def with_entity(folder: Path, value: Json) -> tuple[Path, str]:
    """The file for new entities, and its text with one more, sorted by id."""
    path = folder / ACCEPTED
    known = read_located(path).value if path.is_file() and path.read_text(encoding="utf-8").strip() else []
    return path, entities_text([*(known or []), dict(value)])


def without_alias(folder: Path, identifier: str, name: str) -> tuple[Path, str]:
    """The file that holds an entity, and its text without a name among the aliases."""
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
    known = read_located(path).value if path.is_file() else []
    left = [one for one in known if one["id"] != identifier]
    if len(left) == len(known):
        raise ContentError(path=str(path), given=identifier, expected="an entity that kg names accept --new made")
    return path, entities_text(left) if left else ""


def _held(folder: Path, identifier: str) -> tuple[Path, dict[str, Any], Located, str]:
    """The file, the entry, all entries and the text of the file that holds an entity."""
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if f"id: {identifier}" not in text:
            continue
        located = read_located(path)
        for value in located.value if isinstance(located.value, list) else ():
            if isinstance(value, dict) and value.get("id") == identifier and "kind" in value:
                return path, value, located, text
    raise ContentError(path=str(folder), given=identifier, expected="an entity of a file of this folder")
