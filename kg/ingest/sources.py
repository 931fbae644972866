"""Finds and reads the mappings of `loaders/`, and decides which shape a file has and which edition it is."""

import importlib.util
import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fnmatch import fnmatch
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from kg.content.folders import Content
from kg.content.located import Key, Located, read_located
from kg.errors import KgError, Mistakes
from kg.ingest.cells import as_text
from kg.ingest.compiled_mapping import GIVEN, CompiledEdition, key_columns
from kg.ingest.compute import Compute, filled
from kg.ingest.decode import Watch
from kg.ingest.errors import (
    FileDamaged,
    FileMissing,
    LimitExceeded,
    MappingError,
    NoEdition,
    NoShape,
    UnknownSource,
    WrongColumns,
)
from kg.ingest.mapping import Edition as EditionSpec
from kg.ingest.mapping import EditionRule, Shape, SourceMapping, names_used
from kg.ingest.mapping_part import reference
from kg.ingest.mapping_reader import Detect
from kg.ingest.readers import open_table
from kg.ingest.table import Row, SourceTable
from kg.model.accepted import accepted
from kg.model.similar_names import similar_names

STEPS: Final = "steps.py"
"""The file next to a mapping with what it does in Python."""


@dataclass(frozen=True, slots=True)
class Loader:
    """One source of `loaders/`: its name, mapping and steps."""

    name: str
    mapping: SourceMapping
    steps: Mapping[str, Callable[..., Any]]
    given: str = ""
    """The file of a mapping that is none of `loaders/`."""


def loader_names(content: Content) -> list[str]:
    """The folders of `loaders/` with a mapping, sorted."""
    return sorted(path.parent.name for path in content.loaders.glob("*/mapping.yaml"))


def get_loader(content: Content, name: str, *, others: tuple[str, ...] = ()) -> Loader:
    """The loader of a name; the error names what is like it."""
    names = loader_names(content)
    if name not in names:
        near = next(iter(similar_names(name, [*names, *others], most=1, likeness=0.5)), None)
        raise UnknownSource(
            given=name,
            expected=", ".join([*others, *names]) or "a folder of loaders/",
            next_step=f'Did you mean "{near}"?' if near else "kg load --list shows what can be loaded",
        )
    path = content.loaders / name / "mapping.yaml"
    return read_loader(path, name=name, shown=path.relative_to(content.root).as_posix())


def read_loader(path: Path, *, name: str, shown: str | None = None) -> Loader:
    """Read a mapping and the steps next to it; all mistakes are reported with their lines."""
    where = shown or str(path)
    if not path.is_file():
        raise FileMissing(path=where, given="no such file", expected="a mapping in YAML; loaders/README.md explains it")
    located = read_located(path, shown=where)
    if not isinstance(located.value, dict):
        raise MappingError(
            path=where, line=1, given=type(located.value).__name__, expected="a mapping with title, shapes, claims"
        )
    try:
        mapping = SourceMapping.model_validate(_with_text_dates(located.value))
    except ValidationError as cause:
        raise _as_mistakes(cause, where, located) from cause
    Mistakes.raise_any([*_unknown_names(mapping, where, located), *_replacements(mapping, where, located)])
    return Loader(name, mapping, _steps(path.with_name(STEPS), name), "" if shown else str(path.absolute()))


