"""The files that are made from other declarations: which they are, writing them, finding stale ones."""

from pathlib import Path

from kg.content.folders import Content
from kg.content.located import read_located
from kg.content.replacing import replace_text
from kg.content.shape import shown
from kg.errors import ContentError, Mistakes
from kg.projection.jsonld import context_text
from kg.projection.measures import measures_text
from kg.projection.shapes import shapes_turtle

COMMAND = "kg content format"


def generated(content: Content) -> dict[Path, str]:
    """The text each generated file should have."""
    metrics = read_located(content.ontology / "metrics.yaml").value
    units = read_located(content.ontology / "units.yaml").value
    return {
        content.ontology / "shapes.ttl": shapes_turtle(_messages(content)),
        content.ontology / "context.jsonld": context_text(units["units"]),
        content.ontology / "measures.nt": measures_text(metrics, units),
    }


def _messages(content: Content) -> dict[str, str]:
    """From the name of a shape to its message."""
    located = read_located(content.ontology / "shape-messages.yaml", shown="ontology/shape-messages.yaml")
    given = located.value.items() if isinstance(located.value, dict) else ((None, located.value),)
    Mistakes.raise_any(
        ContentError(
            path="ontology/shape-messages.yaml",
            line=located.line() if name is None else located.line(str(name)),
            field=None if name is None else str(name),
            given=shown(message),
            expected="a message in words under the name of a shape",
        )
        for name, message in given
        if not isinstance(name, str) or not isinstance(message, str)
    )
    return dict(given)


def stale_generated(content: Content) -> list[Path]:
    """The generated files that are missing or are not what they should be, sorted."""
    return sorted(
        path
        for path, text in generated(content).items()
        if not path.is_file() or path.read_bytes() != text.encode("utf-8")
    )


def write_generated(content: Content) -> list[Path]:
    """Write the stale ones and name them."""
    texts = generated(content)
    stale = stale_generated(content)
    for path in stale:
        replace_text(path, texts[path])
    return stale
