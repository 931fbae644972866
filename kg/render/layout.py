"""Where every node stands, computed before the page is written: no physics, no chance, no numerical library.

Both layouts keep labels apart: a node takes the rectangle of its shape and its label.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, fsum
from typing import Final

from kg.render.looks import LOOKS, shape_size, size_of
from kg.render.scene import Scene, SceneNode

Place = tuple[int, int]
# Lengths are in pixels.
_GAP_ACROSS: Final = 98
_LONGEST_WORDS: Final = 24
"""Words of a line longer than this may reach under a node."""
_GAP_DOWN: Final = 16
_TALLEST_COLUMN: Final = 22
_CELL_WIDE: Final = 24
_CELL_HIGH: Final = 20
_STRETCH: Final = 1.5
"""Pictures are wider than high."""


def place(scene: Scene) -> dict[str, Place]:
    """The middle of each shape by node id."""
    standing = [node for node in scene.nodes if node.bundle is None]
    links = _links(scene, {node.id for node in standing})
    if scene.layout == "layers":
        places = _layers(standing, links, _gaps(scene))
    elif scene.layout == "blocks":
        places = _blocks(standing)
    else:
        places = _near(standing, links, scene.focus)
    for name, own in _by_bundle(scene.nodes).items():
        places.update(_grid(own, places[name]))
    return places


def _links(scene: Scene, standing: set[str]) -> dict[str, list[str]]:
    """The neighbours of each node by lines that are not faint, sorted."""
    links: dict[str, set[str]] = {name: set() for name in standing}
    for one in scene.edges:
        if one.source in standing and one.target in standing and one.source != one.target and not one.is_faint:
            links[one.source].add(one.target)
            links[one.target].add(one.source)
    return {name: sorted(others) for name, others in links.items()}


def _by_bundle(nodes: Iterable[SceneNode]) -> dict[str, list[SceneNode]]:
    found: dict[str, list[SceneNode]] = {}
    for node in nodes:
        if node.bundle is not None:
            found.setdefault(node.bundle, []).append(node)
    return found


def _middle(node: SceneNode, x: float, y: float) -> Place:
    """Where the shape stands when the rectangle of shape and label has its middle at x, y."""
    high = size_of(node)[1]
    return round(x), round(y if LOOKS[node.kind].has_label_inside else y - high / 2 + shape_size(node) + 4)


def _grid(nodes: Sequence[SceneNode], middle: Place) -> dict[str, Place]:
    """The nodes of an open bundle in rows around its middle."""
    wide = max(size_of(node)[0] for node in nodes) + 18
    high = max(size_of(node)[1] for node in nodes) + 14
    across = max(1, round((len(nodes) * high * 1.8 / wide) ** 0.5))
    rows = (len(nodes) + across - 1) // across
    return {
        node.id: (
            round(middle[0] + (n % across - (across - 1) / 2) * wide),
            round(middle[1] + (n // across - (rows - 1) / 2) * high),
        )
        for n, node in enumerate(nodes)
    }


# --- from left to right ----------------------------------------------------------------------------------------------


def _gaps(scene: Scene) -> dict[int, int]:
    """The room behind each column that the words of the lines need which end or begin there."""
    columns = {node.id: node.column for node in scene.nodes if node.bundle is None}
    found: dict[int, int] = {}
    for one in scene.edges:
        if one.is_faint or one.source not in columns or one.target not in columns:
            continue
        first, last = sorted((columns[one.source], columns[one.target]))
        # Seven pixels are about what a letter of 14 px takes, and 32 keep the words off the shapes.
        room = 32 + 7 * min(len(one.label), _LONGEST_WORDS)
        for column in (first, last - 1):  # a line over several columns has its words in the middle of its way
            found[column] = max(room, found.get(column, _GAP_ACROSS))
    return found


def _layers(
    nodes: Sequence[SceneNode], links: Mapping[str, Sequence[str]], gaps: Mapping[int, int]
) -> dict[str, Place]:
    """Columns from left to right, with room for the words of the lines; in each the nodes stand next to those they are linked to."""
    columns: dict[int, list[str]] = {}
    by_id = {node.id: node for node in nodes}
    for node in nodes:
        columns.setdefault(node.column, []).append(node.id)
    order = [columns[number] for number in sorted(columns)]
    # A fixed number of turns, forth and back, gives the same picture every time.
    for turn in range(6):
        for column in order if turn % 2 == 0 else order[::-1]:
            heights = _heights(order, by_id)
            column.sort(key=lambda name: (_mean([heights[one] for one in links[name]], heights[name]), name))
    places: dict[str, Place] = {}
    x = 0.0
    for number, column in zip(sorted(columns), order, strict=True):
        for part in _parts(column):
            wide = max(size_of(by_id[name])[0] for name in part)
            y = -_tall(part, by_id) / 2
            for name in part:
                high = size_of(by_id[name])[1]
                places[name] = _middle(by_id[name], x + wide / 2, y + high / 2)
                y += high + _GAP_DOWN
            x += wide + gaps.get(number, _GAP_ACROSS)
    return places


def _parts(column: Sequence[str]) -> list[Sequence[str]]:
    """A column that is too tall in several of one length."""
    number = (len(column) + _TALLEST_COLUMN - 1) // _TALLEST_COLUMN
    length = (len(column) + number - 1) // number
    return [column[start : start + length] for start in range(0, len(column), length)]


def _tall(column: Iterable[str], by_id: Mapping[str, SceneNode]) -> float:
    return sum(size_of(by_id[name])[1] + _GAP_DOWN for name in column) - _GAP_DOWN


def _heights(order: Iterable[Sequence[str]], by_id: Mapping[str, SceneNode]) -> dict[str, float]:
    found: dict[str, float] = {}
    for column in order:
        y = -_tall(column, by_id) / 2
        for name in column:
            high = size_of(by_id[name])[1]
            found[name] = y + high / 2
            y += high + _GAP_DOWN
    return found


def _mean(values: Sequence[float], otherwise: float) -> float:
    return fsum(values) / len(values) if values else otherwise


# --- one block for each hub -------------------------------------------------------------------------------------------


def _blocks(nodes: Sequence[SceneNode]) -> dict[str, Place]:
    """Each hub with its claims in a column to its right; the blocks fill columns of about one height, in the order of `column`."""
    hubs = sorted((node for node in nodes if node.hub is None), key=lambda node: (node.column, node.id))
    own: dict[str, list[SceneNode]] = {node.id: [] for node in hubs}
    for node in sorted(nodes, key=lambda node: (node.column, node.id)):
        if node.hub is not None:
            own.setdefault(node.hub, []).append(node)
    talls = {name: max(_stack(some), 70) for name, some in own.items()}
    hub_wide = max((size_of(node)[0] for node in hubs), default=0)
    wide = max((size_of(node)[0] for node in nodes if node.hub is not None), default=0)
    pitch = hub_wide + wide + 210
    across = max(1, min(len(own), round((1.7 * sum(talls.values()) / pitch) ** 0.5)))
    bottoms = [0.0] * across
    by_id = {node.id: node for node in nodes}
    places: dict[str, Place] = {}
    for name, some in own.items():
        at = bottoms.index(min(bottoms))
        x, y = at * pitch, bottoms[at]
        if name in by_id:
            places[name] = _middle(by_id[name], x + hub_wide / 2, y + talls[name] / 2)
        top = y + (talls[name] - _stack(some)) / 2
        for node in some:
            high = size_of(node)[1]
            places[node.id] = _middle(node, x + hub_wide + 150 + wide / 2, top + high / 2)
            top += high + _GAP_DOWN
        bottoms[at] = y + talls[name] + 46
    return places


def _stack(nodes: Sequence[SceneNode]) -> float:
    return sum(size_of(node)[1] + _GAP_DOWN for node in nodes) - _GAP_DOWN


# --- next to what it is linked to -------------------------------------------------------------------------------------


class _Ground:
    """Which cells of a raster are taken; each row is one number with a bit for each cell, so that a search is a few shifts."""

    def __init__(self, nodes: int) -> None:
        self._rows: dict[int, int] = {}
        self._half = 128 + 12 * round(nodes**0.5)
        """Cells to each side of the middle: many times what the nodes take."""

    def put(self, wide: float, high: float, x: float, y: float) -> tuple[float, float]:
        """Take the free place nearest to x, y."""
        # In cells of a raster: a search for a free rectangle is then a few shifts of whole numbers.
        across, down = ceil(wide / _CELL_WIDE), ceil(high / _CELL_HIGH)
        want = round(x / _CELL_WIDE - across / 2) + self._half, round(y / _CELL_HIGH - down / 2)
        left, top = self._nearest(across, down, *want)
        for row in range(top, top + down):
            self._rows[row] = self._rows.get(row, 0) | ((1 << across) - 1) << left
        return (left - self._half + across / 2) * _CELL_WIDE, (top + down / 2) * _CELL_HIGH

    def _nearest(self, across: int, down: int, left: int, top: int) -> tuple[int, int]:
        """The nearest free rectangle, looking row by row up and down until no row can be nearer."""
        best: tuple[float, int, int] | None = None
        away = 0
        # No further row is looked at when even its nearest cell would be further away than the
        # best.
        while best is None or (away * _CELL_HIGH) ** 2 <= best[0]:
            for row in (top + away, top - away) if away else (top,):
                free = self._free(row, across, down)
                for at in _beside(free, left):
                    distance = ((at - left) * _CELL_WIDE / _STRETCH) ** 2 + ((row - top) * _CELL_HIGH) ** 2
                    if best is None or (distance, row, at) < best:
                        best = distance, row, at
            away += 1
        return best[2], best[1]

    def _free(self, row: int, across: int, down: int) -> int:
        """A bit for each cell at which a rectangle that starts in this row would be free."""
        taken = 0
        for one in range(row, row + down):
            taken |= self._rows.get(one, 0)
        reach = 1
        while reach < across:  # taken cells grow to the left, so that what is left free has room to its right
            more = min(reach, across - reach)
            taken |= taken >> more
            reach += more
        return int(((1 << 2 * self._half) - 1) & ~taken)


def _beside(free: int, left: int) -> Iterator[int]:
    """The nearest set bits at and above, and below a place."""
    above = free >> left
    if above:
        yield left + (above & -above).bit_length() - 1
    below = free & ((1 << left) - 1)
    if below:
        yield below.bit_length() - 1


def _near(nodes: Sequence[SceneNode], links: Mapping[str, Sequence[str]], focus: Sequence[str]) -> dict[str, Place]:
    """Each node as near as it can stand to those it is linked to; what was asked for is in the middle.

    A hub and its claims are laid out first and then moved as one, so that the lines between them stay short.
    """
    by_id = {node.id: node for node in nodes}
    owner = _owners(by_id)
    parts: dict[str, list[SceneNode]] = {}
    for node in nodes:
        parts.setdefault(owner[node.id], []).append(node)
    inside = {name: _cluster(by_id[name], own) for name, own in parts.items()}
    near = _linked_parts(parts, owner, links)
    ground, middles = _Ground(len(nodes)), dict[str, tuple[float, float]]()
    for name in _outwards(near, list(dict.fromkeys(owner[one] for one in focus if one in by_id))):
        wide, high, _ = inside[name]
        placed = [middles[one] for one in near[name] if one in middles]
        x, y = _mean([one[0] for one in placed], 0.0), _mean([one[1] for one in placed], 0.0)
        middles[name] = ground.put(wide + 14, high + 10, x, y)
    return {
        node: _middle(by_id[node], middles[name][0] + x, middles[name][1] + y)
        for name, (_, _, own) in inside.items()
        for node, (x, y) in own.items()
    }


def _owners(nodes: Mapping[str, SceneNode]) -> dict[str, str]:
    """With which node each one moves: its hub, where that is there and moves by itself, else none but itself."""

    def owner(node: SceneNode) -> str:
        hub = None if node.hub is None else nodes.get(node.hub)
        return node.id if hub is None or hub.hub is not None else hub.id

    return {name: owner(node) for name, node in nodes.items()}


def _linked_parts(
    parts: Iterable[str], owner: Mapping[str, str], links: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The parts that are linked to each part, in order."""
    between: dict[str, set[str]] = {name: set() for name in parts}
    for name, others in links.items():
        between[owner[name]].update(owner[one] for one in others)
    return {name: sorted(others - {name}) for name, others in between.items()}


