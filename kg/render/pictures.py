"""Pictures of results: a thing and what is said of it, a comparison, a trace, the disputes, a source, or everything.

Rows come from results and saved questions only; a scene is drawn by `kg.render`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker, said, text
from kg.answers.compare import Comparison, compare
from kg.answers.conflicts import Conflicts, Group, Member, find_conflicts
from kg.answers.show import show
from kg.answers.trace import Trace, trace
from kg.errors import UsageError
from kg.model.counting import counted
from kg.model.identifiers import is_source_id
from kg.model.verdict import PAIR_VERDICTS
from kg.render.compare_text import compare_opening
from kg.render.conflicts_text import OF_GROUP
from kg.render.judgement_nodes import calculation_node, finding_node, judged_node
from kg.render.picture_cards import KnownClaims, claim_node, claim_table, made_from, questions_of, read_known
from kg.render.scene import Scene, SceneEdge, SceneNode, cut, tidy
from kg.render.surroundings import MOST_NODES, covered, finished, source_scene, thing_scene, whole_scene
from kg.render.thing_nodes import KnownThings, link_table, short, source_labels

if TYPE_CHECKING:
    from kg.ask.opened import Opened

UPPER_LIMIT: Final = 10_000
"""A browser draws this many in a few seconds; more is refused rather than frozen."""
FORMS: Final = ("all", "compare", "trace", "disputes", "source", "thing")
_MOST_TRACED: Final = 25


def picture(graph: Opened, words: Sequence[str] = (), *, limit: int = MOST_NODES) -> Scene:
    """The scene that the words ask for.

    No word: everything within the limit. `compare A B`, `trace NUMBER`, `disputes [NAME]`, `source ID` and `thing NAME` say
    which picture is meant; a single word is taken for a source id, a claim id or number, or a name, in this order.
    """
    if not 1 <= limit <= UPPER_LIMIT:
        raise UsageError(field="--limit", given=str(limit), expected=f"1 to {UPPER_LIMIT:,} nodes")
    form, rest = meant(graph, words)
    if form == "all":
        return whole_scene(graph, limit)
    if form == "compare":
        return finished(compare_scene(graph, compare(graph.ask, rest[0], rest[1])), limit)
    if form == "trace":
        return finished(trace_scene(graph, trace(graph.ask, rest[0], graph.lexicon.units)), limit)
    if form == "disputes":
        return cut(tidy(disputes_scene(graph, find_conflicts(graph.ask, rest[0] if rest else None))), limit)
    if form == "source":
        return finished(source_scene(graph, rest[0], limit), limit)
    return finished(thing_scene(graph, rest[0], limit), limit)


def meant(graph: Opened, words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Which picture the words ask for, and about what."""
    if not words or list(words) == ["all"]:
        return "all", ()
    first, rest = words[0], words[1:]
    counts = {"compare": (2, 2), "trace": (1, 1), "disputes": (0, 1), "source": (1, 1), "thing": (1, 1)}
    if first in counts:
        low, high = counts[first]
        if not low <= len(rest) <= high:
            raise UsageError(
                given=" ".join(words),
                expected=f"{first} with {'two names' if low == 2 else 'one name at most' if low == 0 else 'one name'}",
                next_step="a name of several words is put in quotes",
            )
        return first, rest
    if len(words) != 1:
        raise UsageError(
            given=" ".join(words),
            expected=f"one name, or {', '.join(FORMS[1:])} and what it is about",
            next_step="a name of several words is put in quotes; for two things write: kg view compare A B",
        )
    # The order of the docstring: an id of a source is known by its form, all else has to be asked
    # for.
    if is_source_id(first):
        return "source", words
    if not covered(graph, first):
        from kg.answers.number import is_number

        if is_number(first, graph.lexicon.units) or show(graph.ask, first).kind == "claim":
            return "trace", words
    return "thing", words


# --- a trace ---------------------------------------------------------------------------------------------------------


def trace_scene(graph: Opened, found: Trace) -> Scene:
    """From the document on the left over claim, speaker and calculation to the origins on the right."""
    asker, shown = Asker(graph.ask), found.claims[:_MOST_TRACED]
    asked = [one.claim.id for one in shown]
    hops = sorted({hop.reached for one in shown for hop in one.chain} - set(asked))
    upstream = _steps(asker, [*asked, *hops])
    resting = [(d.claim, one.claim.id) for one in shown for d in one.dependents if d.hop == 1]
    known = read_known(graph, asker, [*asked, *hops, *(name for name, _ in resting)])
    columns = _depths(asked, upstream)
    things = KnownThings(asker)
    nodes = _trace_nodes(known, asked, columns)
    around = _things_around(known, asked, hops, columns)
    things.read(around)
    for name, column in around.items():
        nodes.setdefault(name, things.node(name, column=column))
    edges = list[SceneEdge]()
    for one in asked:
        card = known.cards[one]
        edges += [SceneEdge(one, card.source.id, "source"), SceneEdge(one, card.asserted_by.id, "asserted by")]
        _add_reasons(known, one, nodes, edges)
    edges += _hop_edges(upstream, nodes, edges)
    edges += [SceneEdge(name, rests_on, "rests on") for name, rests_on in resting]
    return Scene(
        f"Where {found.asked} comes from",
        found.sentence,
        tuple(nodes.values()),
        tuple(edges),
        (claim_table(known.cards.values(), known), link_table(nodes.values(), edges)),
        layout="layers",
        focus=tuple(asked),
        notes=tuple(_what_is_missing(found, len(shown))),
        sources=source_labels(things, known.cards.values()),
        questions=questions_of(found.questions, asker),
        made_from=made_from(graph),
    )


