"""The exchange form: every record with what is derived from it, as `kg export jsonl` writes it and `kg load claims` reads it."""

from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kg.__about__ import RULES_VERSION
from kg.content.vocabulary import read_vocabulary
from kg.export.sorting import Sorter
from kg.ledger.derived import read_derived
from kg.ledger.ledger import Ledger
from kg.model.derived import Deriver, Keys

if TYPE_CHECKING:
    from kg.graph.graph import Graph

Json = dict[str, Any]
Progress = Callable[[str, int, int], None]
REMEMBERED = 1 << 13
"""So many figures are remembered, so that memory does not grow with the claims."""


def silent(what: str, done: int, total: int) -> None:
    """A progress that tells nothing."""


CLAIM_KEYS = (
    "record", "id", "revision", "supersedes", "statement_key", "utterance", "kind", "modality", "polarity", "subject",
    "subject_label", "subject_printed", "level", "subjects", "baseline", "baseline_label", "baseline_level",
    "baseline_printed", "baseline_status", "metric", "statistic", "normaliser", "relation", "reading", "alternatives",
    "quantity", "statement", "direction", "event", "conditions", "baseline_conditions", "asserted_by", "attributed_to",
    "path", "source", "said_on", "said_on_basis", "as_of", "as_of_basis", "anchor", "cue", "context_anchors", "also_at",
    "same_as", "restates", "derivations", "note", "findings", "status",
)  # fmt: skip
_DEFAULTS: Json = {
    "modality": "stated", "polarity": "affirmed", "normaliser": "unstated", "relation": "absolute", "alternatives": [],
    "conditions": {}, "baseline_conditions": {}, "path": [], "context_anchors": [], "also_at": [], "restates": [],
    "derivations": [],
}  # fmt: skip
_QUANTITY_DEFAULTS: Json = {
    "printed": None, "value": None, "shape": None, "exact": False, "unit": None, "hedge": None, "term": None, "date": None,
    "set": None, "absent": False,
}  # fmt: skip
_WHOLE: Json = {**dict.fromkeys(CLAIM_KEYS), **_DEFAULTS}
"""Every key of a claim, in the order of the contract."""
DERIVED_CLAIM_KEYS = frozenset(
    {"revision", "supersedes", "statement_key", "subject_label", "baseline_label", "findings", "status"}
)
DERIVED_QUANTITY_KEYS = frozenset(
    {"lower", "upper", "canonical_value", "canonical_unit", "canonical_lower", "canonical_upper"}
)


def exchange_records(graph: "Graph", progress: Progress = silent) -> Iterator[Json]:
    """Claims first, then findings, entities, sources; each kind sorted by id. Nothing is held whole."""
    with Records(graph, progress) as records:
        yield from records.exchange()


