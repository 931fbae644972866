"""The rule of families: a question about a series covers every thing that is printed with its name."""

from collections.abc import Iterator, Mapping
from typing import Final

from kg.content.entities import Registry
from kg.errors import ContentError
from kg.model.names import descendants, name_key
from kg.model.recorded import ThingRecord

_HARDWARE: Final = frozenset(
    {"accelerator", "superchip", "chip-family", "node", "rack", "pod", "cluster", "configuration", "offer"}
)


class FamilyGap(ContentError):
    """A thing that has the name of a family, or an accelerator of it, and is not below it."""

    code = "content.family"


def family_gaps(registry: Registry) -> Iterator[FamilyGap]:
    """Things that a question about their series would miss, and things that take the name of their series.

    A thing belongs below a series of the same maker when one of its names holds a name of the series as whole words ("DGX B300"
    holds "B300"), or when it is a variant of something, or has something inside, that is below it. What is named after two
    series belongs below their common architecture instead.
    """
    below = descendants(registry.records)
    things = {
        name: record
        for name, record in registry.records.items()
        if record["record"] == "entity" and record["kind"] in _HARDWARE
    }
    families = {name: set(below[name]) for name, record in things.items() if record["kind"] == "chip-family"}
    bare = {key: name for name in families for key in _bare_names(registry, things[name])}
    for name, record in sorted(things.items()):
        outside = [
            family
            for family, members in sorted(families.items())
            if name not in members and (_named_after(record, things[family]) or members & set(_made_of(record)))
        ]
        if len(outside) == 1:
            yield FamilyGap(
                field=f"{name}.member_of",
                given=record.get("member_of", "nothing"),
                expected=f"{outside[0]} or a family below it",
            )
        yield from _taken_names(name, record, families, bare)


def _taken_names(
    name: str, record: ThingRecord, families: Mapping[str, set[str]], bare: Mapping[str, str]
) -> Iterator[FamilyGap]:
    """Aliases of a member that are the name of its series: a text that says "H100" may mean any of them."""
    for alias in record.get("aliases", ()):
        family = bare.get(_words(alias), name)
        if name != family and name in families[family]:
            yield FamilyGap(field=f"{name}.aliases", given=alias, expected=f"a name that {family} does not have")


def _bare_names(registry: Registry, family: ThingRecord) -> Iterator[str]:
    """The names of a series as they are, and without the maker in front."""
    maker = _words(registry.label(family.get("maker")) or "")
    for text in (family["label"], *family.get("aliases", ())):
        yield _words(text)
        yield _words(text).removeprefix(f"{maker} ")


def _made_of(record: ThingRecord) -> tuple[str, ...]:
    return tuple(name for name in (record.get("variant_of"), record.get("accelerator_inside")) if name)


def _named_after(record: ThingRecord, family: ThingRecord) -> bool:
    if record.get("maker", family.get("maker")) != family.get("maker"):
        return False
    own = [_words(text) for text in (record["label"], *record.get("aliases", ()))]
    wanted = [_words(text) for text in (family["label"], *family.get("aliases", ()))]
    return any(f" {name} " in f" {text} " for text in own for name in wanted)


def _words(text: str) -> str:
    return " ".join(name_key(text).replace("(", " ").replace(")", " ").replace(",", " ").split())
