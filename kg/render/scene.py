"""A picture before it is drawn: nodes, edges, the tables with the same rows, and what must be said with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, get_args

from kg.model.result import presenter
from kg.model.verdict import VERDICTS

if TYPE_CHECKING:
    from kg.answers.sheet import Sheet

Kind = Literal[
    "claim",
    "chip",
    "system",
    "model",
    "benchmark",
    "who",
    "thing",
    "source",
    "unopened",
    "calculation",
    "finding",
    "measure",
    "bundle",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Layout = Literal["layers", "near", "blocks"]
"""From left to right, next to what it is linked to, or one block for each hub."""
Fact = tuple[str, str]
"""A label and the text next to it."""

MOST_IN_THE_OPEN = 150
"""Claims drawn one by one; in a larger picture the claims of one thing are drawn as one bundle that opens."""
LEAST_IN_A_BUNDLE = 3
HINT: Final = "Search and filters reach the claims inside."
MOST_AT_FIRST: Final = 36
"""Claims that a large picture opens on: what stands on a screen with letters that can be read."""


@dataclass(frozen=True, slots=True)
class SceneNode:
    """One thing of a picture. `facts` are shown on hovering, `facts` and `more` when it is opened."""

    id: str
    kind: Kind
    label: str
    facts: tuple[Fact, ...] = ()
    more: tuple[Fact, ...] = ()
    source: str | None = None
    date: str | None = None
    findings: tuple[tuple[str, str], ...] = ()
    """Severity and code of each finding about it."""
    verdict: str | None = None
    column: int = 0
    """Its place from left to right in a layered picture."""
    hub: str | None = None
    """The node whose bundle it joins when there are too many claims."""
    bundle: str | None = None
    weight: float = 1.0
    """How large its letters are, as a multiple of the usual size."""


@dataclass(frozen=True, slots=True)
class SceneEdge:
    """A line from one node to another with what it says."""

    source: str
    target: str
    label: str = ""
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class SceneTable:
    """Rows below a picture; each belongs to a node."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Scene:
    """Everything a page shows. `notes` say what was cut or left out."""

    title: str
    about: str
    nodes: tuple[SceneNode, ...]
    edges: tuple[SceneEdge, ...]
    tables: tuple[SceneTable, ...]
    layout: Layout = "near"
    focus: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    """Source ids with their labels, for the filter."""
    questions: tuple[str, ...] = ()
    made_from: tuple[Fact, ...] = ()
    sheet: Sheet | None = None
    """The spec sheet that stands before the picture of a thing."""
    first: frozenset[str] = frozenset()
    """The nodes that a large picture opens on: disputes and comparisons with their things. Empty: all of it."""

    def to_html(self) -> str:
        """The page: one file that needs nothing else."""
        return presenter().page(self)

    def to_svg(self) -> str:
        """One drawing, of a large picture what it opens on; it needs nothing else either."""
        return presenter().drawing(self)

    def __repr__(self) -> str:
        """The title and the size."""
        return f"<Scene {self.title}: {len(self.nodes):,} nodes, {len(self.edges):,} lines>"

    def _repr_svg_(self) -> str:
        """For notebooks."""
        return self.to_svg()

    @property
    def hint(self) -> str:
        """How a note ends that says how to use the picture, not what is missing in it."""
        return HINT

    @property
    def claims(self) -> int:
        """How many claims are in it."""
        return sum(node.kind == "claim" for node in self.nodes)


def tidy(scene: Scene) -> Scene:
    """One node an id, each edge once and between nodes that are there, all in a fixed order.

    >>> scene = tidy(Scene("", "", (SceneNode("b", "thing", "B"), SceneNode("a", "thing", "A"), SceneNode("a", "who", "again")),
    ...                    (SceneEdge("a", "b"), SceneEdge("a", "b"), SceneEdge("a", "c")), ()))
    >>> [node.label for node in scene.nodes], len(scene.edges)
    (['A', 'B'], 1)
    """
    nodes: dict[str, SceneNode] = {}
    for node in scene.nodes:
        nodes.setdefault(node.id, node)
    edges = {
        (one.source, one.target, one.label): one for one in scene.edges if one.source in nodes and one.target in nodes
    }
    return replace(
        scene, nodes=tuple(nodes[name] for name in sorted(nodes)), edges=tuple(edges[key] for key in sorted(edges))
    )


