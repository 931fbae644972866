"""Any declared record as nodes and relationships of the property graph: one writer for all kinds.

What the fields of a class become is worked out once a class, as for triples (`kg.projection.record_triples`). Called by
`kg.projection.graph_rows` and `kg.projection.keys`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from kg.model.json_types import JsonMapping
from kg.model.kinds import KIND_OF, NodeKind
from kg.model.terms import (
    Head,
    Inline,
    Inner,
    Link,
    Prop,
    below,
    declarations,
    forms,
)
from kg.projection.node_names import each, finer_kind, inner_name, relationship_of
from kg.projection.rows import EdgeRow, NodeRow, Properties, Row
from kg.projection.targets import target_id, target_table

Put = Callable[[str, Any, JsonMapping, Properties], None]
Join = Callable[[str, Any, JsonMapping], Iterator[Row]]
_NOTHING: Final[Properties] = {}
_PLAIN: Final[dict[str, Callable[[Any], Any]]] = {"double": float, "integer": int, "boolean": bool}


def _put_prop(name: str, prop: Prop, many: bool) -> Put:
    plain = _PLAIN.get(prop.datatype, str)

    def put(_uid: str, value: Any, _record: JsonMapping, found: Properties) -> None:
        # The property graph has no empty text or list: what is not known is null.
        if many and value:
            found[name] = [plain(one) for one in value]
        elif not many and value != "":
            found[name] = plain(value)

    return put


def _put_inline(inline: Inline, cls: type) -> Put:
    fields = [
        (key, f"{inline.prefix}_{item.name}", _PLAIN.get(item.datatype, str))
        for key, _, item in declarations(cls)
        if isinstance(item, Prop)
    ]

    def put(_uid: str, value: Any, _record: JsonMapping, found: Properties) -> None:
        found.update((name, plain(value[key])) for key, name, plain in fields if value.get(key) is not None)

    return put


@cache
def _setters(cls: type) -> list[tuple[str, Put]]:
    made: list[tuple[str, Put]] = []
    for name, annotation, item in declarations(cls):
        if name == "id":
            continue  # it is the `uid`
        single, inner = forms(annotation)[0], below(annotation)
        if isinstance(item, Prop) and item.name != "":
            made.append((name, _put_prop(item.name or name, item, not single)))
        # A list of links is a relationship only.
        elif isinstance(item, Link) and single:
            made.append((name, _put_link(item.name or name, item)))
        elif isinstance(item, Head):
            made.append((name, _put_head(item)))
        elif isinstance(item, Inline) and inner is not None:
            made.append((name, _put_inline(item, inner)))
    return made


def _put_link(name: str, link: Link) -> Put:
    def put(_uid: str, value: object, record: Mapping[str, object], found: Properties) -> None:
        found[name] = target_id(link.target, value, record)

    return put


def _put_head(head: Head) -> Put:
    put = _put_link(head.link.name or head.field, head.link)
    return lambda uid, value, record, found: put(uid, value[0][head.field], record, found)


def _join_link(label: str, link: Link) -> Join:
    def join(uid: str, value: Any, record: JsonMapping) -> Iterator[Row]:
        for one in each(value):
            other = target_id(link.target, one, record)
            table = target_table(link.target, other, record)
            if link.inverse:
                yield EdgeRow(link.relationship, table, other, label, uid, _NOTHING)
            else:
                yield EdgeRow(link.relationship, label, uid, table, other, _NOTHING)

    return join


def _join_inner(label: str, inner: Inner, cls: type, skip: int) -> Join:
    kind, relationship = KIND_OF[cls], relationship_of(inner)

    def join(uid: str, value: Any, _record: JsonMapping) -> Iterator[Row]:
        for position, one in enumerate(value[skip:], 1):
            # Named as in RDF, so that one id leads to the same node in both views.
            there = uid + inner_name(inner, position)
            first = {} if inner.position is None else {str(inner.position.name): position}
            yield from node_rows_of(kind, one, there, first)
            yield EdgeRow(relationship, label, uid, kind.label, there, _NOTHING)

    return join


def _join_head(label: str, head: Head) -> Join:
    join = _join_link(label, head.link)
    return lambda uid, value, record: join(uid, value[0][head.field], record)


@cache
def _joins(cls: type, label: str) -> list[tuple[str, Join]]:
    made: list[tuple[str, Join]] = []
    with_head = {name for name, _, item in declarations(cls) if isinstance(item, Head)}
    for name, annotation, item in declarations(cls):
        inner = below(annotation)
        if isinstance(item, Link):
            made.append((name, _join_link(label, item)))
        elif isinstance(item, Head):
            made.append((name, _join_head(label, item)))
        elif isinstance(item, Inner) and inner is not None:
            made.append((name, _join_inner(label, item, inner, name in with_head)))
    return made


def node_properties(kind: NodeKind, record: Mapping[str, object], uid: str | None = None) -> Properties:
    """The properties of the node of one record."""
    name = kind.uid(record) if uid is None else uid
    found: Properties = {}
    if kind.finer is not None:
        found["kind"] = finer_kind(kind, record)
    for field, put in _setters(kind.record):
        value = record.get(field)
        if value is not None:
            put(name, value, record, found)
    return found


def node_rows_of(
    kind: NodeKind, record: Mapping[str, object], uid: str | None = None, further: Properties = _NOTHING
) -> Iterator[Row]:
    """The node of one record with the nodes below it, and their relationships; `further` are properties put before its own."""
    name = kind.uid(record) if uid is None else uid
    yield NodeRow(kind.label, name, {**further, **node_properties(kind, record, name)})
    for field, join in _joins(kind.record, kind.label):
        value = record.get(field)
        if value is not None:
            yield from join(name, value, record)
