"""Writes into the entity files of a content folder: one alias more, or one entity more. The rest of a file stays as it is."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from kg.content.folders import Content
from kg.errors import ContentError

Json = Mapping[str, Any]
ACCEPTED = "accepted.yaml"
"""Where new entities go; a curator may move them to the file of their kind."""


_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ReadOnlyContent(ContentError):
    """The content in use belongs to the installed package, or cannot be written."""

    code = "content.read-only"


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def entity_text(value: Json) -> str:
    """An entity as the files hold it, on one line.

    >>> entity_text({"id": "org/acme", "kind": "vendor", "label": "Acme", "aliases": ["Acme Inc"]})
    '{id: org/acme, kind: vendor, label: Acme, aliases: [Acme Inc]}'
    """
    text: str = yaml.dump(
        dict(value), Dumper=_Dumper, default_flow_style=True, width=10**9, allow_unicode=True, sort_keys=False
    )
    return text.removesuffix("\n")


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
        values, root = yaml.load(text, Loader=_Loader), yaml.compose(text, Loader=_Loader)  # noqa: S506 - a safe loader
        nodes = root.value if isinstance(root, yaml.SequenceNode) else []
        for value, node in zip(values if nodes else [], nodes, strict=True):
            if isinstance(value, dict) and value.get("id") == identifier and "kind" in value:
                value["aliases"] = [*value.get("aliases", ()), name]
                start, end = node.start_mark.index, node.end_mark.index
                return path, text[:start] + entity_text(value) + _after(text[start:end]) + text[end:]
    raise ContentError(path=str(folder), given=identifier, expected="an entity of a file of this folder")


def _after(entry: str) -> str:
    """What stands behind an entry of several lines and is none of it: empty lines and comments."""
    lines = entry.splitlines(keepends=True)
    last = max((at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), default=0)
    content = "".join(lines[: last + 1])
    return entry[len(content.rstrip()) :]


def with_entity(folder: Path, value: Json) -> tuple[Path, str]:
    """The file for new entities, and its text with one more, sorted by id."""
    path = folder / ACCEPTED
    known = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else []
    entries = sorted([*(known or []), dict(value)], key=lambda one: str(one["id"]))
    return path, "".join(f"- {entity_text(one)}\n" for one in entries)
