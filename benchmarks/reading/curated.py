"""The curated documents, each read with what was learnt from the others and without the names that only it brought."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.reading.judged import OTHER, judge, names_of
from benchmarks.reading.score import Miss, ReadingTally
from benchmarks.reading.withheld import withheld_of
from kg.content.claims import read_claims
from kg.content.documents import Document, attach
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content, find_content
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.reading.candidates_conditions import seen_conditions
from kg.reading.figure import ReportFigure
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import Withheld
from kg.reading.learn import TaughtFigure, learn_ranker
from kg.reading.passage import Passage, PassageReader
from kg.reading.propose import propose_claim
from kg.reading.ranker import Ranker
from kg.reading.taught import report_of, taught_figures, with_values

Json = Any


@dataclass(frozen=True, slots=True)
class CuratedWorld:
    """The shipped content with the documents that are there."""

    content: Content
    registry: Registry
    vocabulary: Vocabulary
    claims: list[Json]
    documents: Mapping[str, Document]

    @classmethod
    def read(cls, folder: Path) -> "CuratedWorld":
        """Read the content, and from a folder the documents that it names."""
        content = find_content()
        registry, vocabulary = read_registry(content), read_vocabulary(content)
        wanted = {one["sha256"]: one.get("document", "") for one in registry.sources() if one.get("sha256")}
        documents = attach(folder, wanted)
        return cls(content, registry, vocabulary, list(read_claims(content, registry, vocabulary)), documents)

    @property
    def sources(self) -> list[str]:
        """The sources whose documents are there."""
        return sorted({claim["source"] for claim in self.claims if claim["anchor"].get("sha256") in self.documents})


def measure_source(world: CuratedWorld, source: str) -> dict[str, ReadingTally]:
    """One document: `found` with the figures that were found in it, `given` with the figures as they were curated."""
    withheld = withheld_of(source, world.claims, world.documents, world.registry, world.content)
    untaught = ReadingKnowledge.from_content(world.registry, world.vocabulary, ranker=Ranker(), withheld=withheld)
    taught = taught_figures(world.claims, world.documents, untaught)
    ranker = learn_ranker([one for claim, one in taught if claim["source"] != source], untaught)
    knowledge = untaught.with_ranker(ranker)
    given, found = ReadingTally(), ReadingTally()
    figures = _FiguresOfSource(world, source, knowledge)
    figures.count_detection(found)
    for claim, one in taught:
        if claim["source"] != source:
            continue
        _judge(claim, one, one.passage, knowledge, withheld, given, source)
        figure = figures.over(claim)
        if figure is not None:
            found.count(
                "unit",
                right=figure.unit == claim["quantity"].get("unit"),
                miss=_miss(source, figure, claim["quantity"].get("unit"), figure.unit),
            )
            relation = claim.get("relation", "absolute")
            found.count(
                "relation", right=figure.relation == relation, miss=_miss(source, figure, relation, figure.relation)
            )
            _judge(claim, one, figures.reader.read(figure), knowledge, withheld, found, source)
    return {"given": given, "found": found}


def _miss(source: str, figure: ReportFigure, right: object, proposed: object) -> Miss:
    return Miss(source.rpartition("/")[2], figure.start, figure.printed, str(right), str(proposed))


def _judge(
    claim: Json,
    taught: TaughtFigure,
    passage: Passage,
    knowledge: ReadingKnowledge,
    withheld: Withheld,
    tally: ReadingTally,
    source: str,
) -> None:
    fields = taught.fields
    right = {
        "subject": names_of(fields["subject"], claim.get("subject_printed"), withheld, knowledge),
        "baseline": names_of(fields["baseline"], claim.get("baseline_printed"), withheld, knowledge),
        "metric": {fields["metric"] or ""},
        "relation": {fields["relation"] or ""},
        "unit": {str(claim["quantity"].get("unit"))},
        **{name: {fields[name] or {"normaliser": "unstated", "modality": "stated"}.get(name, "")} for name in OTHER},
    }
    only = {name: accepted for name, accepted in right.items() if name not in ("relation", "unit")}
    named = {(seen.name, seen.value) for seen in seen_conditions(taught.passage, knowledge, fields["subject"])}
    conditions = {
        name: [value for value in values if (name, value) in named] for name, values in taught.conditions.items()
    }
    conditions = {name: values for name, values in conditions.items() if values}
    proposal = propose_claim(passage, knowledge)
    document = source.rpartition("/")[2]
    if tally.asked["unit"]:  # figures that were found: unit and relation are counted, and asked for with the others
        judge(proposal, only, conditions, tally, document)
        whole = ReadingTally()
        judge(proposal, right, conditions, whole, document)
        for name in ("core fields", "all fields"):
            tally.count(name, right=bool(whole.right[name]))
    else:
        judge(proposal, only, conditions, tally, document)
    _count_precision(proposal, taught, tally)


def _count_precision(proposal: Any, taught: TaughtFigure, tally: ReadingTally) -> None:
    for name, candidates in proposal.conditions.items():
        tally.count("conditions proposed", right=candidates[0].value in taught.conditions.get(name, ()))


class _FiguresOfSource:
    """The figures found in one document, and which claim each is of."""

    def __init__(self, world: CuratedWorld, source: str, knowledge: ReadingKnowledge) -> None:
        document = world.documents[world.registry.records[source]["sha256"]]
        self._report = report_of(document)
        self._source = source
        self.reader = PassageReader(self._report, knowledge.names.scan_all, knowledge.terms.scan)
        found = find_figures(self._report, knowledge.vocabulary.units, knowledge.names)
        self._claims = [figure for figure in found if figure.is_claim]
        self._starts = [figure.start for figure in self._claims]
        self._curated = [claim for claim in world.claims if claim["source"] == source]

    def over(self, claim: Json) -> ReportFigure | None:
        """The figure that overlaps what a claim prints."""
        anchor = claim["anchor"]
        at = bisect_left(self._starts, anchor["end"])
        for figure in reversed(self._claims[max(0, at - 3) : at]):
            if figure.end > anchor["start"]:
                return figure
        return None

    def count_detection(self, tally: ReadingTally) -> None:
        """Claims found among those curated, and what was called a claim where nothing was curated."""
        document = self._source.rpartition("/")[2]
        for claim in with_values(self._curated):
            start = claim["anchor"]["start"]
            printed = claim["quantity"].get("printed") or ""
            tally.count(
                "recall",
                right=self.over(claim) is not None,
                miss=Miss(document, start, printed, "a claim", "not found"),
            )
        spans = sorted(
            (one["start"], one["end"])
            for claim in self._curated
            for one in (claim["anchor"], *claim.get("also_at", ()), *claim.get("context_anchors", ()))
            if "start" in one
        )
        for figure in self._claims:
            curated = any(start < figure.end and figure.start < end for start, end in spans)
            tally.count(
                "precision", right=curated, miss=Miss(document, figure.start, figure.printed, "no claim", "a claim")
            )
