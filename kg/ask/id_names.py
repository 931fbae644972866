"""Names where a question asks for ids: the id a name means, of the kind that the parameter takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from kg.ask.bind import is_entity_id
from kg.ask.question import Parameter, Question, ValueRefused
from kg.model.names import name_key
from kg.model.similar_names import similar_names
from kg.stores.protocol import Answer

_MOST_NEAR = 5
_MOST_SOURCES = 12


class AskIds(Protocol):
    """Runs a saved question."""

    def __call__(self, name: str, /, **values: Any) -> Answer:
        """All rows."""
        ...


def with_ids(ask: AskIds, question: Question, values: Mapping[str, object]) -> dict[str, object]:
    """The values with an id wherever a parameter takes ids and was given a name; a name nobody knows is refused."""
    known = {one.name: one for one in question.parameters if one.base_type == "id"}
    return {
        name: _ids(ask, known[name], value) if name in known and _holds_names(value) else value
        for name, value in values.items()
    }


def _holds_names(value: object) -> bool:
    return any(isinstance(one, str) and not is_entity_id(one) for one in _each(value))


def _each(value: object) -> Iterable[object]:
    return value if isinstance(value, tuple | list) else (value,)


def _ids(ask: AskIds, parameter: Parameter, value: object) -> object:
    found: dict[object, None] = {}
    for one in _each(value):
        ids = [one] if not isinstance(one, str) or is_entity_id(one) else _named(ask, parameter, one)
        found.update(dict.fromkeys(ids))
    given = tuple(found)
    if parameter.is_list:
        return given
    if len(given) > 1:
        raise ValueRefused(
            "names several things.",
            field=parameter.name,
            given=str(value),
            expected=f"one of {', '.join(map(str, given))}",
        )
    return given[0]


def _named(ask: AskIds, parameter: Parameter, name: str) -> list[object]:
    """The ids that a name names, those of the kind of the parameter where there are some."""
    return list(ids_named(ask, name, kind=_kind(parameter) or "", field=parameter.name))


def with_metrics(ask: AskIds, question: Question, values: Mapping[str, object]) -> dict[str, object]:
    """The values with a metric wherever a parameter takes metrics and was given another word for one; unknown ones stay."""
    taken = {one.name for one in question.parameters if one.base_type == "metric"}
    return {name: _metrics(ask, value) if name in taken else value for name, value in values.items()}


def _metrics(ask: AskIds, value: object) -> object:
    if isinstance(value, tuple | list):
        return type(value)(_metrics(ask, one) for one in value)
    return (isinstance(value, str) and metric_called(ask, value)) or value


def metric_called(ask: AskIds, name: str) -> str | None:
    """The metric of an id, with or without what ids of metrics begin with, of its label or of a synonym that only one has."""
    key = name_key(name.removeprefix("metric/"))
    called = (
        [str(row["metric"]).removeprefix("metric/") for row in ask("names/metric", key=[key]).dicts()] if key else []
    )
    # of several metrics with this synonym, the one whose id it is
    if (slug := key.replace(" ", "-")) in called:
        return slug
    return called[0] if len(called) == 1 else None


def ids_named(ask: AskIds, name: str, *, kind: str, field: str, expected: str | None = None) -> tuple[str, ...]:
    """The ids of a kind (`model/`, or "" for any) that a name names; raises `ValueRefused` with names of that kind like it."""
    rows = list(ask("names/resolve", thing=[name]).dicts())
    own = [str(row["entity"]) for row in rows if row["match"] == "named" and str(row["entity"]).startswith(kind)]
    if own:
        return tuple(own)
    # the second part of an id is taken as well: "deepseek-r1" for model/deepseek-r1
    slug = f"{kind}{name_key(name).replace(' ', '-')}" if kind else None
    if slug and is_entity_id(slug) and ask("entities/labels", thing=[slug]).rows:
        return (slug,)
    keys = [(str(row["key"]), str(row["entity"])) for row in ask("names/keys").dicts()]
    near = near_ids(name, [(key, one) for key, one in keys if one.startswith(kind)])
    what = kind.rstrip("/") or "thing"
    raise ValueRefused(
        f"is no name of a {what}.",
        field=field,
        given=name,
        expected=expected or f"the id or a name of a {what}",
        next_step=f"Did you mean {', '.join(near)}?" if near else f"kg find {name!r} lists what has such a name",
    )


def sources_named(ask: AskIds, given: str) -> tuple[str, ...]:
    """The source of an id, of its digits ("002"), or of a name; raises `ValueRefused` with sources like it."""
    known = {str(row["source"]) for row in ask("sources/all").dicts()}
    name = given if given in known else f"source/{given}"
    if name in known:
        return (name,)
    texts = sorted(one for one in known if one.startswith("source/"))
    return ids_named(ask, given, kind="source/", field="--source", expected=", ".join(texts[:_MOST_SOURCES]))


def _kind(parameter: Parameter) -> str | None:
    """How the ids begin that a parameter takes; None for a parameter that takes things of any kind."""
    return None if parameter.name in ("thing", "subject", "origin", "finding") else f"{parameter.name}/"


def near_ids(name: str, keys: Sequence[tuple[str, str]]) -> list[str]:
    """The ids whose names are most like it: those that hold it, then those of a similar spelling."""
    key = name_key(name)
    inside = sorted((one for one in keys if key and key in one[0]), key=lambda one: (len(one[0]), one))
    close = similar_names(key, [one for one, _ in keys], most=_MOST_NEAR)
    # from the end, so that of several things with one key the first stays
    by_key = dict(reversed(keys))
    return list(dict.fromkeys([one for _, one in inside[:_MOST_NEAR]] + [by_key[one] for one in close]))[:_MOST_NEAR]