def _with_text_dates(value: object) -> Any:
    """YAML reads 2025-03-18 as a date; the mapping means its text."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(_with_text_dates(key)): _with_text_dates(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_text_dates(one) for one in value]
    return value


def _as_mistakes(cause: ValidationError, where: str, located: Located) -> KgError:
    """One error per place; the alternatives of a union are by_place once, by what was given."""
    by_place: dict[str, KgError] = {}
    for error in cause.errors(include_url=False):
        path, given = _readable(error["loc"], located), error.get("input")
        if error["type"] == "missing":
            given_text = "nothing"
        elif isinstance(given, dict | list):
            given_text = f"a {'mapping' if isinstance(given, dict) else 'list'} of {len(given)}"
        else:
            given_text = str(given)[:80]
        extra = error["type"] == "extra_forbidden"
        expected = "no such key; loaders/README.md lists the keys" if extra else accepted(error)
        line = _line(located, error["loc"])
        mistake = MappingError(path=where, line=line, field=path, given=given_text, expected=expected)
        by_place.setdefault(f"{line} {path}", mistake)
    return Mistakes(by_place.values()) if len(by_place) > 1 else next(iter(by_place.values()))


def _readable(loc: tuple[object, ...], located: Located) -> str:
    """The place without the tags of unions, which are no keys of the file."""
    value, parts = located.value, []
    for position, part in enumerate(loc):
        last = position == len(loc) - 1
        if isinstance(value, dict) and (part in value or last) and isinstance(part, str):
            parts.append(part)
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int):
            parts.append(str(part))
            value = value[part] if part < len(value) else None
    return ".".join(parts)


def _line(located: Located, loc: tuple[Any, ...]) -> int:
    value: Any = located.value
    key: Key = ()
    for part in loc:
        if (
            isinstance(value, dict)
            and part in value
            or isinstance(value, list)
            and isinstance(part, int)
            and part < len(value)
        ):
            key, value = (*key, part), value[part]
    return located.line(*key)


def _unknown_names(mapping: SourceMapping, where: str, located: Located) -> Iterator[KgError]:
    """References to fields and entities that nothing gives."""
    for name, shape in mapping.shapes.items():
        given = _given(mapping, shape)
        for claim, rule in mapping.claims.items():
            if rule.shapes and name not in rule.shapes:
                continue
            used = (
                set(names_used(rule.model_dump(exclude={"about"}))) | {one.field for one in rule.when} | set(rule.once)
            )
            for one in sorted(used - given - _given_anywhere(mapping)):
                yield MappingError(
                    path=where,
                    line=located.line("claims", claim),
                    field=f"claims.{claim}",
                    given=f"${one}",
                    expected=f"a field or entity: {', '.join(sorted(given - set(GIVEN)))[:200]}",
                )
        for one in (shape.key or mapping.key) or [""]:
            if one not in given | _given_anywhere(mapping):
                yield MappingError(
                    path=where,
                    line=located.line("shapes", name, "key") if shape.key else located.line("key"),
                    field="key",
                    given=one or "nothing",
                    expected="fields or entities that make a row unique",
                )


def _replacements(mapping: SourceMapping, where: str, located: Located) -> Iterator[KgError]:
    """Claims whose recorded figure was computed although no derivation says how: the print would be lost."""
    for shape in mapping.shapes.values():
        rules = {**mapping.fields, **shape.fields, **mapping.later}
        for claim, template in mapping.claims.items():
            name = reference(template.value)
            rule = rules.get(name) if name is not None else None
            if rule is not None and rule.how in ("arithmetic", "step") and not template.derivations:
                yield MappingError(
                    path=where,
                    line=located.line("claims", claim),
                    field=f"claims.{claim}.value",
                    given=f"${name}, computed by {rule.how}",
                    expected="the figure as printed in its unit, and a claim of its own with a derivation for what is computed from it",
                )


def _given_anywhere(mapping: SourceMapping) -> set[str]:
    """What some shape gives: a claim of all shapes may use a field that is missing in one."""
    return {one for shape in mapping.shapes.values() for one in _given(mapping, shape)}


def _given(mapping: SourceMapping, shape: Shape) -> set[str]:
    found = set(GIVEN)
    for column in shape.columns.values():
        if column != "ignore" and column.gives is not None:
            found |= {column.gives, f"{column.gives}_unit"} if column.type == "quantity" else {column.gives}
    return (
        found
        | set(shape.fields)
        | set(mapping.fields)
        | set(mapping.entities)
        | set(mapping.later)
        | {f"{one}_source" for one, rule in mapping.later.items() if rule.how == "counted"}
        | {f"{one}_mixed" for one in mapping.entities}
    )


def _steps(path: Path, name: str) -> Mapping[str, Callable[..., Any]]:
    """The public functions of a steps file; it is content of ours, or of the user who names it."""
    if not path.is_file():
        return {}
    spec = importlib.util.spec_from_file_location(f"kg_steps_{re.sub(r'[^a-z0-9]', '_', name.lower())}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (SyntaxError, ImportError, NameError) as cause:
        raise MappingError(
            path=str(path), line=getattr(cause, "lineno", None), given=str(cause), expected="Python functions"
        ) from cause
    return {key: one for key, one in inspect.getmembers(module, inspect.isfunction) if not key.startswith("_")}


# Files and shapes.


def files_of(paths: list[Path], mapping: SourceMapping) -> tuple[list[Path], list[Path]]:
    """The files that paths name, and those of folders that no shape takes by name."""
    found: list[Path] = []
    passed: list[Path] = []
    for path in paths:
        if path.is_dir():
            for one in sorted(path.rglob("*")):
                if one.is_file() and not one.name.startswith("."):
                    (found if any(is_named(one, shape.detect) for shape in mapping.shapes.values()) else passed).append(
                        one
                    )
        elif path.is_file():
            found.append(path)
        else:
            raise FileMissing(path=str(path), given="no such file or folder", expected="a file to load")
    return found, passed


def is_named(path: Path, detect: Detect) -> bool:
    """Whether a shape takes a file by its name."""
    globs = [detect.file] if isinstance(detect.file, str) else detect.file
    return any(
        fnmatch(path.name.lower(), one.lower()) or fnmatch(path.as_posix().lower(), f"*/{one.lower()}") for one in globs
    )


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file with the shape that fits it, its table, and its columns."""

    shape: str
    table: SourceTable
    columns: tuple[str, ...]
    rows: Iterator[Row]
    first: Any


