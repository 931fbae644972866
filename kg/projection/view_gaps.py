"""What the triples of a store leave out that an export says: classes, defaults, what no saved question reads (decisions 32, 34)."""

from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import Final

from kg.model.kinds import KINDS
from kg.model.terms import External, Inner, Link, Prop, declarations
from kg.model.vocabulary import FINDING_CLASS

_FOR_OTHER_TOOLS: Final = (
    "dcterms:identifier",
    "dcterms:license",
    "oa:end",
    "oa:hasSelector",
    "oa:start",
    "prov:wasAttributedTo",
    "prov:wasDerivedFrom",
    "prov:wasQuotedFrom",
    "prov:wasRevisionOf",
    "qudt:hasQuantityKind",
    "qudt:symbol",
    "qudt:ucumCode",
    "rdfs:label",
    "skos:altLabel",
    "skos:example",
)
"""What tools read that know these vocabularies and not ours; written where no declaration of a field is (`kg.projection.provenance`,
`kg.projection.triples`, `kg.projection.measures`)."""


_NO_CLASS: Final = "is no class that a store says: the property that leads to such a node does"
_NOTHING: Final = "is not said in a store"


@cache
def left_out() -> MappingProxyType[str, str]:
    """By term what a store does not say of it: nothing, or one value that goes without saying."""
    found = dict.fromkeys(_FOR_OTHER_TOOLS, _NOTHING)
    said: set[str] = set()
    for kind in KINDS:
        common = [f"k:{one.label}" for one in kind.common]
        common += [f"k:{kind.grouped.label}"] if kind.grouped is not None else []
        unsaid = common if kind.has_class("view") else [*kind.classes, *common]
        found |= dict.fromkeys((*unsaid, *kind.classes[1:]), _NO_CLASS)
        for _, _, item in declarations(kind.record):
            found |= dict(_of_field(item))
            said.update(_said(item))
    # a label that a unit has in an export only is said of things
    found = {term: gap for term, gap in found.items() if gap != _NOTHING or term not in said}
    found |= dict.fromkeys(("k:Conditions", "k:Snapshot", *FINDING_CLASS.values()), _NO_CLASS)
    found["k:kind"] = "is said in a store where no class says it"
    found |= dict.fromkeys(("k:inputName", "k:recordedForm", "k:revision"), _NOTHING)
    return MappingProxyType(found)


def _said(item: object) -> Iterator[str]:
    """The term of a field of which a store says every value."""
    if isinstance(item, Prop | Link | External) and not item.exported and getattr(item, "implied", None) is None:
        yield item.term


def _of_field(item: object) -> Iterator[tuple[str, str]]:
    if isinstance(item, Prop) and item.term and item.implied is not None:
        yield item.term, f"is not said in a store where it is {item.implied!r}"
    elif isinstance(item, Prop | Link | External) and item.term and item.exported:
        yield item.term, _NOTHING
    elif isinstance(item, Inner) and item.follows is not None:
        yield item.term, "is not said in a store where other triples of the record say the same"