def _trace_nodes(known: KnownClaims, asked: Sequence[str], columns: Mapping[str, int]) -> dict[str, SceneNode]:
    """The claims of a trace: what rests on the asked ones in front of them, what they come from behind."""
    nodes: dict[str, SceneNode] = {}
    for name, card in known.cards.items():
        column = 1 if name in asked else 3 + columns[name] if name in columns else 0
        nodes[name] = claim_node(card, known, column=column, who=name not in asked, hub=card.source.id)
    return nodes


def _hop_edges(
    upstream: Iterable[tuple[str, str, str, str | None]], nodes: Collection[str], edges: Iterable[SceneEdge]
) -> list[SceneEdge]:
    """The hops between claims that are drawn; a computation that has a node of its own is not drawn twice."""
    explained = {edge.source for edge in edges if edge.label == "computed as"}
    return [
        SceneEdge(start, end, _step_label(via, fidelity))
        for start, via, end, fidelity in upstream
        if start in nodes and end in nodes and not (via == "derived-from" and start in explained)
    ]


def _things_around(
    known: KnownClaims, asked: Sequence[str], hops: Sequence[str], columns: Mapping[str, int]
) -> dict[str, int]:
    """What is drawn next to claims, with its column: unread origins far right, speakers right, sources on the left."""
    others = {name: 3 + columns.get(name, 1) for name in hops if name not in known.cards}
    cards = [known.cards[one] for one in asked]
    return {**others, **{card.asserted_by.id: 2 for card in cards}, **{card.source.id: 0 for card in cards}}


def _step_label(via: str, fidelity: str | None) -> str:
    label = {"restates": "repeats", "derived-from": "computed from"}.get(via, via)
    return f"{label} ({fidelity})" if fidelity else label


def _what_is_missing(found: Trace, drawn: int) -> Iterator[str]:
    if found.found > drawn:
        what = f"{found.asked}{' or a value near it' if found.near_found else ''}"
        of = f"{drawn} of {found.found} claims that state {what} are drawn, the best matches first."
        yield f"This is a part: {of}"
    if not drawn:
        yield f"No claim states {found.asked}; there is nothing to draw."


def _steps(asker: Asker, names: Sequence[str]) -> list[tuple[str, str, str, str | None]]:
    """Every single step of the chains: from, how, to, and what became of it."""
    claims = [name for name in names if not name.startswith(("unresolved/", "source/"))]
    rows = asker.rows("origins/chain", claim=claims) if claims else []
    return [
        (text(row, "claim"), text(row, "via"), text(row, "reached"), said(row, "fidelity"))
        for row in rows
        # A chain holds every hop that is reached; a picture draws each step once, from where it
        # starts.
        if row["hop"] == 1
    ]


def _depths(asked: Sequence[str], steps: Iterable[tuple[str, str, str, str | None]]) -> dict[str, int]:
    """How many steps each thing lies behind the claims that were asked for; a circle ends where it began."""
    behind: dict[str, list[str]] = {}
    for start, _, end, _ in steps:
        behind.setdefault(start, []).append(end)
    depths, waiting = dict.fromkeys(asked, 0), list(asked)
    while waiting:
        name = waiting.pop(0)
        for one in behind.get(name, ()):
            if one not in depths:
                depths[one] = depths[name] + 1
                waiting.append(one)
    return {name: depth for name, depth in depths.items() if name not in asked}


def _add_reasons(known: KnownClaims, claim: str, nodes: dict[str, SceneNode], edges: list[SceneEdge]) -> None:
    """Calculations of a claim with their inputs, and its findings."""
    for one in known.about(claim):
        if one.id in known.calculations:
            calculation, name = known.calculations[one.id], f"calculation/{one.derivation}"
            nodes[name] = calculation_node(name, calculation, known.findings.get(one.id), column=2)
            edges.append(SceneEdge(claim, name, "computed as"))
            for operand in calculation.operands:
                if operand.claim is not None and operand.claim in nodes:
                    edges.append(SceneEdge(name, operand.claim, operand.name))
        elif one.severity != "info":
            nodes[one.id] = finding_node(one, column=2)
            edges.append(SceneEdge(claim, one.id, "found"))