def bundled(scene: Scene, *, most: int = MOST_IN_THE_OPEN, least: int = LEAST_IN_A_BUNDLE) -> Scene:
    """Put the claims of each hub into one bundle when there are more than `most` claims.

    The claims stay in the picture: a bundle opens when it is clicked, and the lines of its claims are drawn as one line
    for each end, with their number.
    """
    if scene.claims <= most:
        return scene
    members: dict[str, list[SceneNode]] = {}
    for node in scene.nodes:
        if node.kind == "claim" and node.hub is not None:
            members.setdefault(node.hub, []).append(node)
    labels = {node.id: node.label for node in scene.nodes}
    inside: dict[str, str] = {}
    made: list[SceneNode] = []
    for hub in sorted(members):
        own = members[hub]
        if len(own) < least:
            continue
        name = f"bundle/{hub}"
        inside.update((node.id, name) for node in own)
        made.append(_bundle(name, hub, labels.get(hub, hub), own))
    nodes = [replace(node, bundle=inside[node.id]) if node.id in inside else node for node in scene.nodes]
    edges = [*scene.edges, *_bundle_edges(scene.edges, inside, {one.id for one in made})]
    note = (
        f"{len(inside):,} claims are drawn as {len(made):,} bundles, one for each thing; click a bundle to open it. "
        f"{HINT}"
    )
    return tidy(replace(scene, nodes=(*nodes, *made), edges=tuple(edges), notes=(*scene.notes, note)))


def _bundle(name: str, hub: str, label: str, own: list[SceneNode]) -> SceneNode:
    counts = ", ".join(f"{number} {word}" for word in VERDICTS if (number := sum(node.verdict == word for node in own)))
    worst = tuple(sorted({found for node in own for found in node.findings}))
    facts = [("holds", f"{len(own)} claims about {' '.join(label.split())}")] + (
        [("verdict", counts)] if counts else []
    )
    return SceneNode(name, "bundle", f"{len(own)}", tuple(facts), hub=hub, findings=worst, column=own[0].column)


def _bundle_edges(edges: Iterable[SceneEdge], inside: Mapping[str, str], bundles: set[str]) -> Iterable[SceneEdge]:
    counted: dict[tuple[str, str, str], int] = {}
    for one in edges:
        ends = inside.get(one.source, one.source), inside.get(one.target, one.target)
        if ends[0] != ends[1] and (ends[0] in bundles or ends[1] in bundles):
            counted[(*ends, one.label)] = counted.get((*ends, one.label), 0) + 1
    for (start, end, label), number in sorted(counted.items()):
        # Only the line between a bundle and its own thing is plain: all others would cover the
        # picture.
        hub = start == f"bundle/{end}" or end == f"bundle/{start}"
        yield SceneEdge(start, end, f"{number} × {label}" if number > 1 else label, is_faint=not hub)


def _most_telling(claims: Iterable[SceneNode]) -> set[str]:
    ranked = sorted((rank, node.id) for node in claims if (rank := _matters(node)) is not None)
    return {name for _, name in ranked[:MOST_AT_FIRST]}


_THINGS: Final = frozenset({"chip", "system", "model", "thing", "measure", "benchmark"})


