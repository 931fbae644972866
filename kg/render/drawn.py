"""A scene as one SVG that needs no script: for reports and for paper."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from kg.render import hypertext
from kg.render.layout import Place, place
from kg.render.looks import LOOKS, font_size, label_lines, shape_size, size_of
from kg.render.scene import Scene, SceneEdge, SceneNode, told_once
from kg.render.symbols import shape, symbol

# Lengths are in pixels.
_MARGIN: Final = 20
_HEADING_LINE: Final = 22
_LETTER: Final = 7.2
"""The mean width of a letter of 14 px."""
_LEAST_WIDE: Final = 560
"""A picture with a heading is at least this wide."""
_LIFT: Final = 4
_MOST_LINES_WITH_WORDS: Final = 160


def drawing(scene: Scene, *, has_heading: bool = False) -> str:
    """The picture with its legend; claims inside bundles are not drawn. A heading is for a picture that stands alone."""
    standing = [node for node in scene.nodes if node.bundle is None]
    if not standing:
        return ""
    places = place(scene)
    left, top, right, bottom = _frame(standing, places)
    right = max(right, left + _LEAST_WIDE) if has_heading else right
    heading = _heading(scene, right - left) if has_heading else []
    top -= len(heading) * _HEADING_LINE
    wide, high = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    by_id = {node.id: node for node in standing}
    lines = [one for one in scene.edges if one.source in by_id and one.target in by_id and not one.is_faint]
    parts = [
        *(
            f'<text class="{kind}" x="{left:.0f}" y="{top + n * _HEADING_LINE:.0f}">{hypertext.text(line)}</text>'
            for n, (kind, line) in enumerate(heading)
        ),
        *(_line(one, by_id, places) for one in lines),
        *(_node(node, places[node.id]) for node in standing),
        *_line_words(lines, by_id, places),
    ]
    title = hypertext.text(f"{scene.title}: {len(standing)} nodes, {len(lines)} lines. The tables hold the same rows.")
    legend = _legend({node.kind for node in scene.nodes})
    return (
        f'<div class=drawing><svg role="img" aria-label="{title}" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="{left - _MARGIN:.0f} {top - _MARGIN:.0f} {wide:.0f} {high:.0f}">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,1L7,4L0,7" class="line"/></marker></defs>'
        f"{''.join(parts)}</svg></div><p class=legend>{legend}</p>"
    )


def _heading(scene: Scene, wide: float) -> list[tuple[str, str]]:
    """The title and what answers, a line each, with the class of its letters."""
    lines = wrap(scene.about, max(int(wide / _LETTER), 30))
    return [("title", scene.title), *(("about", line) for line in lines), ("about", "")]


def _line_words(
    lines: Sequence[SceneEdge], by_id: Mapping[str, SceneNode], places: Mapping[str, Place]
) -> Iterator[str]:
    if len(lines) > _MOST_LINES_WITH_WORDS:
        return
    for number in sorted(told_once(lines)):
        if lines[number].label:
            yield _words(lines[number], by_id, places)


def _legend(kinds: Container[str]) -> str:
    shown = (name for name in LOOKS if name in kinds)
    return "".join(f"<span>{symbol(name)}{hypertext.text(LOOKS[name].name)}</span>" for name in shown)


def _frame(nodes: list[SceneNode], places: Mapping[str, Place]) -> tuple[float, float, float, float]:
    sides = [_sides(node, places[node.id]) for node in nodes]
    return (
        min(one[0] for one in sides),
        min(one[1] for one in sides),
        max(one[2] for one in sides),
        max(one[3] for one in sides),
    )


def _sides(node: SceneNode, at: Place) -> tuple[float, float, float, float]:
    wide, high = size_of(node)
    above = high / 2 if LOOKS[node.kind].has_label_inside else shape_size(node) + _LIFT
    return at[0] - wide / 2, at[1] - above, at[0] + wide / 2, at[1] - above + high


def _node(node: SceneNode, at: Place) -> str:
    x, y = at
    wide, high = size_of(node)
    size, lines, inside = font_size(node), label_lines(node.label), LOOKS[node.kind].has_label_inside
    verdict = f" u-{node.verdict}" if node.verdict else ""
    if node.kind in ("claim", "source", "unopened"):
        w, h = wide - 6, high - 6
        form = (
            f'<rect class="frame{verdict}" x="{-w / 2:.0f}" y="{-h / 2:.0f}" width="{w:.0f}" height="{h:.0f}" rx="5"/>'
            if node.kind == "claim"
            else f'<path d="M{-w / 2:.0f},{-h / 2:.0f}H{w / 2 - 9:.0f}l9,9V{h / 2:.0f}H{-w / 2:.0f}Z"/>'
        )
    elif inside:
        form = f'<ellipse rx="{wide / 2 - 3:.0f}" ry="{high / 2 - 3:.0f}"/>'
    else:
        form = f'<g transform="scale({shape_size(node) / 11:.2f})">{shape(node.kind)}</g>'
    first = -(len(lines) - 1) * (size + 3) / 2 if inside else shape_size(node) + size
    words = "".join(
        f'<text x="0" y="{first + n * (size + 3):.0f}" text-anchor="middle" dominant-baseline="middle">{hypertext.text(line)}</text>'
        for n, line in enumerate(lines)
    )
    return f'<g class="k-{node.kind}" transform="translate({x},{y})">{form}{words}</g>'


def _ends(one: SceneEdge, places: Mapping[str, Place]) -> tuple[Place, Place]:
    return places[one.source], places[one.target]


def _line(one: SceneEdge, by_id: Mapping[str, SceneNode], places: Mapping[str, Place]) -> str:
    start, end = _ends(one, places)
    tip = ' marker-end="url(#tip)"' if one.label else ""
    between = _between_columns(by_id[one.source], by_id[one.target], start, end)
    if between is not None:
        a, b = between
        half = (b[0] - a[0]) / 2
        curve = f"C{a[0] + half:.0f},{a[1]:.0f} {b[0] - half:.0f},{b[1]:.0f} {b[0]:.0f},{b[1]:.0f}"
        return f'<path class="line" d="M{a[0]:.0f},{a[1]:.0f}{curve}"{tip}/>'
    a, b = _edge_of(by_id[one.source], start, end), _edge_of(by_id[one.target], end, start)
    return f'<path class="line" d="M{a[0]:.0f},{a[1]:.0f}L{b[0]:.0f},{b[1]:.0f}"{tip}/>'


def _between_columns(
    one: SceneNode, other: SceneNode, start: Place, end: Place
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The sides at which a line leaves and reaches shapes of two columns; a straight one would cross their neighbours."""
    way = 1 if end[0] > start[0] else -1
    leaves, reaches = start[0] + way * _half_wide(one), end[0] - way * _half_wide(other)
    return ((leaves, start[1]), (reaches, end[1])) if way * (reaches - leaves) > 40 else None


