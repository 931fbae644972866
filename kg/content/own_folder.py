"""A folder of one's own: making one, and resolving what it and the shipped content both claim.

Nothing here touches the shipped content; a resolution rewrites files of the folder in the one layout.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from kg.content.claims import read_layered_claims
from kg.content.claims_file import read_claims_file
from kg.content.entities import ALIASES, REDIRECTS, ContentConflict, read_registry
from kg.content.folders import Content, refuse_unwritable, shipped_content
from kg.content.format import changed_entities, entities_text, formatted, layout_of
from kg.content.layout import comments_of, layout
from kg.content.located import located_text, read_located
from kg.content.replacing import replace_text
from kg.content.vocabulary import read_vocabulary
from kg.errors import UsageError
from kg.model.identifiers import is_entity_id
from kg.model.names import name_key

Decision = Literal["shipped", "own"]
DECISIONS: Final = ("shipped", "own")
_README: Final = """\
# Content of my own

This folder lies over the content that accelkg ships; updating the package never touches it.

| Here | Holds |
|---|---|
| `entities/sources.yaml` | the reports that claims come from |
| `entities/*.yaml` | things that the shipped content does not know; `aliases.yaml` has further names of things that it knows |
| `claims/*.yaml` | claims: figures and positions, one file for each source |
| `documents/` | the reports themselves, as they were read; not for git |

`kg review PROPOSALS.yaml` writes claims here. `kg content check` reads everything and says what is wrong, `kg content
format` lays the files out, `kg content conflicts` lists what a later version of the package also claims. A store that
was built with this folder remembers it; another one is told with `--content` or `KG_CONTENT`.
"""
_IGNORED: Final = "documents/\n"


@dataclass(frozen=True, slots=True)
class MadeFolder:
    """A folder of one's own, and whether it was made now."""

    content: Content
    is_new: bool


