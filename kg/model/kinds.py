"""Every kind of node there is: its declaring class, its class in RDF, its label in the property graph, what it is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kg.model.derived_records import (
    AdviceRecord,
    ClaimKeys,
    EchoRecord,
    Explanation,
    FigureKeys,
    FindingRecord,
    MeasuredRecord,
    OriginsRecord,
    Role,
    StepRecord,
)
from kg.model.identifiers import short_hash
from kg.model.json_types import JsonMapping
from kg.model.record import Claim, Entity, Part, Source
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Restatement
from kg.model.terms import Form
from kg.model.vocabulary import FINDING_CLASS
from kg.model.vocabulary_records import MetaRecord, MetricRecord, NameRecord, QuantityKindRecord, UnitRecord


def _own_id(record: Mapping[str, object]) -> str:
    return str(record["id"])


@dataclass(frozen=True, slots=True)
class Grouped:
    """Fields that many records have with the same values: `term` leads to a node that says them once for all of these.

    In a view they stand there alone, in an export on the record itself too. `names` are the fields that make its id.
    """

    term: str
    label: str
    names: tuple[str, ...]

    def uid(self, record: Mapping[str, object]) -> str:
        """The id of the node."""
        return "/".join((self.label.lower(), *(str(record[name]) for name in self.names)))


@dataclass(frozen=True, slots=True)
class Common:
    """Fields that many records have with the same values: `term` leads to a node for each combination, named by its content.

    In a view they stand there alone, in an export on the record itself too. `names` are the fields.
    """

    term: str
    label: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeKind:
    """One kind of node. Several record classes may describe nodes of one label: what is derived of a claim is of the claim.

    `classes` are its classes in RDF, of which the first is that of every such node.
    """

    record: type
    label: str
    about: str
    classes: tuple[str, ...] = ()
    uid: Callable[[JsonMapping], str] = _own_id
    """The id of the node, the same in RDF and in the property graph, but for names."""
    finer: Callable[[JsonMapping], str] | None = None
    """The class in RDF that says more than the base class; the property graph has it as `kind`."""
    typed: Literal["everywhere", "exports", "nowhere"] = "everywhere"
    """A view has a class where a question asks for it; elsewhere the property that leads to a node says its class, and only
    an export writes it. Nowhere: names, steps and roles, which are read by this project alone."""
    owner: str | None = None
    """In a view, nodes that differ in this field only are one: what is said of a step is the same for all claims whose chains
    pass there. An empty name: nothing is said of the node that is its own, so that those of equal content are one."""
    shared_as: str = ""
    """What the id of such a node begins with."""
    grouped: Grouped | None = None
    common: tuple[Common, ...] = ()

    @property
    def cls(self) -> str:
        """The class of every node of this kind."""
        return self.classes[0]

    @property
    def said_elsewhere(self) -> tuple[str, ...]:
        """The fields that a view has on a node which others of this kind lead to as well."""
        grouped = () if self.grouped is None else self.grouped.names
        return (*grouped, *(name for one in self.common for name in one.names))

    def is_shared(self, form: Form) -> bool:
        """Whether records of one content have one node."""
        return self.owner is not None and form == "view"

    def has_class(self, form: Form) -> bool:
        """Whether the triples of a node say its class."""
        return self.typed == "everywhere" or (self.typed == "exports" and form == "export")

    def classes_of(self, record: Mapping[str, object], form: Form) -> tuple[str, ...]:
        """The classes that the triples of a node say: in a view one; others follow from it or are said elsewhere."""
        if not self.has_class(form):
            return ()
        finer = () if self.finer is None else (self.finer(record),)
        return (*self.classes, *finer) if form == "export" else self.classes[:1]


def _step_id(record: Mapping[str, object]) -> str:
    return "step/" + short_hash([record[name] for name in ("claim", "hop", "reaches", "via", "fidelity")])


def finding_class(record: Mapping[str, str]) -> str:
    """The class of a finding, by the first word of its code.

    >>> [finding_class({"code": code}) for code in ("arithmetic.inconsistent", "opposition.words", "whole.parts")]
    ['k:ArithmeticFinding', 'k:ConflictFinding', 'k:ArithmeticFinding']
    """
    return FINDING_CLASS[record["code"].partition(".")[0]]


def _claim_id(record: Mapping[str, object]) -> str:
    return str(record["claim"])


RECORDED: Final = (
    NodeKind(Claim, "Claim", "one statement by someone, with its figure, keys and advice", ("k:Claim",)),
    NodeKind(Entity, "Entity", "a thing claims are about", ("k:Entity",)),
    NodeKind(Source, "Source", "a document, a data set, or a cited thing nobody opened", ("k:Source",)),
    NodeKind(Anchor, "Passage", "where a figure stands", ("k:Passage",), typed="exports"),
    NodeKind(
        Restatement,
        "Restatement",
        "a claim repeats another claim or a source",
        ("k:Restatement",),
        typed="exports",
        owner="",
    ),
    NodeKind(Derivation, "Derivation", "how a figure was computed", ("k:Computation",), typed="exports"),
    NodeKind(DerivationInput, "Usage", "one input of a derivation", ("k:Usage",), typed="exports", owner=""),
    NodeKind(Event, "Event", "who did what with whom, when", ("k:Event",), typed="exports"),
    NodeKind(Part, "Composition", "a whole holds a part", ("k:Composition",), typed="exports"),
)
"""What is recorded. The figure of a claim is a node in RDF and lies inline on its claim in the property graph."""
QUANTITY: Final = NodeKind(Quantity, "Claim", "a figure as printed", ("k:Quantity",), typed="exports", owner="")
CLAIM_KEYS: Final = NodeKind(ClaimKeys, "Claim", "what follows from one claim alone")
FIGURE_KEYS: Final = NodeKind(FigureKeys, "Claim", "the figure of a claim in the canonical unit of its kind")
METRIC: Final = NodeKind(
    MetricRecord,
    "Metric",
    "a base quantity",
    ("k:Metric", "skos:Concept", "sosa:ObservableProperty"),
    lambda record: f"metric/{record['name']}",
)
QUANTITY_KIND: Final = NodeKind(
    QuantityKindRecord,
    "QuantityKind",
    "a kind of quantity",
    ("k:QuantityKind",),
    lambda record: f"quantity-kind/{record['name']}",
    typed="exports",
)
UNIT: Final = NodeKind(
    UnitRecord, "Unit", "a unit of measure", ("k:Unit",), lambda record: f"unit/{record['name']}", typed="exports"
)
NAME: Final = NodeKind(
    NameRecord,
    "Name",
    "a name as it is compared, with what it names and what it covers",
    ("k:Name",),
    lambda record: f"name/{record['key']}",
    typed="nowhere",
)
META: Final = NodeKind(MetaRecord, "Meta", "what the graph was made from", ("k:Meta",), lambda record: "meta")
DERIVED: Final[dict[str, NodeKind]] = {
    "finding": NodeKind(
        FindingRecord,
        "Finding",
        "one judgement of the audit",
        ("k:Finding",),
        finer=finding_class,
        typed="exports",
        grouped=Grouped("k:judgement", "Judgement", ("code", "severity", "verdict")),
    ),
    "step": NodeKind(
        StepRecord,
        "TraceStep",
        "one hop of a chain, worked out beforehand: no question recurses",
        ("k:TraceStep",),
        _step_id,
        typed="nowhere",
        owner="claim",
        shared_as="step",
    ),
    "echo": NodeKind(EchoRecord, "EchoCluster", "claims that repeat one another", ("k:EchoCluster",)),
    "measured": NodeKind(
        MeasuredRecord,
        "DerivedResult",
        "a row worked out from published results: best, gain, cost, efficiency",
        ("k:DerivedResult",),
        typed="exports",
        common=(
            Common(
                "k:inSetting",
                "Setting",
                ("task", "model", "scenario", "round", "category", "division", "availability"),
            ),
            Common("k:ofResult", "Result", ("accelerator", "submitter", "claim", "entry", "accelerators")),
        ),
    ),
    "advice": NodeKind(AdviceRecord, "Claim", "whether a claim can be used", uid=_claim_id),
    "origins": NodeKind(OriginsRecord, "Claim", "how often a claim is said", uid=_claim_id),
}
"""What is derived, by the name of the record; advice and counts are further properties of their claim."""
BELOW_DERIVED: Final = (
    NodeKind(Explanation, "Explanation", "what may explain a finding", ("k:Explanation",), typed="exports"),
    NodeKind(Role, "Role", "a further claim of a finding, in a role", ("k:Role",), typed="nowhere", owner=""),
)
KINDS: Final = (
    *RECORDED,
    QUANTITY,
    CLAIM_KEYS,
    FIGURE_KEYS,
    METRIC,
    QUANTITY_KIND,
    UNIT,
    NAME,
    META,
    *DERIVED.values(),
    *BELOW_DERIVED,
)
"""All of them."""
KIND_OF: Final = {one.record: one for one in KINDS}
"""The kind of node that a declaring class describes."""
