"""The files of one's own folder that claims, entities and figures without a claim are written to, in the curated form."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from kg.content.carried_comments import carried_comments
from kg.content.claims_file import ClaimsFile, read_claims_file
from kg.content.coverage import read_coverage_list
from kg.content.folders import Content
from kg.content.format import changed_entities, entities_text, formatted
from kg.content.layout import Comments, comments_of, layout
from kg.content.located import Located, read_located
from kg.content.registry_files import ReadOnlyContent
from kg.ledger import durable
from kg.model.json_types import Json


def own_folder(content: Content, what: str) -> Path:
    """The folder of one's own that takes what is added or accepted; raises ReadOnlyContent where there is none."""
    if content.own is None:
        raise ReadOnlyContent(
            path=str(content.root),
            given="no folder of your own",
            expected=f"a folder that takes what is {what}",
            next_step="make one with kg init DIR",
        )
    return content.own


def _holds_something(path: Path) -> bool:
    return path.is_file() and bool(path.read_bytes().strip())


def claims_at(content: Content, path: Path, *, fresh: Json) -> Located:
    """What a file of claims holds; `fresh` where there is none yet."""
    return (
        read_claims_file(path, shown=content.shown(path)).located
        if _holds_something(path)
        else Located(path, fresh, {})
    )


def write_claims(content: Content, located: Located) -> None:
    """Write a file of claims; one without groups and without a comment is deleted."""
    path, comments = located.path, _comments_at(located.path, located.value)
    if not located.value["groups"] and not comments:
        path.unlink(missing_ok=True)
        return
    file = ClaimsFile(located, content.shown(path), located.value["source"], located.value.get("document"))
    durable.write_whole(path, [formatted(file, None, comments=comments).encode()])


def _comments_at(path: Path, value: object) -> Comments:
    """The comments of the file on disk, above what they are about in the value that is to be written."""
    if not _holds_something(path):
        return {}
    before = read_located(path)
    return carried_comments(comments_of(path.read_text(encoding="utf-8"), before), before.value, value)


def put_entities(path: Path, new: Iterable[Mapping[str, object]]) -> None:
    """Write entities into a file, each in place of the one that has its id."""
    put = list(new)
    if _holds_something(path):
        text = changed_entities(path.read_text(encoding="utf-8"), read_located(path), put=put)
    else:
        text = entities_text(put)
    durable.write_whole(path, [text.encode()])


def ignored_at(path: Path) -> list[Json]:
    """The figures that a coverage file lists as no claims."""
    return read_located(path).value.get("ignored") or [] if path.is_file() else []


def write_ignored(path: Path, source: str, ignored: list[Json]) -> None:
    """List figures as no claims, by position; without any, a file that says nothing else is deleted."""
    tables = list(read_coverage_list(path).tables) if path.is_file() else []
    value: Json = {"source": source}
    if tables:
        value["tables"] = [list(one) for one in tables]
    value["ignored"] = sorted(ignored, key=lambda one: (one.get("at", -1), str(one)))
    comments = _comments_at(path, value)
    if not (ignored or tables or comments):
        path.unlink(missing_ok=True)
        return
    durable.write_whole(path, [layout(value, comments=comments).encode()])
