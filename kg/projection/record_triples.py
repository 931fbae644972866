"""Any declared record as triples: one writer for all kinds. The property graph has its own (`kg.projection.node_rows`).

What the fields of a class become is worked out once a class; a record then costs a call a field.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from kg.model.json_types import JsonMapping
from kg.model.kinds import KIND_OF, Common, NodeKind
from kg.model.terms import (
    Datatype,
    External,
    Form,
    Head,
    Inline,
    Inner,
    Link,
    Prop,
    below,
    declarations,
)
from kg.model.vocabulary import claim_iri, expand, thing_iri
from kg.projection.declared_terms import is_written
from kg.projection.literals import XSD, day, number, quoted
from kg.projection.node_names import each, finer_kind, inner_name
from kg.projection.shared import Lines, SharedNodes
from kg.projection.targets import iri_writer

Write = Callable[[str, Any, JsonMapping, Lines], None]
_TYPE: Final = f" <{expand('rdf:type')}> "


def literal(prop: Prop, value: object) -> str:
    """One value as a literal of N-Triples.

    >>> print(literal(Prop("k:hop", "integer"), 2), literal(Prop("k:via"), "restates"))
    "2"^^<http://www.w3.org/2001/XMLSchema#integer> "restates"
    """
    return _literal_text(prop.datatype)(value)


@cache
def _literal_text(datatype: Datatype) -> Callable[[Any], str]:
    """How a value of a datatype is written; found once a field, not once a value."""
    if datatype == "double":
        return number
    if datatype == "date":
        return lambda value: day(str(value))
    if datatype in ("integer", "boolean"):
        suffix = XSD[datatype]
        return lambda value: f'"{str(value).lower()}"{suffix}'
    return lambda value: quoted(str(value))


def _write_prop(prop: Prop, form: Form, prefix: str = "") -> Write:
    predicate = f" <{expand(f'k:{prefix}{prop.term}' if prefix else prop.term)}> "
    unsaid, text = prop.implied if form == "view" else None, _literal_text(prop.datatype)

    def write(node: str, value: object, _record: Mapping[str, object], out: Lines) -> None:
        if isinstance(value, list | tuple):
            out.extend([f"{node}{predicate}{text(one)} .\n" for one in value])
        elif value != unsaid:
            out.append(f"{node}{predicate}{text(value)} .\n")

    return write


def _write_link(link: Link) -> Write:
    predicate, iri = f" <{expand(link.term)}> ", iri_writer(link.target)

    def write(node: str, value: object, record: JsonMapping, out: Lines) -> None:
        out.extend([f"{node}{predicate}<{iri(one, record)}> .\n" for one in each(value)])

    def write_inverse(node: str, value: object, record: JsonMapping, out: Lines) -> None:
        out.extend([f"<{iri(one, record)}>{predicate}{node} .\n" for one in each(value)])

    return write_inverse if link.inverse else write


def _write_external(external: External) -> Write:
    predicate, prefix = f" <{expand(external.term)}> ", expand(external.prefix)

    def write(node: str, value: object, _record: Mapping[str, object], out: Lines) -> None:
        out.extend(f"{node}{predicate}<{prefix}{one}> .\n" for one in each(value))

    return write


def _write_inner(inner: Inner, cls: type, skip: int, form: Form) -> Write:
    predicate, fields = f" <{expand(inner.term)}> ", _writers(cls, form)
    # In a view the property that leads to the node says its class already (decision 32).
    kind = f"{_TYPE}<{expand(inner.cls)}> .\n" if KIND_OF[cls].has_class(form) else None

    def write_shared(node: str, value: Any, record: JsonMapping, out: Lines) -> None:
        for one in value[skip:]:
            if inner.follows is not None and inner.follows(record, one):
                continue
            said = Lines(out.shared)
            _write_fields(fields, "", one, said)
            out.append(f"{node}{predicate}{out.shared.node(KIND_OF[cls].label.lower(), said, out)} .\n")

    if KIND_OF[cls].is_shared(form):
        return write_shared

    def write(node: str, value: Any, _record: JsonMapping, out: Lines) -> None:
        for position, one in enumerate(value[skip:], 1):
            there = f"{node[:-1]}{inner_name(inner, position)}>"
            out.append(f"{node}{predicate}{there} .\n")
            if kind is not None:
                out.append(there + kind)
            if inner.position is not None:
                out.append(f"{there} <{expand(inner.position.term)}> {literal(inner.position, position)} .\n")
            _write_fields(fields, there, one, out)

    return write


def _write_inline(inline: Inline, cls: type, form: Form) -> Write:
    fields = [
        (name, _write_prop(item, form, inline.prefix))
        for name, _, item in declarations(cls)
        if isinstance(item, Prop) and item.term
    ]

    def write(node: str, value: Any, _record: JsonMapping, out: Lines) -> None:
        _write_fields(fields, node, value, out)

    return write


def _write_head(head: Head) -> Write:
    link = _write_link(head.link)
    return lambda node, value, record, out: link(node, value[0][head.field], record, out)


@cache
def _writers(cls: type, form: Form, but: tuple[str, ...] = ()) -> list[tuple[str, Write]]:
    """What writes each field of a class, but for some."""
    made: list[tuple[str, Write]] = []
    # The first of such a list stands on the node itself (`Head`), the rest are nodes below it.
    with_head = {name for name, _, item in declarations(cls) if isinstance(item, Head)}
    for name, annotation, item in declarations(cls):
        if not is_written(item, form) or name in but:
            continue
        inner = below(annotation)
        if isinstance(item, Prop) and item.term:
            made.append((name, _write_prop(item, form)))
        elif isinstance(item, Link):
            made.append((name, _write_link(item)))
        elif isinstance(item, External):
            made.append((name, _write_external(item)))
        elif isinstance(item, Head):
            made.append((name, _write_head(item)))
        elif isinstance(item, Inline) and inner is not None:
            made.append((name, _write_inline(item, inner, form)))
        elif isinstance(item, Inner) and inner is not None:
            made.append((name, _write_inner(item, inner, name in with_head, form)))
    return made


@cache
def _writers_of(cls: type, form: Form, names: tuple[str, ...]) -> list[tuple[str, Write]]:
    """What writes some fields of a class."""
    return [one for one in _writers(cls, form) if one[0] in names]


def _write_fields(fields: list[tuple[str, Write]], node: str, record: JsonMapping, out: Lines) -> None:
    for name, write in fields:
        value = record.get(name)
        if value is not None:
            write(node, value, record, out)


def node_lines(
    kind: NodeKind,
    record: Mapping[str, object],
    *,
    uid: str | None = None,
    form: Form = "export",
    shared: SharedNodes | None = None,
) -> str:
    """The triples of one record; `uid` is put in place of the id that its kind gives it."""
    out = Lines(shared)
    if kind.is_shared(form):
        _write_shared(kind, record, form, out)
        return "".join(out)
    name = kind.uid(record) if uid is None else uid
    node = f"<{claim_iri(name) if kind.label == 'Claim' else thing_iri(name)}>"
    if kind.has_class(form):
        out += [f"{node}{_TYPE}<{expand(cls)}> .\n" for cls in kind.classes_of(record, form)]
    if kind.grouped is not None:
        _write_grouped(kind, node, record, form, out)
    for one in kind.common:
        _write_common(kind, one, record, out, node=node, form=form)
    _write_fields(_own_writers(kind.record, form), node, record, out)
    return "".join(out)


@cache
def _own_writers(cls: type, form: Form) -> list[tuple[str, Write]]:
    """What writes the fields of a record on its own node."""
    # An export says all there: a file of one source would else lead to what another file describes (decision 34).
    return _writers(cls, form, KIND_OF[cls].said_elsewhere if form == "view" else ())


def said_of(cls: type, record: Mapping[str, object], form: Form) -> list[str]:
    """What is said of the node of a record: predicates with their objects."""
    out = Lines()
    _write_fields(_writers(cls, form), "", record, out)
    return out


def _write_shared(kind: NodeKind, record: Mapping[str, object], form: Form, out: Lines) -> None:
    """A node of which others than its owner say the same."""
    owner, said, own = kind.owner or "", Lines(out.shared), Lines(out.shared)
    _write_fields(_writers(kind.record, form, (owner,)), "", record, said)
    node = out.shared.node(kind.shared_as, said, out)
    # After the node, since its name is the hash of all that is said but for its owner, who is one of several.
    _write_fields(_writers_of(kind.record, form, (owner,)), node, record, own)
    out += own


def _write_common(kind: NodeKind, common: Common, record: JsonMapping, out: Lines, *, node: str, form: Form) -> None:
    """What many records say alike, on a node that is named after it."""
    said = Lines(out.shared)
    _write_fields(_writers_of(kind.record, "export", common.names), "", record, said)
    if said:
        there = out.shared.node(common.label.lower(), said, out)
        out.append(f"{node} <{expand(common.term)}> {there} .\n")
        if form == "export":
            out.append(f"{there}{_TYPE}<{expand('k:' + common.label)}> .\n")


def _write_grouped(kind: NodeKind, node: str, record: Mapping[str, object], form: Form, out: Lines) -> None:
    grouped = kind.grouped
    assert grouped is not None
    there = f"<{thing_iri(grouped.uid(record))}>"
    out.append(f"{node} <{expand(grouped.term)}> {there} .\n")
    if out.shared.is_new(there):
        said = Lines(out.shared)
        if form == "export":
            said.append(f"{_TYPE}<{expand('k:' + grouped.label)}> .\n")
        if kind.finer is not None:
            said.append(f" <{expand('k:kind')}> {quoted(finer_kind(kind, record))} .\n")
        _write_fields(_writers_of(kind.record, "export", grouped.names), "", record, said)
        out.shared.say(there, said, out)
