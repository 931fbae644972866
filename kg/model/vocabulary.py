"""Namespaces, the closed lists of words a record may use, and how an id becomes an IRI."""

import re
from functools import lru_cache
from typing import Final, Literal, get_args
from urllib.parse import quote, unquote

ONTOLOGY: Final = "https://w3id.org/accelkg/ontology#"
THINGS: Final = "https://w3id.org/accelkg/id/"

PREFIXES: Final[dict[str, str]] = {
    "k": ONTOLOGY,
    "id": THINGS,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "https://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "oa": "http://www.w3.org/ns/oa#",
    "qudt": "http://qudt.org/schema/qudt/",
    "unit": "http://qudt.org/vocab/unit/",
    "quantitykind": "http://qudt.org/vocab/quantitykind/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "spdx": "http://spdx.org/rdf/terms#",
    "dcterms": "http://purl.org/dc/terms/",
    "cito": "http://purl.org/spar/cito/",
    "sosa": "http://www.w3.org/ns/sosa/",
    "fair4ml": "https://w3id.org/fair4ml/",
    "sh": "http://www.w3.org/ns/shacl#",
}

Kind = Literal[
    "specification", "measurement", "comparison", "price", "market", "reliability", "event", "projection", "qualitative"
]
Modality = Literal["stated", "expected", "assumed", "required", "recommended", "opinion"]
Polarity = Literal["affirmed", "negated"]
Level = Literal[
    "die",
    "accelerator",
    "superchip",
    "node",
    "rack",
    "pod",
    "cluster",
    "family",
    "model",
    "software",
    "organisation",
    "market",
    "technology",
    "group",
    "offer",
    "other",
]
Relation = Literal[
    "ratio", "increase", "decrease", "times-less", "share-of", "difference", "points", "order", "absolute"
]
Reading = Literal["as-ratio", "as-increase", "as-times-less", "as-decrease", "as-share", "as-points"]
Normaliser = Literal[
    "total",
    "per-chip",
    "per-superchip",
    "per-node",
    "per-server",
    "per-rack",
    "per-watt",
    "per-dollar",
    "per-tco",
    "per-token",
    "per-million-tokens",
    "per-user",
    "per-request",
    "per-gb",
    "per-gpu-hour",
    "per-month",
    "per-run",
    "unstated",
]
Hedge = Literal[
    "over",
    "at-least",
    "up-to",
    "less-than",
    "about",
    "roughly",
    "nearly",
    "more-than",
    "close-to",
    "below",
    "around",
    "only",
    "as-high-as",
    "as-low-as",
]
Shape = Literal["interval", "span", "magnitude"]
Direction = Literal["higher", "lower", "similar", "not-higher", "not-lower", "present", "absent"]
DENIALS: Final = ("absent", "not-higher", "not-lower")
"""Directions that hold a negation themselves: the only ones of a negated claim."""
ALWAYS_NEGATED: Final = ("not-higher", "not-lower")
"""Directions that deny an order, so that a claim with one of them is negated; a lack is stated as well as denied."""
PRESENCE: Final = ("present", "absent")
"""Directions that order nothing, so that no comparison has them."""
SENSE: Final[dict[str, int]] = {"higher": 1, "not-lower": 1, "lower": -1, "not-higher": -1}
"""The sign of a direction that orders: more of something, or less."""
OPPOSITE: Final[dict[str, Direction]] = {"increase": "lower", "decrease": "higher", "times-less": "higher"}
"""The direction that contradicts a relation."""
BaselineStatus = Literal["named", "implied", "unstated"]
Fidelity = Literal[
    "identical",
    "rounded",
    "unit-changed",
    "condition-dropped",
    "condition-added",
    "subject-broadened",
    "value-changed",
    "modality-raised",
    "hedge-dropped",
    "attribution-changed",
    "wording-altered",
    "not-found",
    "unverified",
]
ConditionStatus = Literal["stated", "inferred", "assumed", "not-applicable", "unstated"]
ConditionName = Literal[
    "model",
    "benchmark",
    "round",
    "rounds",
    "task",
    "scenario",
    "division",
    "availability",
    "precision",
    "sparsity",
    "aggregation",
    "accelerators",
    "accelerators_mean",
    "tested_on",
    "workload",
    "phase",
    "framework",
    "software",
    "parallelism",
    "sequence_length",
    "context_length",
    "training_tokens",
    "batch",
    "provider",
    "buyer",
    "customer",
    "operator",
    "region",
    "offer",
    "term",
    "includes",
    "excludes",
    "boundary",
    "period",
    "latency_limit",
    "concurrency",
    "category",
    "entry",
    "date",
]
EntityKind = Literal[
    "accelerator",
    "superchip",
    "node",
    "rack",
    "pod",
    "cluster",
    "configuration",
    "chip-family",
    "architecture",
    "cpu",
    "interconnect",
    "dense-model",
    "moe-model",
    "diffusion-model",
    "unknown-architecture-model",
    "model-class",
    "benchmark-suite",
    "benchmark-round",
    "benchmark-task",
    "scenario",
    "division",
    "precision",
    "vendor",
    "organisation",
    "person",
    "software-agent",
    "group",
    "software",
    "technology",
    "market",
    "programme",
    "offer",
    "reference-thing",
    "gap",
    "figure",
]
SourceKind = Literal["source", "unresolved-source"]
SourceForm = Literal["report", "blog", "news", "paper", "documentation", "dataset", "listing", "unknown"]

