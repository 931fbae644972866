"""The curated content, read once for the tests that assert what is known of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kg.audit.chains import Step, Texts, citation_steps, derivation_steps
from kg.content.claims import read_claims
from kg.content.documents import Document, attach
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content, find_content
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.model.derived import Deriver
from kg.model.names import descendants
from kg.model.recorded import ClaimRecord

CHECKOUT = Path(__file__).resolve().parents[2]
NO_TEXTS = Texts({})
DOCUMENTS = CHECKOUT.parent / "shared" / "seeds"


@dataclass(frozen=True)
class Seeds:
    content: Content
    registry: Registry
    vocabulary: Vocabulary
    claims: dict[str, Any]

    @property
    def texts(self) -> Texts:
        return Texts.of(self.registry.records)

    @property
    def covers(self) -> dict[str, tuple[str, ...]]:
        return descendants(self.registry.records)

    @property
    def better(self) -> dict[str, str]:
        return {name: metric.direction for name, metric in self.vocabulary.metrics.items()}

    @property
    def deriver(self) -> Deriver:
        return Deriver(self.vocabulary.units)

    def documents(self) -> dict[str, Document]:
        wanted = {one["sha256"]: one["document"] for one in self.registry.records.values() if one.get("sha256")}
        return attach(DOCUMENTS, wanted)


@cache
def seeds() -> Seeds:
    content = find_content(CHECKOUT)
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    claims = {record["id"]: record for record in read_claims(content, registry, vocabulary)}
    return Seeds(content, registry, vocabulary, claims)


def claim(name: str, **fields: Any) -> Any:
    """A small claim in its recorded form: what a case leaves out stays at its default."""
    plain = {
        "id": name,
        "kind": "measurement",
        "subject": "accelerator/x",
        "level": "accelerator",
        "metric": "throughput",
        "asserted_by": "org/author",
        "source": "source/report",
    }
    return {key: value for key, value in {**plain, **fields}.items() if value is not None}


def citations(claims: Mapping[str, ClaimRecord], texts: Texts = NO_TEXTS) -> Iterator[Step]:
    """What each of some claims repeats, step by step."""
    return (step for one in claims.values() for step in citation_steps(one, claims.get, texts))


def derivations(claims: Mapping[str, ClaimRecord], texts: Texts = NO_TEXTS) -> Iterator[Step]:
    """What each of some claims is computed from, step by step."""
    return (step for one in claims.values() for step in derivation_steps(one, claims.get, texts))