class Records:
    """The records of a store in the order of the exchange form, kept in sorted runs on disk while they are needed."""

    def __init__(self, graph: "Graph", progress: Progress = silent) -> None:
        self._progress = progress
        self._folder = graph.ledger_folder()
        self._units = read_vocabulary(graph.content).units
        self._derived = (self._folder / "derived", graph.stamp["head"], RULES_VERSION)
        self._claims = Sorter()
        self.labels: dict[str, str] = {}
        self.registry: dict[str, Json] = {}
        """Entities and sources by id: few beside the claims."""
        ledger = Ledger(self._folder)
        manifest = ledger.manifest()
        self.number = 0
        """Of claims."""
        expected = sum(one.records for one in manifest.segments)
        for done, record in enumerate(ledger.current(manifest), 1):
            if record["record"] == "claim":
                self._claims.add(record["id"], record)
                self.number += 1
            elif record["record"] in ("entity", "source"):
                self.registry[record["id"]] = record
                self.labels[record["id"]] = record["label"]
            if done % 4096 == 0:
                progress("reading the ledger", done, expected)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Drop the temporary files."""
        self._claims.close()

    def claims(self) -> Iterator[Json]:
        """Recorded claims by id."""
        for done, record in enumerate(self._claims, 1):
            yield record
            if done % 512 == 0:
                self._progress("writing", done, self.number)

    def things(self, *kinds: str) -> Iterator[Json]:
        """Entities, then sources, each by id."""
        for kind in kinds or ("entity", "source"):
            yield from (one for _, one in sorted(self.registry.items()) if one["record"] == kind)

    def derived(self) -> Iterator[Json]:
        """What was concluded, as it was written down."""
        return read_derived(*self._derived)

    def sorted_derived(self, *kinds: str) -> Sorter:
        """Derived records of some kinds, sorted by the claim they are about; to be closed."""
        sorter = Sorter()
        for one in self.derived():
            if one["record"] in kinds:
                sorter.add(one["claim"], one)
        return sorter

    def findings(self) -> Iterator[Json]:
        """Findings by id."""
        with Sorter() as sorter:
            for one in self.derived():
                if one["record"] == "finding":
                    sorter.add(one["id"], one)
            yield from sorter

    def keyed(self) -> Iterator[tuple[Json, Keys]]:
        """Recorded claims by id with their derived keys."""
        deriver = Deriver(self._units, remember=REMEMBERED)
        for record in self.claims():
            yield record, deriver.keys(record)

    def exchange_claims(self) -> Iterator[Json]:
        """Claims with everything derived from them."""
        with Sorter() as sorter:
            for one in self.derived():
                if one["record"] == "finding":
                    kept = {name: one[name] for name in ("id", "derivation", "verdict")}
                    sorter.add(one["claims"][0]["claim"], kept)
            about = Groups(sorter.items())
            for record, keys in self.keyed():
                yield exchange_claim(record, keys, self.labels, about.of(record["id"]))

    def exchange(self) -> Iterator[Json]:
        """Everything, in the order of the exchange form."""
        yield from self.exchange_claims()
        yield from self.findings()
        yield from self.things()


class Groups:
    """Records under their keys, both sorted: asked for in order of the keys."""

    def __init__(self, items: Iterator[tuple[str, Json]]) -> None:
        self._items = items
        self._next = next(items, None)

    def of(self, key: str) -> list[Json]:
        """The records of a key; keys before it are passed over."""
        found: list[Json] = []
        while self._next is not None and self._next[0] <= key:
            if self._next[0] == key:
                found.append(self._next[1])
            self._next = next(self._items, None)
        return found


def exchange_claim(record: Json, keys: Keys, labels: Mapping[str, str], findings: Any) -> Json:
    """One claim with every key of the contract, derived ones computed."""
    whole: Json = {**_WHOLE, **record}
    whole["statement_key"] = keys.statement
    whole["subject_label"] = labels.get(record["subject"])
    whole["baseline_label"] = labels.get(record.get("baseline", ""))
    whole["status"] = "current"
    whole["findings"] = sorted(one["id"] for one in findings)
    if "quantity" in record:
        whole["quantity"] = _exchange_quantity(record["quantity"], keys)
    verdicts = {one["derivation"]: one["verdict"] for one in findings}
    whole["derivations"] = [
        {"stated_by_text": True, "variant": None, **one, "result": record["id"], "verdict": verdicts.get(position)}
        for position, one in enumerate(record.get("derivations", ()), 1)
    ]
    return whole if len(whole) == len(CLAIM_KEYS) else {key: whole[key] for key in CLAIM_KEYS}


def _exchange_quantity(quantity: Json, keys: Keys) -> Json:
    given = keys.numbers
    return {
        **_QUANTITY_DEFAULTS, **quantity, "lower": given.lower, "upper": given.upper,
        "canonical_value": given.value if given.high is None else [given.value, given.high],
        "canonical_unit": None if keys.canonical is None else keys.canonical.unit,
        "canonical_lower": given.canonical_lower, "canonical_upper": given.canonical_upper,
    }  # fmt: skip


def without_defaults(record: Json) -> Json:
    """A claim without the values that every claim has when nothing is said; the reverse of what the export fills in.

    >>> without_defaults({"id": "x/y", "modality": "stated", "path": [], "quantity": {"value": 1, "exact": False}})
    {'id': 'x/y', 'quantity': {'value': 1}}
    """
    kept = {
        key: one for key, one in record.items() if one is not None and (key not in _DEFAULTS or one != _DEFAULTS[key])
    }
    if "quantity" in kept:
        quantity = kept["quantity"]
        kept["quantity"] = {
            key: one for key, one in quantity.items() if one is not None and one != _QUANTITY_DEFAULTS.get(key)
        }
    if "derivations" in kept:
        kept["derivations"] = [
            {key: one for key, one in given.items() if one is not None and (key, one) != ("stated_by_text", True)}
            for given in kept["derivations"]
        ]
    return kept
