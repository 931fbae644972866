"""Why a saved question has no rows: a value that occurs nowhere, with those that do.

The question is asked again without what may be left out; what then appears in the column of that name is what could be asked for.
A parameter without such a column is a name, and is looked up among the names.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker, asked_key, near_names, text
from kg.answers.show import has_results_of
from kg.ask.bind import given_values, plain_values
from kg.ask.question import Parameter, Question, ValueRefused
from kg.ask.row_filters import RowFilter, condition_ids, filtered, named_filter
from kg.ask.run import ask
from kg.errors import QueryError
from kg.model.counting import counted, first_of
from kg.model.names import name_key
from kg.model.similar_names import similar_names
from kg.stores.protocol import Answer

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_MOST_LISTED: Final = 12
_READ: Final = 20_000


def why_no_rows(
    graph: "Opened", question: Question, values: Mapping[str, object], filters: Sequence[RowFilter] = ()
) -> list[str]:
    """One line for each value that occurs nowhere; when each occurs, that nothing fits them."""
    known = {one.name: one for one in question.parameters}
    hints: list[str] = []
    # a default is left out: who did not type it cannot mend it
    for name, given in given_values(question, values).items():
        if values.get(name) is not None:
            hints.extend(_unknown(graph, question, known[name], given, values))
    # the surest explanation first: a value that occurs nowhere, then the kind of row, then the
    # parts of a system
    if not hints:
        hints = list(_of_other_rows(graph, question, values, [one for one in filters if one.is_of_row]))
    if not hints:
        hints = list(_of_parts(graph, question, values, filters))
    return hints or [*_nothing_fits(graph, question, values, filters), *_named_alike(graph, question, values, filters)]


def _nothing_fits(
    graph: "Opened", question: Question, values: Mapping[str, object], filters: Sequence[RowFilter]
) -> list[str]:
    """That nothing is stated of what was asked for, where anything was, and what is stated that is nearest."""
    asked = [f"{name} {shown}" for name, value in values.items() if (shown := _plain(value))]
    asked += [shown for one in filters if (shown := _shown(one))]
    fits = "fits all of:" if len(asked) > 1 else "fits"
    if not asked:
        return []
    near = list(_without_one(graph, question, values, filters)) or _shown_by_name(question, values)
    return ["; ".join((f"nothing is stated that {fits} {', '.join(asked)}", *near))]


def _shown(one: RowFilter) -> str:
    """What a filter keeps, in words; nothing of an order."""
    if one.since or one.until:
        return f"dated {one.since}" if one.since == one.until else f"dated {one.since or '…'} to {one.until or '…'}"
    return " ".join(next(iter(one.given))) if one.name else ""


def _without_one(
    graph: "Opened", question: Question, values: Mapping[str, object], filters: Sequence[RowFilter]
) -> Iterator[str]:
    """For each filter without which there are rows, how many; without dates also of which days they are."""
    answer = _rows(graph, question, values) if filters else None
    if answer is None:
        return
    for place, one in enumerate(filters):
        kept = filtered(graph.ask, question, answer, [*filters[:place], *filters[place + 1 :]])
        if kept.rows and _shown(one):
            days = _days_of(kept) if one.since or one.until else ""
            yield f"without {_shown(one)} there {'is' if len(kept.rows) == 1 else 'are'} {counted(len(kept.rows), 'row')}{days}"


def _days_of(answer: Answer) -> str:
    """The days of which rows are, and how many are undated, in brackets."""
    column = next((one for one in ("said_on", "published") if one in answer.columns), None)
    if column is None:
        return ""
    said = [row[column] for row in answer.dicts()]
    days = sorted({str(one) for one in said if one is not None})
    undated = sum(one is None for one in said)
    parts = [f"{undated} undated"] if undated else []
    return f" ({'; '.join([*parts, *days[:_MOST_LISTED]])})" if parts or days else ""


def _shown_by_name(question: Question, values: Mapping[str, object]) -> list[str]:
    """The commands that show all that is stated of the things that were named."""
    named = (values.get(one.name) for one in question.parameters if one.base_type == "name")
    names = dict.fromkeys(one for one in named if isinstance(one, str))
    return [f"what is stated of {one}: {shlex.join(['kg', 'show', one])}" for one in names]


def _unknown(
    graph: "Opened", question: Question, parameter: Parameter, given: tuple[object, ...], values: Mapping[str, object]
) -> list[str]:
    """One line for each value of a parameter that occurs nowhere, as its type lets it be looked up."""
    if parameter.base_type == "name":
        return _unknown_names(graph, given)
    if parameter.base_type == "metric" and (unknown := _unknown_metrics(graph, given)):
        return unknown
    if not parameter.required and parameter.name in {one.name for one in question.columns}:
        return _unknown_values(graph, question, parameter, given, values)
    return []


def _of_other_rows(
    graph: "Opened", question: Question, values: Mapping[str, object], filters: Sequence[RowFilter]
) -> Iterator[str]:
    """One line for each filter of which a row has one value, such as a level, that no row has: those that there are."""
    for kind in sorted({kind for one in filters for kind in one.kinds}):
        there = _stated_in(graph, question, kind, values)
        shown = [one.removeprefix(f"{kind}/") for one in there]
        for given in (one.name for one in filters if one.kinds == {kind}):
            named = {str(row["entity"]) for row in graph.ask("names/resolve", thing=[given]).dicts()}
            if there and given not in there and given not in shown and named.isdisjoint(there):
                yield _line(given, f"no row is of this {kind}", [], shown)


def _of_parts(
    graph: "Opened", question: Question, values: Mapping[str, object], filters: Sequence[RowFilter]
) -> Iterator[str]:
    """One line for each name of a system without rows where there are rows of the accelerators in it: results are of these."""
    there: dict[str, list[str]] = {}
    for one in question.parameters:
        whole = values.get(one.name)
        if one.base_type == "name" and isinstance(whole, str):
            there[whole] = [
                part
                for part in _accelerators_in(graph, whole)
                if _are_kept(graph, question, _rows(graph, question, {**values, one.name: part}), filters)
            ]
    for place, named in enumerate(filters):
        parts = _accelerators_in(graph, named.name) if named.name and named.value is None else []
        answer = _rows(graph, question, values) if parts else None
        others = [*filters[:place], *filters[place + 1 :]]
        if parts:
            there[named.name] = [
                part for part in parts if _are_kept(graph, question, answer, [*others, named_filter(graph.ask, part)])
            ]
    for whole, found in there.items():
        if found:
            yield f"{whole}: no row is of it; of what it contains there are rows: {', '.join(found)}"


def _accelerators_in(graph: "Opened", name: str) -> list[str]:
    """The accelerators that the things of a name contain."""
    asker = Asker(graph.ask)
    things = {text(row, "entity") for row in asker.rows("names/resolve", thing=[name]) if row["match"] == "named"}
    links = (row for one in sorted(things) for row in asker.rows("entities/links", thing=one))
    return sorted({text(row, "other") for row in links if has_results_of(text(row, "link"), text(row, "other"))})


def _named_alike(
    graph: "Opened", question: Question, values: Mapping[str, object], filters: Sequence[RowFilter]
) -> Iterator[str]:
    """One line for each thing without rows where there are rows of others whose names begin with its name.

    They are proposed and never taken: Stable Diffusion XL is another model than Stable Diffusion.
    """
    wanted = [(place, one) for place, one in enumerate(filters) if one.kinds & {"model", "model-class", "org"}]
    answer = _rows(graph, question, values) if wanted else None
    keys = sorted({str(key) for key, _ in graph.ask("names/keys").rows}) if answer is not None else []
    for place, named in wanted:
        others = [*filters[:place], *filters[place + 1 :]]
        longer = [key for key in keys if key.startswith(f"{name_key(named.name)} ")]
        found = [key for key in longer if _are_kept(graph, question, answer, [*others, named_filter(graph.ask, key)])]
        if found:
            yield f"{named.name}: no row is of it; of what is named alike there are rows: {', '.join(found)}"


def _rows(graph: "Opened", question: Question, values: Mapping[str, object]) -> Answer | None:
    """The answer of a question; None where it does not take the values."""
    try:
        return ask(graph.store, question, values, limit=_READ)
    except (QueryError, ValueRefused):
        return None


def _are_kept(graph: "Opened", question: Question, answer: Answer | None, filters: Sequence[RowFilter]) -> bool:
    """Whether an answer has rows that all filters keep."""
    return answer is not None and bool(filtered(graph.ask, question, answer, filters).rows)


def _plain(value: object) -> str:
    """A value as people read it."""
    given = value if isinstance(value, tuple | list) else (value,)
    return " or ".join(str(one).removeprefix("metric/") for one in given if one is not None)


def _unknown_names(graph: "Opened", given: tuple[object, ...]) -> list[str]:
    near = {str(one): near_names(Asker(graph.ask), str(one)) for one in given}
    # of a known name the only near one is itself
    return [_line(one, "no such name", names) for one, names in near.items() if asked_key(one) not in names]


def _unknown_metrics(graph: "Opened", given: tuple[object, ...]) -> list[str]:
    from kg.content.vocabulary import read_vocabulary

    known = sorted(read_vocabulary(graph.content).metric_mapping)
    names = [str(one).removeprefix("metric/") for one in given]
    return [
        _line(
            one,
            "no such metric",
            similar_names(one, known, most=5, likeness=0.5) or [k for k in known if one in k][:5],
            known,
        )
        for one in names
        if one not in known
    ]


def _unknown_values(
    graph: "Opened", question: Question, parameter: Parameter, given: tuple[object, ...], values: Mapping[str, object]
) -> list[str]:
    rest = {one.name: values[one.name] for one in question.parameters if one.required and one.name in values}
    there = _values_in(graph, question, parameter.name, rest)
    if not there:
        return []
    hints = []
    for one in given:
        wanted = {str(plain) for plain in plain_values(parameter, one)}
        if wanted.isdisjoint(there):
            shown = [name.removeprefix("metric/") for name in there]
            near = similar_names(str(one), shown, most=5)
            hints.append(_line(str(one), f"not among the values of --{parameter.name}", near, shown))
    return hints


def _values_in(graph: "Opened", question: Question, column: str, values: Mapping[str, object]) -> list[str]:
    """What a column holds; nothing where the question does not answer or not whole."""
    answer = _rows(graph, question, values)
    # in an answer that was cut short, a value may be stated in the rows that are missing
    if answer is None or not answer.complete:
        return []
    return sorted({str(row[column]) for row in answer.dicts() if row[column] is not None})


def _stated_in(graph: "Opened", question: Question, kind: str, values: Mapping[str, object]) -> list[str]:
    """What the column of a kind holds, else what the conditions of the rows state of it."""
    if kind in question.column_names or "conditions" not in question.column_names:
        return _values_in(graph, question, kind, values) if kind in question.column_names else []
    lines = _values_in(graph, question, "conditions", values)
    return sorted({one for line in lines for one in condition_ids(line) if one.startswith(f"{kind}/")})


def _line(given: str, what: str, near: "tuple[str, ...] | list[str]", there: "list[str] | None" = None) -> str:
    if near:
        return f"{given}: {what}; did you mean {', '.join(near)}?"
    if there:
        return f"{given}: {what}; there are {first_of(there, _MOST_LISTED)}"
    return f"{given}: {what}"
