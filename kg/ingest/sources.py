"""Finds and reads the mappings of `loaders/`, with the functions next to them; all mistakes are reported with their lines."""

import importlib.util
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from kg.content.folders import Content
from kg.content.located import Key, Located, read_located
from kg.errors import KgError, Mistakes
from kg.ingest.compiled_mapping import GIVEN
from kg.ingest.errors import (
    FileMissing,
    MappingError,
    UnknownSource,
)
from kg.ingest.mapping import Shape, SourceMapping, names_used
from kg.ingest.mapping_part import reference
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
    """One error per place; the alternatives of a union count once, by what was given."""
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
