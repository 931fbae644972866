"""Writes into the entity files of a content folder: one alias more, or one entity more. The file is written in the one layout."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kg.content.folders import Content
from kg.content.format import entities_text
from kg.content.layout import comments_of
from kg.content.located import read_located
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
            path=str(content.root), given="content that cannot be written", expected="a content folder of your own",
            next_step="make one with kg content copy DIR, then give --content DIR",
        )  # fmt: skip
    return folder


def with_alias(folder: Path, identifier: str, name: str) -> tuple[Path, str]:
    """The file that holds an entity, and its text with the name among the aliases."""
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if f"id: {identifier}" not in text:
            continue
        located = read_located(path)
        for value in located.value if isinstance(located.value, list) else ():
            if isinstance(value, dict) and value.get("id") == identifier and "kind" in value:
                value["aliases"] = [*value.get("aliases", ()), name]
                return path, entities_text(located.value, comments_of(text, located))
    raise ContentError(path=str(folder), given=identifier, expected="an entity of a file of this folder")


def with_entity(folder: Path, value: Json) -> tuple[Path, str]:
    """The file for new entities, and its text with one more, sorted by id."""
    path = folder / ACCEPTED
    known = read_located(path).value if path.is_file() and path.read_text(encoding="utf-8").strip() else []
    return path, entities_text([*(known or []), dict(value)])
