"""Which terms of the ontology the declared fields of a class are written with, and in which of the two forms."""

from collections.abc import Iterator

from kg.model.terms import (
    External,
    Form,
    Head,
    Inline,
    Inner,
    Link,
    Prop,
    below,
    declarations,
    declared,
)


def terms_of(cls: type) -> Iterator[tuple[str, str]]:
    """The terms that the fields of a class are written with, each with `@id`, the datatype of its literals, or "" for text."""

    def datatype(prop: Prop) -> str:
        return "" if prop.datatype in ("string", "date") else f"xsd:{prop.datatype}"

    for _, annotation, item in declarations(cls):
        part = below(annotation)
        if isinstance(item, Prop) and item.term:
            yield item.term, datatype(item)
        elif isinstance(item, Link | Inner | External):
            yield item.term, "@id"
            if isinstance(item, Inner) and item.position is not None:
                yield item.position.term, datatype(item.position)
        elif isinstance(item, Head):
            yield item.link.term, "@id"
        elif isinstance(item, Inline) and part is not None:
            yield from (
                (f"k:{item.prefix}{field.term}", datatype(field))
                for _, field in declared(part)
                if isinstance(field, Prop)
            )


def is_written(item: object, form: Form) -> bool:
    """Whether a field has triples in a form."""
    return not (isinstance(item, Prop | Link | External) and item.exported and form == "view")
