"""The files of one's own folder that claims, entities and figures without a claim are written to, in the curated form."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from kg.content.claims_file import ClaimsFile, read_claims_file
from kg.content.coverage import read_coverage_list
from kg.content.folders import Content
from kg.content.format import changed_entities, entities_text, formatted, laid_out
from kg.content.layout import layout
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
    """Write a file of claims; one without groups is deleted."""
    path = located.path
    if not located.value["groups"]:
        path.unlink(missing_ok=True)
        return
    # the formatter keeps the comments of the file on disk, so that there has to be one
    if not _holds_something(path):
        durable.write_whole(path, [layout(located.value, blocks=4).encode()])
    file = ClaimsFile(located, content.shown(path), located.value["source"], located.value.get("document"))
    durable.write_whole(path, [formatted(file, None).encode()])


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


def write_ignored(content: Content, path: Path, source: str, ignored: list[Json]) -> None:
    """List figures as no claims, by position; without any the file is deleted."""
    if not ignored:
        path.unlink(missing_ok=True)
        return
    tables = list(read_coverage_list(path).tables) if path.is_file() else []
    value: Json = {"source": source}
    if tables:
        value["tables"] = [list(one) for one in tables]
    value["ignored"] = sorted(ignored, key=lambda one: (one.get("at", -1), str(one)))
    durable.write_whole(path, [layout(value).encode()])
    durable.write_whole(path, [laid_out(path, shown=content.shown(path)).encode()])