def opened_on_what_matters(scene: Scene) -> Scene:
    """A large picture that opens on its wrong and disputed claims and on its comparisons; small ones open whole.

    With each claim go the things that it is about and against, so that nothing stands alone.
    """
    if scene.claims <= MOST_IN_THE_OPEN:
        return scene
    claims = {node.id: node for node in scene.nodes if node.kind == "claim"}
    chosen = _most_telling(claims.values())
    if not chosen:
        return scene
    ends = {end for one in scene.edges if _joins(one, chosen) for end in (one.source, one.target)}
    near = ends.union(claims[name].hub for name in chosen)
    things = {node.id for node in scene.nodes if node.id in near and node.kind in _THINGS}
    focus = {node.id for node in scene.nodes if node.id in scene.focus}
    return replace(scene, first=frozenset(chosen | things | focus))


def narrowed(scene: Scene) -> Scene:
    """What a large picture opens on, as a scene of its own: on paper nothing can be opened or moved."""
    if not scene.first:
        return scene
    nodes = [
        replace(node, bundle=None, hub=node.hub if node.kind == "claim" else None)
        for node in scene.nodes
        if node.id in scene.first
    ]
    if any(node.kind == "measure" for node in nodes):
        nodes = [node for node in nodes if node.kind in ("measure", "claim")]  # a claim names what it is about
    drawn = sum(node.kind == "claim" for node in nodes)
    about = f"{scene.about} Drawn are the {drawn} that are wrong or disputed, or that compare."
    return tidy(replace(scene, about=about, nodes=tuple(nodes), layout="blocks", first=frozenset()))


def _matters(claim: SceneNode) -> int | None:
    """How early a claim is shown: refuted, disputed, a comparison; None where it is none of these."""
    if claim.verdict in ("wrong", "disputed"):
        return 0 if claim.verdict == "wrong" else 1
    return 2 if any(name == "against" for name, _ in claim.facts) else None


def _joins(edge: SceneEdge, chosen: set[str]) -> bool:
    return (edge.source in chosen or edge.target in chosen) and edge.label in ("", "is about", "against")


def told_once(edges: Sequence[SceneEdge]) -> set[int]:
    """The edges that carry their words: of several with the same words at one end only the middle one does.

    >>> told_once([SceneEdge("a", "x", "rests on"), SceneEdge("b", "x", "rests on"), SceneEdge("c", "x", "rests on")])
    {1}
    """
    groups: dict[tuple[str, str, str], list[int]] = {}
    for number, one in enumerate(edges):
        for end, name in (("to", one.target), ("from", one.source)):
            groups.setdefault((end, name, one.label), []).append(number)
    told: set[int] = set()
    seen: set[int] = set()
    # The longest run of equal words first: there most is saved.
    for _, numbers in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        fresh = [one for one in numbers if one not in seen]
        if fresh:
            told.add(fresh[len(fresh) // 2])
            seen.update(fresh)
    return told


def cut(scene: Scene, limit: int, *, found: int | None = None) -> Scene:
    """At most `limit` nodes: the asked ones, then those with most lines; the scene says how many are left out.

    Rows of nodes that are left out go too.
    """
    whole = found if found is not None else len(scene.nodes)
    if len(scene.nodes) <= limit and whole <= len(scene.nodes):
        return scene
    degree: dict[str, int] = {}
    for one in scene.edges:
        degree[one.source] = degree.get(one.source, 0) + 1
        degree[one.target] = degree.get(one.target, 0) + 1
    # What was asked for is never cut away.
    order = sorted(scene.nodes, key=lambda node: (node.id not in scene.focus, -degree.get(node.id, 0), node.id))
    kept = {node.id for node in order[:limit]}
    claims = sum(node.kind == "claim" for node in order[:limit])
    among = f", {claims:,} of {scene.claims:,} claims among them" if claims < scene.claims else ""
    note = (
        f"This is a part: {len(kept):,} of {whole:,} nodes are drawn{among}. Ask for less, or draw more with --limit."
    )
    tables = tuple(replace(table, rows=tuple(row for row in table.rows if row[0] in kept)) for table in scene.tables)
    return tidy(
        replace(
            scene,
            nodes=tuple(node for node in scene.nodes if node.id in kept),
            tables=tables,
            notes=(note, *scene.notes),
        )
    )
