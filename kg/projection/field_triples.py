"""The triples of the plain fields of a record class: a function for each field, made once from its declaration.

Used by `kg.projection.triples` for recorded forms, which are written a million times; other kinds go through
`kg.projection.record_triples`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kg.model.kinds import QUANTITY, RECORDED
from kg.model.record import default_values
from kg.model.record_parts import Record
from kg.model.terms import Form, Link, Prop, declared
from kg.model.vocabulary import claim_iri, expand, thing_iri
from kg.projection.declared_terms import is_written
from kg.projection.literals import XSD, day, number, quoted

Writer = Callable[[str, Any, list[str]], None]
TYPE = f"<{expand('rdf:type')}>"


def _literal_writer(prop: Prop, form: Form = "export") -> Writer:
    write = _any_literal(prop)
    unsaid = prop.implied if form == "view" else None
    if unsaid is None:
        return write

    def write_others(subject: str, value: object, out: list[str]) -> None:
        if value != unsaid:
            write(subject, value, out)

    return write_others


def _any_literal(prop: Prop) -> Writer:
    predicate = f" <{expand(prop.term)}> "
    if prop.datatype == "double":

        def write_number(subject: str, value: float | list[float | None] | None, out: list[str]) -> None:
            for one in value if isinstance(value, list) else (value,):
                if one is not None:
                    out.append(f"{subject}{predicate}{number(one)} .\n")

        return write_number
    if prop.datatype in ("integer", "boolean"):
        suffix = XSD[prop.datatype]

        def write_typed(subject: str, value: object, out: list[str]) -> None:
            out.append(f'{subject}{predicate}"{str(value).lower()}"{suffix} .\n')

        return write_typed

    if prop.datatype == "date":

        def write_day(subject: str, value: str, out: list[str]) -> None:
            out.append(f"{subject}{predicate}{day(value)} .\n")

        return write_day

    def write_text(subject: str, value: object, out: list[str]) -> None:
        if isinstance(value, list):
            out.extend(f"{subject}{predicate}{quoted(str(one))} .\n" for one in value)
        else:
            out.append(f"{subject}{predicate}{quoted(value if isinstance(value, str) else str(value))} .\n")

    return write_text


def _target_iri(link: Link) -> Callable[[str], str]:
    if link.target == "claim":
        return claim_iri
    if link.target in ("metric", "unit"):
        return lambda name: thing_iri(f"{link.target}/{name}")
    return thing_iri


def _link_writer(link: Link) -> Writer:
    # Subjects, metrics and units recur in every claim, so that their ids are escaped once.
    predicate, iri, seen = f" <{expand(link.term)}> ", _target_iri(link), {}  # type: ignore[var-annotated]

    def write(subject: str, value: Any, out: list[str]) -> None:
        for one in value if isinstance(value, list) else (value,):
            known = seen.get(one)
            if known is None:
                known = f"{predicate}<{iri(one)}> .\n"
                # Ids that never recur, such as those of claims that are repeated, must not fill the memory.
                if len(seen) < 50_000:
                    seen[one] = known
            out.append(subject + known)

    return write


def _plain_writers(cls: type[Record], form: Form) -> tuple[tuple[str, Writer], ...]:
    made = []
    for name, projection in declared(cls):
        if not is_written(projection, form):
            continue
        if isinstance(projection, Prop):
            made.append((name, _literal_writer(projection, form)))
        elif isinstance(projection, Link):
            made.append((name, _link_writer(projection)))
    return tuple(made)


def _default_lines(cls: type[Record], form: Form) -> tuple[tuple[str, str], ...]:
    made = []
    for name, prop, default in default_values(cls):
        # The questions put this value in by themselves (decision 32).
        if form == "view" and prop.implied == default:
            continue
        out: list[str] = []
        _literal_writer(prop)("", default, out)
        made.append((name, out[0]))
    return tuple(made)


_FORMS: tuple[Form, ...] = ("view", "export")
WRITERS = {(kind.record, form): _plain_writers(kind.record, form) for kind in (*RECORDED, QUANTITY) for form in _FORMS}
_DEFAULTS = {
    (kind.record, form): _default_lines(kind.record, form) for kind in (*RECORDED, QUANTITY) for form in _FORMS
}
"""What is said of fields that a record leaves out."""


def write_plain(cls: type[Record], subject: str, record: Mapping[str, object], out: list[str], form: Form) -> None:
    """Add the triples of the plain fields of a record, those of defaults among them; `subject` is the text before a predicate."""
    for name, write in WRITERS[cls, form]:
        value = record.get(name)
        if value is not None:
            write(subject, value, out)
    for name, line in _DEFAULTS[cls, form]:
        if record.get(name) is None:
            out.append(subject + line)