def open_shape(path: Path, mapping: SourceMapping, stack: ExitStack, watch: Watch | None = None) -> OpenedFile:
    """Open a file with the first shape that fits; shapes whose file name fits go first."""
    order = sorted(mapping.shapes, key=lambda name: not is_named(path, mapping.shapes[name].detect))
    failed: list[tuple[str, KgError]] = []
    looked: list[str] = []
    opened_named = False
    for name in order:
        shape = mapping.shapes[name]
        if not is_named(path, shape.detect) and len(mapping.shapes) > 1 and not shape.detect.has:
            continue
        with ExitStack() as trial:
            try:
                opened = _opened(name, trial.enter_context(open_table(path, shape.reader, watch)))
            except (FileDamaged, LimitExceeded, WrongColumns) as error:
                failed.append((name, error))
                continue
            unfit = _unfit(opened.columns, shape)
            if unfit is None:
                stack.push(trial.pop_all())
                return opened
            opened_named = opened_named or is_named(path, shape.detect)
            looked.append(f"{name} {unfit}")
    named = [error for name, error in failed if is_named(path, mapping.shapes[name].detect)]
    if named and not opened_named:
        # the file has the name of this shape: what is wrong inside says more than that no shape fits
        raise named[0]
    raise NoShape(
        path=str(path),
        given="; ".join(looked)[:300] or str(failed[0][1].given if failed else "no shape by this name"),
        expected=", ".join(f"{name} ({shape.about})" for name, shape in mapping.shapes.items())[:500],
        next_step="kg load --list shows the shapes of every source",
    )


def _opened(name: str, table: SourceTable) -> OpenedFile:
    """A table with its columns, which a table without a header shows in its first sound row only."""
    first = next(table.rows, None)
    sound = first if first is None or first.fault is None else None
    columns = key_columns(table, sound.cells if sound is not None else {})
    rows = table.rows if first is None else chain([first], table.rows)
    return OpenedFile(name, table, columns, rows, sound.cells if sound is not None else None)


