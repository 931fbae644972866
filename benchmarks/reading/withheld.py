"""What only one document brought: names that are not known while that document is the one measured.

Entities of the files made from published data stay. Of the others, one that only claims of the document link to is
withheld whole (the families and makers of what published files name stay), and an alias that stands in its text and in no other curated text is withheld singly.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import yaml

from kg.content.claim_expander import entity_links
from kg.content.documents import Document
from kg.content.entities import Registry
from kg.content.folders import Content
from kg.model.names import name_key
from kg.reading.known_names import Withheld

Json = Any
_PUBLISHED: Final = ("accelerators.yaml", "benchmarks.yaml", "published-*.yaml")

_LINKS: Final = ("maker", "member_of", "variant_of", "of", "accelerator_inside", "model", "suite")
_NOT_WORD: Final = re.compile(r"[^\w. ]+")


def withheld_of(
    source: str, claims: Iterable[Json], documents: Mapping[str, Document], registry: Registry, content: Content
) -> Withheld:
    """The things and aliases that nothing but this source brought."""
    digest = registry.records[source]["sha256"]
    published = _published(registry, content)
    own: set[str] = set()
    others: set[str] = set()
    for claim in claims:
        (own if claim["source"] == source else others).update(name for _, name in entity_links(claim))
    ids = frozenset(own - others - published)
    texts = {key: _key_text(document.text) for key, document in documents.items()}
    aliases = frozenset(
        (identifier, alias)
        for identifier, record in registry.records.items()
        if record["record"] == "entity" and identifier not in ids and identifier not in published
        for alias in (record["label"], *record.get("aliases", ()))
        if _in(alias, texts[digest]) and not any(_in(alias, text) for key, text in texts.items() if key != digest)
    )
    return Withheld(ids, aliases)


def _published(registry: Registry, content: Content) -> set[str]:
    """What the published files brought: their entity files, the patterns that read their names, and what these link to."""
    found = {
        record["id"]
        for pattern in _PUBLISHED
        for path in (content.seeds / "entities").glob(pattern)
        for record in yaml.safe_load(path.read_text(encoding="utf-8"))
    }
    found |= {str(rule.value["id"]) for rule in registry.rules if isinstance(rule.value, dict) and "id" in rule.value}
    todo = list(found)
    while todo:
        record = registry.records.get(todo.pop(), {})
        for link in _LINKS:
            if record.get(link) and record[link] not in found:
                found.add(record[link])
                todo.append(record[link])
    return found


def _key_text(text: str) -> str:
    return f" {_NOT_WORD.sub(' ', name_key(text))} "


def _in(alias: str, text: str) -> bool:
    return _key_text(alias) in text
