"""The files that are made from other declarations: which they are, writing them, finding stale ones."""

from pathlib import Path

from kg.content.folders import Content
from kg.content.located import read_located
from kg.projection.jsonld import context_text
from kg.projection.measures import measures_text
from kg.projection.shapes import shapes_turtle

COMMAND = "kg content format"


def generated(content: Content) -> dict[Path, str]:
    """The text each generated file should have."""
    metrics = read_located(content.ontology / "metrics.yaml").value
    units = read_located(content.ontology / "units.yaml").value
    messages = read_located(content.ontology / "shape-messages.yaml").value
    return {
        content.ontology / "shapes.ttl": shapes_turtle(messages),
        content.ontology / "context.jsonld": context_text(units["units"]),
        content.ontology / "measures.nt": measures_text(metrics, units),
    }


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
        path.write_bytes(texts[path].encode("utf-8"))
    return stale
