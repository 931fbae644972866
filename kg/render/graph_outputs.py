"""What a graph gives out whole: its records in exchange formats, libraries of graphs, pictures, charts, reports, citations."""

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kg.answers.graph_answers import GraphAnswers
from kg.ask.bind import checked_limit, checked_path, checked_words, each_text
from kg.stores.protocol import Answer, QueryLanguage

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from rdflib import Dataset

    from kg.answers.cite import Citation
    from kg.export.formats import Exported
    from kg.render.charts import Chart
    from kg.render.scene import Scene


class GraphOutputs(GraphAnswers):
    """The answers of a graph, and all that is made of more than one of them."""

    __slots__ = ()

    @abstractmethod
    def query(
        self,
        text: str,
        *,
        language: QueryLanguage | None = None,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = 60.0,
    ) -> Answer | bytes:
        """Rows of any reading query, or N-Triples of one that makes a graph."""

    @abstractmethod
    def check_open(self) -> None:
        """Raise StoreClosed where the graph was closed."""

    def records(self) -> Iterator[Mapping[str, Any]]:
        """The exchange form: claims, then findings, entities and sources, each sorted by id."""
        from kg.export.exchange import exchange_records

        self.check_open()
        return exchange_records(self)

    def export(
        self, form: str, target: str | os.PathLike[str], *, sources: Sequence[str] = (), things: Sequence[str] = ()
    ) -> "Exported":
        """Write the graph, or the part of some sources or things, in an exchange form.

        A file, or a folder (or `.zip`) for the forms of several files.
        """
        from kg.export.formats import export
        from kg.export.part import part_of

        target, form = checked_path(target, "target"), checked_words(form, "form")
        part = part_of(self, sources=each_text(sources, "sources"), things=each_text(things, "things"))
        return export(self, form, target, part=part)

    def describe(self, *ids: str) -> str:
        """What is stated of claims, things and sources, as Turtle."""
        from kg.export.description import description

        return b"".join(description(self.query, [checked_words(one, "id") for one in ids])).decode("utf-8")

    def to_networkx(self, *, types: "tuple[str, ...] | None" = None) -> "MultiDiGraph":
        """Claims, entities and sources as a NetworkX graph; `types` keeps the edges of some types only."""
        from kg.export.whole_network import to_networkx

        return to_networkx(self, types=types)

    def to_rdflib(self) -> "Dataset":
        """Everything as an rdflib `Dataset` in memory: one named graph for the claims of each source, and three more."""
        from kg.export.rdflib_dataset import to_rdflib

        return to_rdflib(self)

    def cite(self, identifier: str | None = None) -> "Citation":
        """How to cite a claim, a source, an entity or the whole graph, with the version of the content."""
        from kg.answers.cite import cite

        self.check_open()
        return cite(self, None if identifier is None else checked_words(identifier, "id"))

    def view(self, *words: str, limit: int | None = None) -> "Scene":
        """A picture of what the words ask for (see `kg view`); `to_html()` gives the page."""
        from kg.render.pictures import picture
        from kg.render.surroundings import MOST_NODES

        asked = [checked_words(one, "name") for one in words]
        return picture(self, asked, limit=MOST_NODES if limit is None else checked_limit(limit))

    def chart(self, name: str, *words: str, form: str = "svg") -> "Chart":
        """A chart as SVG, PNG or an HTML page; `file` holds its bytes. PNG needs the extra `charts`."""
        from kg.render.charting import chart

        return chart(self, checked_words(name, "chart"), [checked_words(one, "name") for one in words], form=form)

    def report(self, asked: str, /, *, form: str = "html", **values: object) -> str:
        """An evidence report of a saved question (with its parameters) or of a claim, as HTML or Markdown."""
        from kg.render.reporting import report

        return report(self, checked_words(asked, "claim or question"), form=form, values=values)