CONDITION_NAMES: Final[frozenset[str]] = frozenset(get_args(ConditionName))
PUBLISHED_FORM: Final[SourceForm] = "dataset"
"""The form of sources that are files of rows, not texts."""
RATIO_RELATIONS: Final[frozenset[str]] = frozenset({"ratio", "increase", "decrease", "times-less", "share-of"})

CLAIM_CLASS: Final[dict[str, str]] = {kind: f"k:{kind.capitalize()}Claim" for kind in get_args(Kind)}
_NAMED_OTHERWISE: Final = {"node": "ComputeNode", "rack": "RackSystem", "cpu": "CPU", "moe-model": "MoEModel"}
"""Kinds whose class is not called as they are."""
ENTITY_CLASS: Final[dict[str, str]] = {
    kind: f"k:{_NAMED_OTHERWISE.get(kind) or ''.join(map(str.capitalize, kind.split('-')))}"
    for kind in (*get_args(EntityKind), *get_args(SourceKind))
}
FINDING_CLASS: Final[dict[str, str]] = {
    "arithmetic": "k:ArithmeticFinding",
    "unit": "k:UnitFinding",
    "conflict": "k:ConflictFinding",
    "scope": "k:ScopeFinding",
    "citation": "k:CitationFinding",
    "plausibility": "k:PlausibilityFinding",
    "chronology": "k:ChronologyFinding",
    "naming": "k:NamingFinding",
    "gap": "k:GapFinding",
    "direction": "k:ConflictFinding",
    "opposition": "k:ConflictFinding",
    "whole": "k:ArithmeticFinding",
    "identity": "k:ArithmeticFinding",
    "format": "k:UnitFinding",
    "gains": "k:ConflictFinding",
    "ranges": "k:ScopeFinding",
}
"""The class of a finding, by the first word of its code."""

# What a path of an IRI may hold as it is (RFC 3987); the rest is written as percent escapes.
_SAFE: Final = "/-._~:@!$&'()*+,;="
_PLAIN: Final = re.compile(r"[A-Za-z0-9/\-._~:@!$&'()*+,;=]*").fullmatch
"""Whether a name needs no quoting, as nearly all do."""


@lru_cache(maxsize=4096)
def expand(curie: str) -> str:
    """The full IRI of a prefixed name.

    >>> expand("k:Claim")
    'https://w3id.org/accelkg/ontology#Claim'
    """
    prefix, _, name = curie.partition(":")
    return PREFIXES[prefix] + name


def thing_iri(identifier: str) -> str:
    """The IRI of an entity, source, metric, unit or other thing of ours.

    >>> thing_iri("accelerator/nvidia-h200-sxm-141gb")
    'https://w3id.org/accelkg/id/accelerator/nvidia-h200-sxm-141gb'
    >>> thing_iri("unit/J token")
    'https://w3id.org/accelkg/id/unit/J%20token'
    """
    return THINGS + escaped(identifier)


@lru_cache(maxsize=1 << 14)  # the same few things are named by one claim after another
def escaped(identifier: str) -> str:
    """An id as a path or a fragment of an IRI has it.

    >>> escaped("system/a"), escaped("system/a[1]")
    ('system/a', 'system/a%5B1%5D')
    """
    return identifier if _PLAIN(identifier) else quote(identifier, safe=_SAFE)


def claim_iri(identifier: str) -> str:
    """The IRI of a claim.

    >>> claim_iri("002/r1.gb200.offline.total")
    'https://w3id.org/accelkg/id/claim/002/r1.gb200.offline.total'
    """
    return f"{THINGS}claim/{escaped(identifier)}"


def thing_id(iri: str) -> str:
    """The id inside one of our IRIs; any other IRI comes back as it is.

    >>> thing_id("https://w3id.org/accelkg/id/claim/002/r1.gb200.offline.total")
    '002/r1.gb200.offline.total'
    """
    if not iri.startswith(THINGS):
        return iri
    name = unquote(iri[len(THINGS) :])
    return name.removeprefix("claim/")


def pasted_id(given: str) -> str:
    """An id as people copy it, in the form that commands show: of one of our IRIs, and of a claim with what that begins with.

    >>> pasted_id("https://w3id.org/accelkg/id/claim/002/a"), pasted_id("claim/002/a"), pasted_id("H200")
    ('002/a', '002/a', 'H200')
    """
    short = thing_id(given)
    rest = short.removeprefix("claim/")
    return rest if "/" in rest else short