def _half_wide(node: SceneNode) -> float:
    return size_of(node)[0] / 2 if LOOKS[node.kind].has_label_inside else float(shape_size(node))


def _edge_of(node: SceneNode, at: Place, towards: Place) -> tuple[float, float]:
    """Where a line leaves a shape."""
    across, down = towards[0] - at[0], towards[1] - at[1]
    if LOOKS[node.kind].has_label_inside:
        wide, high = size_of(node)[0] / 2, size_of(node)[1] / 2
    else:
        wide = high = float(shape_size(node))
    # The first side of the rectangle that the straight way meets.
    share = min(1.0, wide / abs(across) if across else 1.0, high / abs(down) if down else 1.0)
    return at[0] + across * share, at[1] + down * share


def _words(one: SceneEdge, by_id: Mapping[str, SceneNode], places: Mapping[str, Place]) -> str:
    start, end = _ends(one, places)
    (x, y), (to_x, to_y) = _between_columns(by_id[one.source], by_id[one.target], start, end) or (start, end)
    share = 0.5 if LOOKS[by_id[one.target].kind].has_label_inside else 0.4  # the words below a shape are wider than it
    x, y = x + (to_x - x) * share, y + (to_y - y) * share
    return f'<text class="word" x="{x:.0f}" y="{y:.0f}" text-anchor="middle" dominant-baseline="middle">{hypertext.text(one.label)}</text>'