# --- a comparison ----------------------------------------------------------------------------------------------------


def compare_scene(graph: Opened, found: Comparison) -> Scene:
    """What A covers on the left, what B covers on the right, the claims between them."""
    asker, things = Asker(graph.ask), KnownThings(Asker(graph.ask))
    claims = list(dict.fromkeys(one.id for one in found.claims))
    known = read_known(graph, asker, claims)
    left, right = {one.id for one in found.a.covers}, {one.id for one in found.b.covers}
    counts: dict[str, int] = {}
    for one in found.claims:
        for name in (one.subject.id, one.baseline.id):
            counts[name] = counts.get(name, 0) + 1
    things.read(counts)
    nodes = {one: claim_node(known.cards[one], known, column=1, who=True) for one in claims if one in known.cards}
    edges: list[SceneEdge] = []
    for name in sorted(counts):
        nodes[name] = things.node(
            name, column=0 if name in left and name not in right else 2, claims=counts[name], weight=1.2
        )
    for one in found.claims:
        edges += [
            SceneEdge(one.subject.id, one.id, "is compared in"),
            SceneEdge(one.id, one.baseline.id, "against"),
        ]
    notes = [] if found.claims else ["No claim compares them; there is nothing to draw."]
    ratios = [one for one in found.claims if one.ratio is not None]
    sentence = compare_opening(found, ratios, {}).partition(": ")[2]
    about = sentence[:1].upper() + sentence[1:]
    return Scene(
        f"{found.a.text} against {found.b.text}",
        about,
        tuple(nodes.values()),
        tuple(edges),
        (claim_table(known.cards.values(), known), link_table(nodes.values(), edges)),
        layout="layers",
        notes=tuple(notes),
        focus=tuple(sorted(left & set(nodes))),
        sources=source_labels(things, known.cards.values()),
        questions=questions_of(found.questions, asker, things.asker),
        made_from=made_from(graph),
    )


# --- disputes --------------------------------------------------------------------------------------------------------


def disputes_scene(graph: Opened, found: Conflicts) -> Scene:
    """Each dispute as a finding with its claims on the right, lowest figure first; the most severe disputes first."""
    asker, things = Asker(graph.ask), KnownThings(Asker(graph.ask))
    claims = [member.claim.claim for group in found.groups for member in group.members]
    known = read_known(graph, asker, claims)
    things.read(card.subjects[0].id for card in known.cards.values())
    nodes: dict[str, SceneNode] = {}
    edges: list[SceneEdge] = []
    for place, group in enumerate(found.groups):
        cards = [known.cards.get(member.claim.claim) for member in group.members]
        first = next(filter(None, cards), None)
        of = f" of {short(things.label(first.subject.id))}" if first is not None else ""
        nodes[group.finding] = _dispute_node(group, of, place)
        for rank, (member, card) in enumerate(zip(group.members, cards, strict=True)):
            if card is None:
                continue
            nodes.setdefault(card.id, claim_node(card, known, column=rank, who=True, hub=group.finding))
            edges.append(_member_edge(group, member, nodes[card.id]))
    asked = f" about {found.asked}" if found.asked else ""
    verdicts = Counter(group.verdict for group in found.groups)
    counts = ", ".join(f"{verdicts[one]} {OF_GROUP[one]}" for one in PAIR_VERDICTS[:3] if verdicts[one])
    notes = [] if found.groups else [f"No claims disagree{asked}; there is nothing to draw."]
    return Scene(
        f"Claims that disagree{asked}",
        f"{counted(len(found.groups), 'group')}: {counts}." if counts else "No group.",
        tuple(nodes.values()),
        tuple(edges),
        (claim_table(known.cards.values(), known), link_table(nodes.values(), edges)),
        layout="blocks",
        notes=tuple(notes),
        sources=source_labels(things, known.cards.values()),
        questions=questions_of(found.questions, asker, things.asker),
        made_from=made_from(graph),
    )


def _member_edge(group: Group, member: Member, node: SceneNode) -> SceneEdge:
    """From a dispute to one of its claims; faint where the claim is drawn at another dispute."""
    elsewhere = node.hub != group.finding
    return SceneEdge(group.finding, node.id, "" if elsewhere else _apart(member.differs), is_faint=elsewhere)


def _dispute_node(group: Group, of: str, place: int) -> SceneNode:
    """The finding that a dispute is; `of` says what its claims are about."""
    words = group.verdict.replace("-", " ")
    facts = [
        ("found", group.message),
        ("verdict", f"{words} ({group.severity})"),
        ("measure", group.metric.replace("-", " ")),
        ("code", group.code),
    ]
    return judged_node(group.finding, group, f"{words}\n{group.metric.replace('-', ' ')}{of}", facts, place)


def _apart(differs: Sequence[str]) -> str:
    """What tells a claim from the others of its group, in a few words."""
    words = differs[0].replace("NVIDIA ", "") if differs else ""
    return words if len(words) <= 26 else words[:24] + " …"
