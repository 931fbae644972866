"""Records checked by compiled code: structs made from the classes of `kg.model.record`, which stay the one declaration.

What the structs accept, the classes accept too, with the same recorded form. What they refuse goes to the classes, which
word the mistakes; so a struct may be stricter, and never laxer.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin

import msgspec
from pydantic.fields import FieldInfo

from kg.model.ledger_records import CurrentRecord
from kg.model.record import RECORD_TYPES, AnyRecord, recorded_form
from kg.model.record_parts import Record
from kg.model.terms import External, Head, Inline, Inner, Link, Prop, Unprojected

Check = Callable[[Any], object]
_WORDS: Final = ("ge", "le", "min_length", "max_length", "pattern")
_DECLARATIONS: Final = (Prop, Link, Inner, Inline, Head, External, Unprojected)


def recorded(value: Mapping[str, Any], *, is_json: bool = True) -> CurrentRecord:
    """The recorded form of a claim, entity or source in plain values; `record` says which.

    What was not read as JSON may hold text that JSON cannot (half a surrogate pair): the classes look at it. Raises pydantic.ValidationError with all mistakes.

    >>> recorded({"record": "entity", "id": "org/x", "kind": "vendor", "label": "X", "aliases": []})
    {'record': 'entity', 'id': 'org/x', 'kind': 'vendor', 'label': 'X'}
    """
    cls = RECORD_TYPES[value["record"]]
    if not is_json:
        return recorded_form(cast(AnyRecord, cls.model_validate(value, strict=True)))
    try:
        made = msgspec.convert(value, struct_of(cls))
        checks_of(cls)(made)
    except (msgspec.ValidationError, ValueError):
        return recorded_form(cast(AnyRecord, cls.model_validate(value, strict=True)))
    found: CurrentRecord = msgspec.to_builtins(made)
    return found


@cache
def struct_of(cls: type[Record]) -> type[msgspec.Struct]:
    """The struct of a declaring class: the same fields, constraints and defaults."""
    fields: list[Any] = []
    for name, info in cls.model_fields.items():
        kind = _constrained(_type_of(info.annotation), info.metadata)
        if name == "record" or info.is_required():  # the recorded form says `record`, default or not
            fields.append((name, kind))
        else:
            default = msgspec.field(default_factory=list) if info.default == [] else info.default
            fields.append((name, kind, default))
    renamed = {name: info.alias for name, info in cls.model_fields.items() if info.alias is not None}
    return msgspec.defstruct(
        cls.__name__ + "Struct",
        fields,
        rename=renamed or None,
        frozen=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        kw_only=True,
    )


def _type_of(annotation: object) -> Any:
    """An annotation of pydantic as one of msgspec."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _constrained(_type_of(args[0]), args[1:])
    if origin in (Union, UnionType):
        return Union[tuple(_type_of(one) for one in args)]  # noqa: UP007 - made of a list
    if origin is list:
        return list[_type_of(args[0])]  # type: ignore[misc]
    if origin is dict:
        return dict[_type_of(args[0]), _type_of(args[1])]  # type: ignore[misc]
    if origin is Literal or annotation in (str, int, float, bool, type(None)):
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return struct_of(annotation)
    raise TypeError(f"no compiled form of {annotation}")


def _constrained(kind: Any, beside: Any) -> Any:
    given = dict(pair for item in beside for pair in _constraints(item))
    return Annotated[kind, msgspec.Meta(**given)] if given else kind


def _constraints(item: object) -> Iterator[tuple[str, Any]]:
    """What is next to a type, in the words of msgspec; what is not known is refused, not passed over."""
    if isinstance(item, _DECLARATIONS):
        return
    if isinstance(item, FieldInfo):
        for one in item.metadata:
            yield from _constraints(one)
        return
    given = {name: found for name in _WORDS if (found := getattr(item, name, None)) is not None}
    if not given:
        raise TypeError(f"no compiled form of {item}")
    if "pattern" in given:  # here alone `$` also matches before a line break at the end
        given["pattern"] = given["pattern"].removesuffix("$") + r"\Z"
    yield from given.items()


@cache
def checks_of(cls: type[Record]) -> Check:
    """The rules over several fields, of a class and of the parts below it; raises ValueError where one is broken."""
    own = [one.func for one in cls.__pydantic_decorators__.model_validators.values()]
    parts = [(name, part) for name, info in cls.model_fields.items() if (part := _below(info.annotation)) is not None]

    def check(struct: object) -> None:
        for name, below in parts:
            value = getattr(struct, name)
            if value:
                below(value)
        for rule in own:
            rule(struct)

    return check


def _below(annotation: object) -> Check | None:
    """How the parts in a field are checked; None where they have no rules."""
    origin, args = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, type) and origin is None and issubclass(annotation, Record):
        has_rules = annotation.__pydantic_decorators__.model_validators or any(
            _below(info.annotation) for info in annotation.model_fields.values()
        )
        return checks_of(annotation) if has_rules else None
    if origin in (list, dict):
        inner = _below(args[-1])
        if inner is None:
            return None
        each = inner

        def check(value: Any) -> None:
            for one in value.values() if isinstance(value, dict) else value:
                each(one)

        return check
    return next(filter(None, map(_below, args)), None)
