"""Results of any class as a pandas frame, a NetworkX graph or a piece of HTML for a notebook. Every text is escaped before it becomes HTML."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from kg.errors import UsageError
from kg.model.dates import is_date, span
from kg.model.result import Net, Result, Table
from kg.model.verdict import WORDS
from kg.render.claim_words import cell_in_words

SHOWN_ROWS: Final = 50
"""Rows of a table that a notebook shows."""
_DATES: Final = frozenset({"said_on", "as_of", "published", "released"})
_COLOURS: Final[dict[str, str]] = {
    **{verdict: words.light for verdict, words in WORDS.items()},
    "violation": "#cf222e",
    "warning": "#9a6700",
}


class MissingPackage(UsageError):
    """A package that is no part of the installation."""

    code = "usage.extra"


def frame_of(result: Result, table: str | None = None) -> Any:
    """A table of a result as a pandas frame; texts and numbers stay what they are."""
    try:
        import pandas
    except ModuleNotFoundError as cause:
        raise MissingPackage(
            "needs pandas.", given="to_pandas", expected="the extra pandas", next_step="pip install 'accelkg[pandas]'"
        ) from cause
    chosen = _chosen(result, table)
    frame = pandas.DataFrame.from_records([tuple(row) for row in chosen.rows], columns=list(chosen.columns))
    for name in _dated(chosen):
        at = chosen.columns.index(name)
        days = pandas.Series([first_day(row[at]) for row in chosen.rows], dtype="datetime64[s]")
        frame.insert(frame.columns.get_loc(name) + 1, f"{name}_text", frame[name])
        frame[name] = days
    return frame


def polars_of(result: Result, table: str | None = None) -> Any:
    """A table of a result as a polars frame; a column of several types holds texts."""
    try:
        import polars
    except ModuleNotFoundError as cause:
        raise MissingPackage(
            "needs polars.", given="to_polars", expected="the extra polars", next_step="pip install 'accelkg[polars]'"
        ) from cause
    chosen = _chosen(result, table)
    columns: dict[str, list[Any]] = {}
    dated = _dated(chosen)
    for n, name in enumerate(chosen.columns):
        cells = [row[n] for row in chosen.rows]
        kinds = {
            float if isinstance(cell, int | float) and not isinstance(cell, bool) else type(cell) for cell in cells
        }
        mixed = len(kinds - {type(None)}) > 1 or bool(kinds - {type(None), float, bool, str})
        columns[name] = [None if cell is None else str(cell) for cell in cells] if mixed else cells
        if name in dated:
            columns |= {name: list(map(first_day, cells)), f"{name}_text": cells}
    return polars.DataFrame(columns, strict=False, schema_overrides=dict.fromkeys(dated, polars.Date))


def first_day(text: str | None) -> date | None:
    """The first day of a recorded date, which may be a month, a quarter, a half or a year.

    >>> first_day("2025-08-13"), first_day("2025-Q3"), first_day(None)
    (datetime.date(2025, 8, 13), datetime.date(2025, 7, 1), None)
    """
    return None if text is None else date.fromordinal(span(text)[0])


def _dated(chosen: Table) -> list[str]:
    """The columns of dates: a frame has them typed, and next to each the text, which tells a month from its first day."""
    return [
        name
        for n, name in enumerate(chosen.columns)
        if name in _DATES
        and all(row[n] is None or (isinstance(row[n], str) and is_date(row[n])) for row in chosen.rows)
    ]


def _chosen(result: Result, table: str | None) -> Table:
    tables = result.tables()
    name = next(iter(tables)) if table is None else table
    if name not in tables:
        raise UsageError("is not a table of this result.", field="table", given=name, expected=", ".join(tables))
    return tables[name]


def networkx_of(result: Result) -> Any:
    """The nodes and ties of a result; the key of an edge is its type, and its role where it has one."""
    import networkx

    graph = networkx.MultiDiGraph()
    net = result.net()
    for name, properties in net.nodes.items():
        graph.add_node(name, **{key: value for key, value in properties.items() if value is not None})
    for tie in net.ties:
        key = tie.type if tie.role is None else f"{tie.type} {tie.role}"
        graph.add_edge(tie.source, tie.target, key, type=tie.type, **({} if tie.role is None else {"role": tie.role}))
    return graph


def html_of(result: Result) -> str:
    """The headline and the first table that has rows, as a piece of HTML that holds no script and asks for nothing."""
    asked, verdict, detail = result.headline()
    parts = [f"<p><strong>{_text(asked)}</strong>"]
    if verdict is not None:
        parts.append(f' <span style="color:{_COLOURS.get(verdict, "inherit")};font-weight:600">{_text(verdict)}</span>')
    parts.append(f"<br>{_text(detail)}</p>" if detail else "</p>")
    shown = [(name, table) for name, table in result.tables().items() if table.rows]
    for name, table in shown[:1]:
        parts.append(_table(table))
        if len(table.rows) > SHOWN_ROWS:
            parts.append(f"<p>{SHOWN_ROWS} of {len(table.rows):,} {_text(name)}</p>")
    rest = ", ".join(f"{len(table.rows):,} {name}" for name, table in shown[1:])
    if rest:
        parts.append(f"<p>also: {_text(rest)} (see <code>.to_pandas(name)</code>)</p>")
    return f'<div class="accelkg" dir="auto">{"".join(parts)}</div>'


def _table(table: Table) -> str:
    wanted = table.brief or table.columns
    kept = [
        n
        for n, name in enumerate(table.columns)
        if name in wanted and any(row[n] not in (None, "", ()) for row in table.rows)
    ]
    head = "".join(f'<th style="text-align:start">{_text(table.columns[n].replace("_", " "))}</th>' for n in kept)
    body = "".join(
        '<tr style="vertical-align:top">' + "".join(_cell(cell_in_words(table.columns, row, n)) for n in kept) + "</tr>"
        for row in table.rows[:SHOWN_ROWS]
    )
    return f'<div style="overflow-x:auto"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td style="text-align:end">{_text(f"{value:,.6g}" if isinstance(value, float) else f"{value:,}")}</td>'
    colour = _COLOURS.get(value) if isinstance(value, str) else None
    style = f";color:{colour};font-weight:600" if colour else ""
    return f'<td dir="auto" style="text-align:start{style}">{_text(value)}</td>'


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        value = ", ".join(str(one) for one in value)
    from kg.render import hypertext  # with the tables of entities: no other command needs them

    return hypertext.text(str(value))


class ResultPresenter:
    """The presenter of this room; what only some commands need is imported when it is used."""

    @staticmethod
    def tables(result: object) -> Mapping[str, Table]:
        from kg.render.results import tables_of

        return tables_of(result)

    @staticmethod
    def net(result: object) -> Net:
        from kg.render.results import net_of

        return net_of(result)

    @staticmethod
    def page(scene: Any) -> str:
        from kg.render.page import page

        return page(scene)

    @staticmethod
    def drawing(scene: Any) -> str:
        from kg.render.svg_file import svg_file

        return svg_file(scene)

    frame = staticmethod(frame_of)
    polars = staticmethod(polars_of)
    network = staticmethod(networkx_of)
    html = staticmethod(html_of)