def _cluster(hub: SceneNode, nodes: Sequence[SceneNode]) -> tuple[float, float, dict[str, tuple[float, float]]]:
    """Width, height and places around the middle of a hub with its claims."""
    if len(nodes) == 1:
        return (*size_of(hub), {hub.id: (0.0, 0.0)})
    ground, places = _Ground(len(nodes)), dict[str, tuple[float, float]]()
    left = top = right = bottom = 0.0
    for node in [hub, *(one for one in nodes if one is not hub)]:
        wide, high = size_of(node)
        x, y = ground.put(wide + 14, high + 10, 0.0, 0.0)
        places[node.id] = x, y
        left, right = min(left, x - wide / 2), max(right, x + wide / 2)
        top, bottom = min(top, y - high / 2), max(bottom, y + high / 2)
    x, y = (left + right) / 2, (top + bottom) / 2
    return right - left, bottom - top, {name: (at[0] - x, at[1] - y) for name, at in places.items()}


def _outwards(links: Mapping[str, Sequence[str]], focus: Sequence[str]) -> Iterable[str]:
    """Every node once: from what was asked for, or what has most lines, to its neighbours, and so on."""
    roots = sorted(links, key=lambda name: (-len(links[name]), name))
    seen: set[str] = set(focus)
    waiting = deque(focus)
    for root in [*focus, *roots]:
        if root not in seen:
            seen.add(root)
            waiting.append(root)
        while waiting:
            name = waiting.popleft()
            yield name
            fresh = [one for one in links[name] if one not in seen]
            seen.update(fresh)
            waiting.extend(sorted(fresh, key=lambda one: (-len(links[one]), one)))