def make_own_folder(folder: Path) -> MadeFolder:
    """Make the folder, or take the one that is there; files that are there stay as they are."""
    refuse_unwritable(folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError(path=str(folder), given="a file", expected="a folder, new or your own")
    if (folder / "ontology").is_dir() or (folder / "seeds").is_dir():
        raise UsageError(
            path=str(folder),
            given="a root with ontology/ and seeds/",
            expected="a folder that lies over the shipped content",
            next_step="a root of this kind is named with --content",
        )
    is_new = not ((folder / "entities").is_dir() and (folder / "claims").is_dir())
    for part in ("entities", "claims", "documents"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    kept = [(folder / part / ".gitkeep", "") for part in ("entities", "claims")]
    for path, text in [(folder / "README.md", _README), (folder / ".gitignore", _IGNORED), *kept]:
        if not path.exists():
            path.write_text(text, encoding="utf-8")
    return MadeFolder(Content(shipped_content().root, folder.resolve()), is_new)


def content_conflicts(content: Content) -> tuple[ContentConflict, ...]:
    """What the folder of one's own and the shipped content both claim, by file and line; nothing without such a folder."""
    if content.own is None:
        return ()
    registry = read_registry(content)
    _, of_claims = read_layered_claims(content, registry, read_vocabulary(content))
    return tuple(
        sorted((*registry.conflicts, *of_claims), key=lambda one: (one.path, one.line, one.id, one.name or ""))
    )


def ways_out(conflict: ContentConflict) -> tuple[str, ...]:
    """The commands that resolve a conflict."""
    start = f"kg content resolve {conflict.id}"
    if conflict.kind == "name":
        return (f"{start} shipped", f'{start} own --as "{conflict.name} of mine"')
    return (f"{start} shipped", f"{start} own --as {conflict.id}-own")


def resolve_conflict(content: Content, identifier: str, decision: str, *, other: str | None = None) -> list[Path]:
    """Resolve all conflicts of one id; the files that were rewritten, sorted.

    "shipped": what is shipped stands; of an id or claim the entry of the folder goes, of a name the thing of the folder
    is the shipped one, and what the folder says of it is said of that. "own": the thing or claim of the folder is
    another one and stays, under the id `other`; of a name it gives the name up, and where that was its label, `other`
    is the new one.
    """
    found = [one for one in content_conflicts(content) if one.id == identifier]
    if not found or content.own is None:
        raise UsageError(given=identifier, expected="an id of kg content conflicts", next_step="kg content conflicts")
    if decision not in DECISIONS:
        raise UsageError(given=decision, expected="shipped or own")
    editor = _OwnFiles(content, content.own)
    for conflict in found:
        if conflict.kind == "name":
            _resolve_name(editor, conflict, decision, other)
        elif decision == "shipped":
            editor.drop(conflict)
        else:
            editor.rename(conflict, _new_id(conflict, other))
    editor.write()
    return sorted(editor.changed)


def _new_id(conflict: ContentConflict, other: str | None) -> str:
    prefix = conflict.id.rpartition("/")[0] if conflict.kind == "id" else conflict.id.partition("/")[0]
    sound = other is not None and (
        is_entity_id(other) if conflict.kind == "id" else re.fullmatch(r"[\w.-]+/[\w./-]+", other) is not None
    )
    if other is None or not sound or not other.startswith(f"{prefix}/") or other == conflict.id:
        raise UsageError(
            field="--as", given=other or "nothing", expected=f"another id that begins with {prefix}/", next_step=None
        )
    return other


def _resolve_name(editor: "_OwnFiles", conflict: ContentConflict, decision: str, other: str | None) -> None:
    assert conflict.name is not None
    if decision == "own":
        editor.give_up_name(conflict.id, conflict.name, other)
    elif conflict.id in editor.entities:
        editor.merge(conflict.id, conflict.shipped)
    else:
        editor.give_up_name(conflict.id, conflict.name, None)


class _OwnFiles:
    """The files of the folder as text, by path; each change leaves them readable."""

    def __init__(self, content: Content, own: Path) -> None:
        self._content, self._folder = content, own
        shipped = read_registry(Content(content.root)).records.values()
        self._shipped_names = {
            name_key(text)
            for record in shipped
            if record["record"] == "entity"
            for text in (record["label"], *record.get("aliases", ()))
        }
        self._texts = {path: path.read_text(encoding="utf-8") for path in content.own_files()}
        self._before = dict(self._texts)
        self.changed: list[Path] = []
        self.entities = {value["id"]: path for path, values in self._lists() for value in values}

    def _lists(self) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
        for path in sorted(self._texts):
            if self._folder / "entities" in path.parents and path.name not in (ALIASES, REDIRECTS, "patterns.yaml"):
                value = read_located(path).value
                if isinstance(value, list):
                    yield path, [one for one in value if isinstance(one, dict) and "id" in one]

    def drop(self, conflict: ContentConflict) -> None:
        """Take the entry of one's own out; further names that it had go to the shipped thing."""
        if conflict.kind == "claim":
            self._drop_claim(conflict.id)
        else:
            names = self._take_out(conflict.id)
            self._add_names(conflict.shipped, names)

    def merge(self, own: str, shipped: str) -> None:
        """The thing of the folder is the shipped one: its id leads there, and its names are names of that."""
        if own not in self.entities:
            return
        names = self._take_out(own)
        self._replace_id(own, shipped)
        path = self._folder / "entities" / REDIRECTS
        self._put_mapping(path, {**self._mapping(path), own: shipped})
        self._add_names(shipped, names)

    def rename(self, conflict: ContentConflict, new: str) -> None:
        """Give the entry of one's own another id, wherever the folder names it."""
        if conflict.kind == "claim":
            source, local = conflict.id.split("/", 1)
            self._each_claim(source, local, {"id": new.split("/", 1)[1]})
        self._replace_id(conflict.id, new)

    def give_up_name(self, own: str, name: str, label: str | None) -> None:
        """The thing of the folder no longer has a name; where it was its label, `label` is the new one."""
        key = name_key(name)
        if own not in self.entities:
            self._give_up_alias(own, key)
            return
        path = self.entities[own]
        located = located_text(self._texts[path], path, shown=str(path))
        entry = next(one for one in located.value if one["id"] == own)
        if name_key(entry["label"]) == key:
            if not label or name_key(label) == key:
                raise UsageError(field="--as", given=label or "nothing", expected=f"another label for {own}")
            entry["label"] = label
        left = [one for one in entry.get("aliases", ()) if name_key(one) != key]
        entry.pop("aliases", None)
        if left:
            entry["aliases"] = left
        self._texts[path] = entities_text(located.value, comments_of(self._texts[path], located))

    def _give_up_alias(self, shipped: str, key: str) -> None:
        """Take a name away that the folder gave to a shipped thing; such names appear in a file of their own."""
        path = self._folder / "entities" / ALIASES
        value = self._mapping(path)
        value[shipped] = [one for one in value[shipped] if name_key(one) != key]
        self._put_mapping(path, {one: names for one, names in value.items() if names})

    def _take_out(self, identifier: str) -> list[str]:
        """Remove an entity; the names it had."""
        path = self.entities.pop(identifier)
        located = located_text(self._texts[path], path, shown=str(path))
        entry = next(one for one in located.value if one["id"] == identifier)
        self._texts[path] = changed_entities(self._texts[path], located, without={identifier})
        return [entry["label"], *entry.get("aliases", ())] if entry["kind"] != "source" else []

    def _add_names(self, shipped: str, names: list[str]) -> None:
        """Names that no shipped thing has become names of a shipped one."""
        new = [name for name in names if name_key(name) not in self._shipped_names]
        if new:
            path = self._folder / "entities" / ALIASES
            value = self._mapping(path)
            value[shipped] = [*value.get(shipped, ()), *new]
            self._put_mapping(path, value)

    def _mapping(self, path: Path) -> dict[str, Any]:
        """The value of a file that holds a mapping, as it is by now."""
        text = self._texts.get(path, "")
        return dict(located_text(text, path, shown=str(path)).value) if text.strip() else {}

    def _put_mapping(self, path: Path, value: dict[str, Any]) -> None:
        """Lay a mapping out by its keys, with the comments that its file has."""
        text = self._texts.get(path, "")
        comments = comments_of(text, located_text(text, path, shown=str(path))) if text.strip() else {}
        self._texts[path] = layout(dict(sorted(value.items())), comments=comments) if value else ""

    def _drop_claim(self, identifier: str) -> None:
        source, local = identifier.split("/", 1)
        self._each_claim(source, local, None)

    def _each_claim(self, source: str, local: str, change: dict[str, object] | None) -> None:
        """Change the claim of a local id, or take it out, in the files of its source."""
        for path in sorted(self._texts):
            if self._folder / "claims" not in path.parents or not self._texts[path].strip():
                continue
            file = read_claims_file(path, shown=self._content.shown(path))
            if file.source != f"source/{source}":
                continue
            groups = []
            for group in file.located.value["groups"]:
                claims = []
                for one in group.get("claims") or ():
                    # `same_as` names a claim of the same file by its local part.
                    if one.get("id") != local:
                        same = {"same_as": change["id"]} if change and one.get("same_as") == local else {}
                        claims.append({**one, **same})
                    elif change is not None:
                        claims.append({**one, **change})
                if claims:
                    groups.append({**group, "claims": claims})
            file.located.value["groups"] = groups
            self._texts[path] = formatted(file, None) if groups else ""

    def _replace_id(self, old: str, new: str) -> None:
        # Meets the id between signs that no id has; a full stop behind it ends a sentence unless a
        # letter follows.
        pattern = re.compile(rf"(?<![\w./-]){re.escape(old)}(?![\w/-]|\.\w)")
        for path, text in self._texts.items():
            self._texts[path] = pattern.sub(new, text)

    def write(self) -> None:
        """Write what changed, laid out, and read everything again; the old files come back if that fails."""
        changed = {path: text for path, text in self._texts.items() if self._before.get(path) != text}
        try:
            for path, text in changed.items():
                replace_text(path, text)
            for path, text in changed.items():
                if text.strip():
                    replace_text(path, layout_of(path, self._content))
            content_conflicts(self._content)
        except BaseException:
            for path in changed:
                if path in self._before:
                    if path.read_text(encoding="utf-8") != self._before[path]:
                        replace_text(path, self._before[path])
                else:
                    path.unlink(missing_ok=True)
            raise
        self.changed = list(changed)