def _unfit(columns: Collection[str], shape: Shape) -> str | None:
    """Why a table is not of a shape, or nothing."""
    lacking = [one for one in shape.detect.has if not any(name in columns for name in _also(one, shape))]
    if lacking:
        return f"lacks {', '.join(lacking[:4])}"
    return "has what it should not" if any(one in columns for one in shape.detect.lacks) else None


def _also(column: str, shape: Shape) -> tuple[str, ...]:
    """A column with its other names."""
    spec = shape.columns.get(column)
    return (column, *([] if spec is None or isinstance(spec, str) else spec.aliases))


def edition_of(
    path: Path, mapping: SourceMapping, shape: Shape, opened: OpenedFile, given: str | None
) -> tuple[CompiledEdition, Callable[[Any], str | None] | None]:
    """The edition of a file, and where a column gives it, the function that reads it from every row."""
    spec = shape.edition or mapping.edition
    if given is not None and spec.kind == "snapshot":
        return CompiledEdition(given, given), None
    write = filled(spec.name)
    for rule in spec.tell:
        reader: Callable[[Any], str | None] | None = None
        if rule.how == "column":
            in_row = _edition_in_row(rule, opened)
            text = in_row(opened.first) if opened.first is not None else None
            reader = partial(_written, in_row, write)
        else:
            text = _edition_of_file(rule, path)
        if text:
            name = str(write({"edition": text}))
            day = given or spec.dates.get(name) or (name if re.fullmatch(r"\d{4}-\d{2}-\d{2}", name) else None)
            return CompiledEdition(name, day), reader
    if given is not None:
        return CompiledEdition(given, given), None
    raise _no_edition(path, spec)


def _edition_of_file(rule: EditionRule, path: Path) -> str | None:
    """What one rule reads from the file as a whole."""
    match rule.how:
        case "constant":
            return rule.value
        case "file":
            return _found(rule.pattern, path.name)
        case "modified":
            return datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat() if path.is_file() else None
        case "path":
            return _found(rule.pattern, path.resolve().as_posix())
    return None


def _edition_in_row(rule: EditionRule, opened: OpenedFile) -> Callable[[Any], str | None]:
    """The function that reads the edition from the cells of a row."""
    cell = _cell(opened, " ".join(str(rule.column).split()))

    def read(cells: object) -> str | None:
        value = cell(cells)
        return _found(rule.pattern, as_text(value)) if value is not None else None

    return read


def _written(read: Callable[[object], str | None], write: Compute, cells: object) -> str | None:
    found = read(cells)
    return None if found is None else write({"edition": found})


_PLACES = {"file": "the name of the file", "path": "the name of the file or of a folder above it", "column": "column"}


def _no_edition(path: Path, spec: EditionSpec) -> NoEdition:
    """Says what to type: a snapshot is known by its day, a round by its name."""
    places = [f"{_PLACES[one.how]} {one.column or ''}".rstrip() for one in spec.tell if one.how in _PLACES]
    where = " or ".join(dict.fromkeys(places)) or "the mapping"
    if spec.kind == "round":
        return NoEdition(
            path=str(path),
            given="no round",
            expected=f"the round, such as {next(iter(sorted(spec.dates)), spec.name.format(edition='5.1'))}, in {where}",
            next_step="name the file or its folder as it was published",
        )
    day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat() if path.is_file() else "2025-12-24"
    return NoEdition(
        path=str(path),
        given="no date",
        expected=f"the day of the snapshot, such as {day}, in {where}",
        next_step=f"If the file was fetched on {day}, the day it was last written here, add this to the command: --edition {day}",
    )


def _found(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text)
    if found is None:
        return None
    return found.group("edition") if "edition" in found.re.groupindex else found.group()


def _cell(opened: OpenedFile, column: str) -> Callable[[Any], Any]:
    if opened.table.columns is not None:
        at = opened.columns.index(column) if column in opened.columns else None
        return lambda cells: None if at is None else cells[at]
    return lambda cells: cells.get(column)
