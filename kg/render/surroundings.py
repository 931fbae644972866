"""Pictures of what lies around something: the claims of a source, all that is said of a thing, and everything within a limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from kg.answers.asking import Asker, near_names, said, text
from kg.answers.sheet import Sheet, sheet_of
from kg.answers.show import show
from kg.errors import UsageError
from kg.render.picture_cards import KnownClaims, claim_node, claim_table, made_from, questions_of, read_known
from kg.render.scene import LEAST_IN_A_BUNDLE, Scene, SceneEdge, SceneNode, bundled, cut, opened_on_what_matters, tidy
from kg.render.thing_nodes import KnownThings, link_table, short, source_labels

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.ask.opened import Opened
    from kg.stores.protocol import Cell

MOST_NODES: Final = 3000
"""Nodes in a picture by default; what is left out is counted in the picture."""
_FEW: Final = 8
"""This many claims are drawn at their thing; more are put in order by what they measure."""
_FORWARDS: Final = {
    "maker of": "made by",
    "has member": "member of",
    "has variant": "variant of",
    "part of": "contains",
    "inside of": "accelerator inside",
    "has configuration": "configuration of",
    "operates": "operated by",
    "suite of": "in suite",
    "model of task": "runs model",
    "publisher of": "published by",
    "writer of": "written by",
    "cited by": "cites",
    "stands for": "resolved to",
}
"""Links that lead to a thing, by what they are called from the other side."""


class UnknownPicture(UsageError):
    """Nothing is known by the name, so there is nothing to draw."""

    code = "view.unknown"


def finished(scene: Scene, limit: int, *, least: int = LEAST_IN_A_BUNDLE) -> Scene:
    """Ordered, within the limit, and bundled where there are too many claims."""
    return opened_on_what_matters(bundled(cut(tidy(scene), limit), least=least))


def covered(graph: Opened, name: str) -> list[tuple[str, str]]:
    """What a name covers: ids with labels."""
    rows = graph.ask("names/resolve", thing=[name]).dicts()
    return [(text(row, "entity"), said(row, "label") or text(row, "entity")) for row in rows]


def source_scene(graph: Opened, source: str, limit: int = MOST_NODES) -> Scene:
    """A source in the middle, the things it is about around it, its claims next to them."""
    around = _Around(graph)
    source, *_ = around.asker.sources_named(source)
    around.things.read([source])
    claims = around.claims("sources/claims", limit, source=source)
    total = _counted(around.asker).get(source, len(claims))
    scene = around.scene([source], claims)
    about = f"{source}: {total:,} claims" + (f" about {around.subjects} things." if claims else ".")
    notes = ["No claim is recorded from it."] if not claims else []
    if total > len(claims):
        notes.append(
            f"This is a part: {len(claims):,} of {total:,} claims are read, those first in the text; --limit reads more."
        )
    return replace(scene, title=f"Claims of {short(around.things.label(source))}", about=about, notes=tuple(notes))


def thing_scene(graph: Opened, name: str, limit: int = MOST_NODES) -> Scene:
    """A thing (or all that a name covers) with its links and everything that is claimed of it or by it."""
    around = _Around(graph, by_measure=True)
    ids = [one for one, _ in covered(graph, name)] or ([name] if "/" in name else [])
    around.things.read(ids)
    ids = [one for one in ids if one in around.things.rows]
    if not ids:
        raise _unknown(around.asker, name)
    claims = around.claims("view/roles", limit, thing=ids)
    scene = around.scene(ids, claims)
    label = around.things.label(ids[0]) if len(ids) == 1 else name
    several = f" The name covers {len(ids)} things." if len(ids) > 1 else ""
    notes = ["No claim is recorded about it."] if not claims else []
    if around.is_cut:
        notes.append(f"This is a part: only the first {len(claims):,} claims by id are read; --limit reads more.")
    about = f"{'More than ' if around.is_cut else ''}{len(claims):,} claims about it, against it, by it or measured with it.{several}"
    sheet = _sheet(graph, name)
    title = f"What is known of {label}" if sheet is None else sheet.label
    return replace(scene, title=title, about=about, notes=tuple(notes), sheet=sheet)


def _sheet(graph: Opened, name: str) -> Sheet | None:
    """The spec sheet of a thing; a name of several has none."""
    shown = show(graph.ask, name)
    return sheet_of(graph.ask, shown, name) if shown.kind == "entity" else None


def whole_scene(graph: Opened, limit: int = MOST_NODES) -> Scene:
    """Everything within the limit: things that claims are about, sources, and the claims as bundles."""
    around = _Around(graph, is_whole=True)
    counted = _counted(around.asker)
    total = sum(counted.values())
    claims = around.claims("view/roles", limit)
    scene = around.scene(sorted(counted), claims)
    notes = []
    if total > len(claims):
        notes.append(
            f"This is a part: {len(claims):,} of {total:,} claims are read, the first by id; --limit reads more, a name shows all of one thing."
        )
    about = f"{total:,} claims of {len(counted):,} sources" + (
        f" about {around.subjects:,} things." if total == len(claims) else "."
    )
    return finished(
        replace(scene, title="All that is recorded", about=about, notes=tuple(notes), focus=()), limit, least=1
    )


def _counted(asker: Asker) -> dict[str, int]:
    """How many claims each source has."""
    counted: dict[str, int] = {}
    for row in asker.rows("coverage/claims-per-source"):
        counted[text(row, "source")] = counted.get(text(row, "source"), 0) + int(text(row, "claims"))
    return counted


@dataclass(slots=True)
class _Around:
    """Reads what lies around something and makes its scene."""

    graph: Opened
    by_measure: bool = False
    """Whether the claims about what was asked for stand at their measures."""
    is_whole: bool = False
    asker: Asker = field(init=False)
    things: KnownThings = field(init=False)
    is_cut: bool = field(init=False, default=False)
    subjects: int = field(init=False, default=0)
    _asked: list[str] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.asker = Asker(self.graph.ask)
        self.things = KnownThings(self.asker)

    def claims(self, question: str, limit: int, **values: Any) -> list[str]:
        """The claims of a question, each once and at most this many; a large store is not read whole for a picture."""
        self._asked.append(question)
        answer = self.graph.ask(question, limit=limit * 5, **values)
        column = answer.columns.index("claim")
        found = list(dict.fromkeys(str(row[column]) for row in answer.rows))
        self.is_cut = not answer.complete or len(found) > limit
        return found[:limit]

    def scene(self, focus: Sequence[str], claims: Sequence[str]) -> Scene:
        """What was asked for in the middle, the things its claims are about around it, the claims at their things."""
        known = read_known(self.graph, self.asker, claims)
        about = _count(card.subjects[0].id for card in known.cards.values())
        self.subjects = len(about)
        links, ends = self._links(focus), {*focus, *_ends(known)}
        if self.is_whole:  # things of which nothing is claimed would hide the others
            links = [(start, link, end) for start, link, end in links if start in ends and end in ends]
        self.things.read(sorted({*ends, *(one for start, _, end in links for one in (start, end))}))
        nodes = {name: self._thing(name, about.get(name, 0), name in focus) for name in sorted(self.things.rows)}
        edges = [SceneEdge(start, end, link) for start, link, end in links]
        self._add_claims(known, set(focus), nodes, edges)
        if not self.is_whole and not self.by_measure:
            edges += [SceneEdge(focus[0], name, "mentions") for name in sorted(about) if name != focus[0]]
        return Scene(
            "",
            "",
            tuple(nodes.values()),
            tuple(edges),
            (claim_table(_gravest_first(known.cards.values()), known), link_table(nodes.values(), edges)),
            focus=tuple(focus),
            sources=source_labels(self.things, known.cards.values()),
            questions=questions_of(self._asked, self.asker),
            made_from=made_from(self.graph),
        )

    def _add_claims(
        self, known: KnownClaims, asked: set[str], nodes: dict[str, SceneNode], edges: list[SceneEdge]
    ) -> None:
        """Each claim at its thing; many claims of what was asked for at their measures instead."""
        for card in known.cards.values():
            hub = card.subjects[0].id
            if self.by_measure and len(known.cards) > _FEW and (stands := _in_focus(card, asked)) is not None:
                hub = f"measure/{card.metric}"
                nodes.setdefault(
                    hub, SceneNode(hub, "measure", card.metric.replace("-", " "), facts=(("measure", card.metric),))
                )
                edges.append(SceneEdge(stands, hub, "is measured by"))
            nodes[card.id] = claim_node(card, known, hub=hub)
            edges += _claim_edges(card, hub, nodes)

    def _thing(self, name: str, count: int, is_asked: bool) -> SceneNode:
        weight = 1 + min(0.5, count / 120) if self.is_whole else 1 + min(0.4, count / 60) + 0.25 * is_asked
        return self.things.node(name, claims=count, weight=weight)

    def _links(self, focus: Sequence[str]) -> list[tuple[str, str, str]]:
        """Links of what was asked for in both directions; of everything, all."""
        rows: list[Mapping[str, Cell]] = self.asker.rows(
            "view/links", **({} if self.is_whole else {"thing": list(focus)})
        )
        found = [(text(row, "thing"), text(row, "link"), text(row, "other")) for row in rows]
        for name in () if self.is_whole else focus:
            back = self.asker.rows("entities/links", thing=name)
            found += [
                (text(row, "other"), _FORWARDS[text(row, "link")], name)
                for row in back
                if text(row, "link") in _FORWARDS
            ]
        return found


def _gravest_first(cards: Iterable[ClaimCard]) -> list[ClaimCard]:
    """The order of the table: on a phone it replaces the picture, so what is wrong comes before what is not."""
    order = {word: number for number, word in enumerate(("wrong", "disputed", "caution", "confirmed"))}
    return sorted(cards, key=lambda card: order.get(card.verdict, len(order)))


def _count(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return found


def _ends(known: KnownClaims) -> Iterable[str]:
    """Every thing, speaker and source that a claim is joined to by a line."""
    for card in known.cards.values():
        yield from (card.subjects[0].id, card.source.id, card.asserted_by.id)
        if card.baseline is not None:
            yield card.baseline.id


def _in_focus(card: ClaimCard, asked: set[str]) -> str | None:
    """The thing that was asked for in a claim: its subject, else its baseline."""
    ends = [*(one.id for one in card.subjects), *([card.baseline.id] if card.baseline is not None else [])]
    return next((one for one in ends if one in asked), None)


def _claim_edges(card: ClaimCard, hub: str, nodes: Mapping[str, SceneNode]) -> Iterable[SceneEdge]:
    yield SceneEdge(hub, card.id)
    ends = [
        (card.source.id, "source"),
        (card.asserted_by.id, "asserted by"),
        *((one.id, "is about") for one in card.subjects),
    ]
    ends += [(card.baseline.id, "against")] if card.baseline is not None else []
    for name, label in ends:
        if name in nodes and name != hub:
            yield SceneEdge(card.id, name, label, is_faint=True)


def _unknown(asker: Asker, name: str) -> UnknownPicture:
    near = near_names(asker, name)
    return UnknownPicture(
        "is no name, id, number or claim that is known.",
        given=name,
        expected="a name such as GB200, a number, a claim or source id",
        next_step=f"did you mean {', '.join(near)}?" if near else "kg find TEXT lists what matches",
    )
