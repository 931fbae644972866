"""What the vocabulary holds in addition to classes and properties, declared once: metrics, units, kinds of quantity, names; and the
node that says what a view was made from."""

from typing import Annotated, Final, TypedDict

from kg.model.terms import External, Link, Prop

_BY_ID: Final = "readers of Dublin Core; the IRI ends in it"
_UNITS: Final = "readers of QUDT; units are computed from units.yaml"


class MetricRecord(TypedDict, total=False):
    """A base quantity."""

    name: Annotated[str, Prop("dcterms:identifier", exported=_BY_ID)]
    label: Annotated[str, Prop("skos:prefLabel")]
    definition: Annotated[str, Prop("skos:definition")]
    example: Annotated[str, Prop("skos:example", exported="readers of the vocabulary")]
    direction: Annotated[str, Prop("k:betterDirection", name="better")]
    data_sheet: Annotated[int, Prop("k:dataSheetPlace", "integer")]
    synonyms: Annotated[list[str], Prop("skos:altLabel", name="aliases", exported="readers of SKOS")]
    keys: Annotated[list[str], Prop("skos:hiddenLabel")]
    kinds: Annotated[
        list[str],
        Link(
            "qudt:hasQuantityKind",
            "OF_KIND",
            "quantity-kind",
            exported=_UNITS,
        ),
    ]


class QuantityKindRecord(TypedDict, total=False):
    """A kind of quantity, with its canonical unit and its QUDT twin."""

    name: Annotated[str, Prop("dcterms:identifier", exported=_BY_ID)]
    label: Annotated[str, Prop("skos:prefLabel", exported=_UNITS)]
    canonical: Annotated[str, Link("k:kindUnit", "KIND_UNIT", "unit", exported=_UNITS)]
    qudt: Annotated[str, External("k:qudtKind", "quantitykind:", _UNITS)]


class UnitRecord(TypedDict, total=False):
    """A unit of measure, with its QUDT twin or what it is built from."""

    name: Annotated[
        str, Prop("dcterms:identifier", exported=_BY_ID), Prop("qudt:symbol", name="", exported="readers of QUDT")
    ]
    factor: Annotated[str, Prop("k:factor", exported=_UNITS)]
    kind: Annotated[
        str,
        Link(
            "qudt:hasQuantityKind",
            "OF_KIND",
            "quantity-kind",
            exported=_UNITS,
        ),
    ]
    names: Annotated[list[str], Prop("skos:altLabel", name="aliases", exported="readers of SKOS")]
    qudt: Annotated[str, External("k:qudtUnit", "unit:", _UNITS)]
    ucum: Annotated[str, Prop("qudt:ucumCode", name="", exported="readers of UCUM")]
    built_from: Annotated[list[str], External("k:builtFrom", "unit:", _UNITS)]
    note: Annotated[str, Prop("skos:note")]


class NameRecord(TypedDict):
    """A name as it is compared, with what it names and what a question about it covers."""

    key: Annotated[str | list[str], Prop("k:nameKey")]
    names: Annotated[list[str], Link("k:names", "NAMES")]
    covers: Annotated[list[str], Link("k:covers", "COVERS")]


class MetaRecord(TypedDict):
    """What a view was made from."""

    head: Annotated[str, Prop("k:head")]
    content: Annotated[str, Prop("k:contentDigest")]
    version: Annotated[str, Prop("k:packageVersion")]
    fingerprint: Annotated[str, Prop("")]
    rules: Annotated[int, Prop("", "integer")]
    claims: Annotated[int, Prop("k:claimCount", "integer")]
    state: Annotated[str, Prop("")]
