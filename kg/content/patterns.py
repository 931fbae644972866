"""Reads the rules of `seeds/entities/patterns.yaml` into name patterns; every mistake says file and line.

An entry is a rule (`id`, then `all` with `any`, or `match`; `not`, `when`, `unless`, `kind`) or a list of words
(`words`, `list`) that rules name as `+name`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from kg.content.entities import ContextRule, UnknownEntity
from kg.errors import ContentError, KgError, Mistakes
from kg.model.json_types import JsonMapping
from kg.model.names import KIND_OF_NAME
from kg.model.patterns import Condition, NamePattern, words_of
from kg.model.recorded import ThingRecord

if TYPE_CHECKING:
    from kg.content.entities import Registry

_KEYS = ("id", "kind", "all", "any", "not", "match", "when", "unless", "note")
CONTEXT = ("publisher", "column", "suite", "maker", "form", "memory_gb", "per_node", "nodes", "total", "system", "text")
"""What a mapping may tell of a name, and a rule may ask for."""


class PatternError(ContentError):
    """A rule of the names is not of the form that rules have."""

    code = "content.pattern"


def read_patterns(registry: "Registry") -> list[NamePattern]:
    """All rules; all mistakes are collected."""
    lists: dict[str, tuple[str, ...]] = {}
    found: list[NamePattern] = []
    mistakes: list[KgError] = []
    rules: list[tuple[ContextRule, JsonMapping]] = []
    for rule in registry.rules:
        if not isinstance(rule.value, dict):
            mistakes.append(_wrong(rule, None, rule.value, "a mapping with id and all, any or match"))
        elif "words" in rule.value:
            lists[str(rule.value["words"])] = tuple(str(one) for one in rule.value.get("list") or ())
        else:
            rules.append((rule, rule.value))
    for rule, value in rules:
        try:
            found.append(_pattern(rule, value, lists, registry))
        except KgError as error:
            mistakes.append(error)
    Mistakes.raise_any(mistakes)
    return found


def _pattern(
    rule: ContextRule, value: JsonMapping, lists: Mapping[str, tuple[str, ...]], registry: "Registry"
) -> NamePattern:
    for key in value:
        if key not in _KEYS:
            raise _wrong(rule, str(key), value[key], f"one of {', '.join(_KEYS)}")
    identifier = str(value.get("id"))
    record = registry.records.get(identifier)
    if record is None:
        near = registry.nearest(identifier)
        raise UnknownEntity(
            path=rule.path,
            line=rule.line,
            field="id",
            given=identifier,
            expected="the id of a known entity",
            next_step=f'Did you mean "{near}"?' if near else None,
        )
    kind = value.get("kind") or kind_of(record)
    if kind not in KIND_OF_NAME:
        raise _wrong(rule, "kind", kind, f"one of {', '.join(KIND_OF_NAME)}")
    needed, allowed, forbidden = (_words(rule, value, key, lists) for key in ("all", "any", "not"))
    match = value.get("match")
    if (match is None) == (not needed):
        raise _wrong(rule, "all", value.get("all"), "either all (the words needed) or match (one expression)")
    # Compiled here for the error alone: `NamePattern` compiles what it uses.
    for one in (*needed, *allowed, *forbidden, *([match] if match is not None else [])):
        _compiled(rule, str(one))
    return NamePattern(
        identifier,
        str(kind),
        f"{rule.path}:{rule.line}",
        needed,
        allowed,
        forbidden,
        match,
        tuple(_conditions(rule, "when", value.get("when"))),
        tuple(_conditions(rule, "unless", value.get("unless"))),
    )


def kind_of(record: ThingRecord) -> str | None:
    """What a column that names such a thing names: the first of the kinds of names that covers it."""
    if record.get("kind") == "configuration" and record.get("level") == "accelerator":
        return "accelerator"
    return next((kind for kind, kinds in KIND_OF_NAME.items() if record.get("kind") in kinds), None)


def _words(
    rule: ContextRule, value: Mapping[str, object], key: str, lists: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    given = value.get(key) or []
    if not isinstance(given, list):
        raise _wrong(rule, key, given, "a list of words")
    found: list[str] = []
    for one in given:
        text = str(one)
        if text.startswith("+"):
            if text[1:] not in lists:
                raise _wrong(rule, key, text, f"a list of words that is there: {', '.join(sorted(lists)) or 'none'}")
            found.extend(lists[text[1:]])
        else:
            found.append(text)
    return tuple(found)


def _conditions(rule: ContextRule, key: str, given: object) -> Iterable[Condition]:
    if given is None:
        return
    if not isinstance(given, dict):
        raise _wrong(rule, key, given, "a mapping from what is next to the name to what it must be")
    for part, wanted in given.items():
        if part not in CONTEXT:
            raise _wrong(rule, f"{key}.{part}", part, f"one of {', '.join(CONTEXT)}")
        if isinstance(wanted, dict):
            if set(wanted) == {"match"}:
                _compiled(rule, str(wanted["match"]))
                yield Condition(part, match=str(wanted["match"]))
            elif wanted and set(wanted) <= {"min", "max"}:
                yield Condition(part, least=wanted.get("min"), most=wanted.get("max"))
            else:
                raise _wrong(rule, f"{key}.{part}", wanted, "min and max, or match")
            continue
        values = wanted if isinstance(wanted, list) else [wanted]
        numbers = tuple(float(one) for one in values if isinstance(one, int | float) and not isinstance(one, bool))
        yield Condition(part, tuple(words_of(one) for one in values if isinstance(one, str)), numbers)


def _compiled(rule: ContextRule, expression: str) -> None:
    try:
        re.compile(expression)
    except re.error as cause:
        raise _wrong(rule, "match", expression, f"a regular expression ({cause})") from cause


def _wrong(rule: ContextRule, field: str | None, given: object, expected: str) -> PatternError:
    return PatternError(path=rule.path, line=rule.line, field=field, given=str(given)[:80], expected=expected)
