"""Things and sources as nodes of a picture, and the table of what they are linked to."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kg.answers.asking import Asker, said, text
from kg.answers.claim import ClaimCard
from kg.model.identifiers import is_source_id
from kg.render.looks import LOOKS
from kg.render.scene import Fact, Kind, SceneEdge, SceneNode, SceneTable

ASKED_AT_ONCE: Final = 500
"""Ids that are given to a saved question in one go."""
_MOST_LINKS: Final = 30
_TITLE: Final = 60
_KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("accelerator", "chip-family", "cpu"), "chip"),
    **dict.fromkeys(("superchip", "node", "rack", "pod", "cluster", "configuration"), "system"),
    **dict.fromkeys(
        ("dense-model", "moe-model", "diffusion-model", "unknown-architecture-model", "model-class"), "model"
    ),
    **dict.fromkeys(
        ("benchmark-suite", "benchmark-round", "benchmark-task", "scenario", "division", "precision"), "benchmark"
    ),
    **dict.fromkeys(("organisation", "vendor", "person", "software-agent", "group"), "who"),
    "source": "source",
    "unresolved-source": "unopened",
}


def class_of(identifier: str, kind: str | None) -> Kind:
    """The class in which a thing is drawn.

    >>> class_of("system/x", "rack"), class_of("unresolved/x", None), class_of("technology/hbm", "technology")
    ('system', 'unopened', 'thing')
    """
    if kind is not None and kind in _KINDS:
        return _KINDS[kind]
    start = identifier.partition("/")[0]
    return {"org": "who", "source": "source", "unresolved": "unopened", "model": "model"}.get(start, "thing")  # type: ignore[return-value]


def short(label: str) -> str:
    """A label without the explanation behind it and the name of the one maker that most things have.

    >>> short("NVIDIA GB200 GPU (one Blackwell GPU of a GB200 superchip)"), short("NVIDIA")
    ('GB200 GPU', 'NVIDIA')
    """
    # Meets an explanation in brackets at the end: "(one Blackwell GPU of a GB200 superchip)".
    bare = re.sub(r" \([^()]*\)$", "", label) or label
    return bare.removeprefix("NVIDIA ") or bare


@dataclass(slots=True)
class KnownThings:
    """Reads things and sources and makes their nodes."""

    asker: Asker
    rows: dict[str, Mapping[str, object]] = field(default_factory=dict)

    def read(self, names: Iterable[str]) -> None:
        """Ask for what is not known yet."""
        fresh = [one for one in dict.fromkeys(names) if one not in self.rows]
        for start in range(0, len(fresh), ASKED_AT_ONCE):
            part = fresh[start : start + ASKED_AT_ONCE]
            for row in self.asker.rows("entities/card", thing=part):
                self.rows.setdefault(text(row, "thing"), row)
        missing = [one for one in fresh if one not in self.rows and is_source_id(one)]
        for row in self.asker.rows("sources/card", source=missing) if missing else []:
            self.rows.setdefault(text(row, "source"), row)

    def label(self, name: str) -> str:
        """The name of a thing, its id where it has none."""
        row = self.rows.get(name)
        return (said(row, "label") if row is not None else None) or name  # type: ignore[arg-type]

    def node(self, name: str, *, column: int = 0, claims: int = 0, weight: float = 1.0) -> SceneNode:
        """A thing or source as a node."""
        row = self.rows.get(name)
        kind = said(row, "kind") if row is not None else None  # type: ignore[arg-type]
        facts: list[Fact] = [("is", self.label(name)), *([("kind", kind)] if kind else []), ("id", name)]
        if claims:
            facts.append(("claims here", f"{claims:,}"))
        return SceneNode(
            name,
            class_of(name, kind),
            short(self.label(name)),
            facts=tuple(facts),
            more=tuple(self._more(row)),
            column=column,
            weight=weight,
        )

    def _more(self, row: Mapping[str, object] | None) -> Iterable[Fact]:
        for key, value in (row or {}).items():
            if key not in ("thing", "source", "label", "kind") and value not in (None, "no"):
                yield key.replace("_", " "), str(value)


def link_table(nodes: Iterable[SceneNode], edges: Sequence[SceneEdge]) -> SceneTable:
    """The things of a picture with what they are linked to, so that nothing is in the picture alone."""
    kept = list(nodes)
    labels = {node.id: " ".join(node.label.split()) for node in kept}
    linked: dict[str, list[str]] = {}
    for one in edges:
        linked.setdefault(one.source, []).append(f"{one.label} {labels.get(one.target, one.target)}".strip())
    rows = []
    for node in kept:
        if node.kind not in ("claim", "bundle"):
            own = linked.get(node.id, [])
            links_text = "; ".join(own[:_MOST_LINKS]) + (
                f"; and {len(own) - _MOST_LINKS} more" if len(own) > _MOST_LINKS else ""
            )
            rows.append((node.id, (labels[node.id], LOOKS[node.kind].name, links_text, node.id)))
    return SceneTable(
        "Things, sources, calculations, findings", ("name", "class", "linked to", "id"), tuple(sorted(rows))
    )


def brief_title(label: str) -> str:
    """The title of a source in a few words: without what follows a comma or is in parentheses.

    >>> brief_title("MLPerf Inference v5.1 results (summary of the results repository)"), brief_title("A report, part 2")
    ('MLPerf Inference v5.1', 'A report')
    """
    # Meets what a title goes on with: " results …", a comma, an explanation in brackets.
    bare = re.split(r" results\b|, | \(", label, maxsplit=1)[0]
    return textwrap.shorten(bare or label, _TITLE, placeholder=" …")


def source_labels(things: KnownThings, cards: Iterable[ClaimCard]) -> dict[str, str]:
    """The sources of claims with labels for the filter."""
    names = sorted({card.source.id for card in cards})
    things.read(names)
    return {name: f"{name.partition('/')[2]}: {short(things.label(name))}"[:60] for name in names}
