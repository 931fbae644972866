"""What a graph answers: each method hands its question to the service of that name.

A service takes the few things it needs (rows of saved questions, records, the stamp of a generation), never the whole
session; this class gives them out, so that whoever opens a graph in another way has the same answers.
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from kg.ask.bind import checked_limit, checked_path, checked_seconds, checked_words, each_of, each_text
from kg.ask.lexicon import Lexicon
from kg.content.folders import Content
from kg.errors import UsageError
from kg.model.identifiers import is_source_id
from kg.model.verdict import VERDICTS, PairVerdict
from kg.model.view_stamp import ViewStamp
from kg.model.vocabulary import Kind, pasted_id
from kg.stores.protocol import Answer, Language, Store

if TYPE_CHECKING:
    from kg.answers.audit import Judged
    from kg.answers.audit_report import AuditReport, ShownFinding
    from kg.answers.checked_figures import CheckedText
    from kg.answers.checked_text import TextChecker
    from kg.answers.compare import Comparison
    from kg.answers.comparison_matrix import ComparisonMatrix
    from kg.answers.conflicts import Conflicts
    from kg.answers.find import Found
    from kg.answers.first_answer import AskedRows, FirstAnswer
    from kg.answers.impact import Consequences
    from kg.answers.marked_text import MarkedSource
    from kg.answers.origins import OriginsOf
    from kg.answers.overview import Overview
    from kg.answers.problems import Problems, ProblemStudy
    from kg.answers.published import Restriction
    from kg.answers.published_ratios import OfficialRatio
    from kg.answers.referent import Referent, Scope
    from kg.answers.sheet import Sheet
    from kg.answers.show import Shown
    from kg.answers.trace import Trace
    from kg.answers.verification import Verification, Verified
    from kg.answers.worded_question import QuestionRows
    from kg.ask.question_fit import WordReading
    from kg.content.baseline import Accepted
    from kg.content.documents import Document
    from kg.reading.text import TextFormat


_FILE_NAME: Final = re.compile(r"\S+\.(?:md|markdown|txt|html?|pdf)", re.IGNORECASE)
"""A text that is a file's name and no more; whether there is such a file is not looked up, as texts come from others too."""


class GraphAnswers(ABC):
    """The answers of one generation of a graph."""

    __slots__ = ("_checker", "_study")

    folder: Path
    content: Content
    stamp: ViewStamp
    lexicon: Lexicon
    store: Store
    _checker: "TextChecker | None"
    _study: "ProblemStudy | None"

    @abstractmethod
    def ask(
        self,
        name: str,
        /,
        *,
        limit: int | None = None,
        language: Language | None = None,
        timeout_seconds: float | None = None,
        **values: object,
    ) -> Answer:
        """The rows of a saved question."""

    @abstractmethod
    def ledger_folder(self) -> Path:
        """The folder of the ledger."""

    @abstractmethod
    def is_whole(self) -> bool:
        """Whether the view was made from the ledger as it is."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the store."""

    @abstractmethod
    def records(self) -> Iterator[Mapping[str, Any]]:
        """All records in the exchange form."""

    @abstractmethod
    def document(self, name: str | None, sha256: str | None) -> "Document | None":
        """The source text of a digest, where the reader has it."""

    def compare(
        self, a: str, b: str, *, exact: bool = False, within: "Restriction | None" = None, published: bool = False
    ) -> "Comparison":
        """All claims that compare A with B, in both directions; what published results give is summed up, or listed."""
        from kg.answers.compare import compare

        return compare(
            self.ask, checked_words(a, "A"), checked_words(b, "B"), exact=exact, within=within, published=published
        )

    def referent(self, *words: str, number_first: bool = False) -> "Referent":
        """What words name: a claim, number, source, thing, metric or two things; what every command reads them by."""
        from kg.answers.referent import read_referent

        return read_referent(self.ask, words, self.lexicon.units, number_first=number_first)

    def scope(self, meant: "Referent") -> "Scope":
        """The claims that a referent is about."""
        from kg.answers.referent import scope_of

        return scope_of(self.ask, meant, self.lexicon.units)

    def matrix(self, a: str, b: str) -> "ComparisonMatrix":
        """What is specified of A and of B, metric by metric, with the ratio where both values may be used."""
        from kg.answers.comparison_matrix import comparison_matrix

        return comparison_matrix(self.ask, checked_words(a, "A"), checked_words(b, "B"))

    def readings(self, text: str, rows: "QuestionRows") -> "list[WordReading]":
        """The ways to read plain words, the one that is answered first; raises `UnsureQuestion` where none is for certain."""
        from kg.answers.worded_question import answered_readings

        known = self.lexicon
        return answered_readings(self.ask, known.questions, known.metric_words, text, rows, units=known.units)

    def first_answer(self, asked: "AskedRows", answer: Answer) -> "FirstAnswer":
        """What answers a question before its rows do."""
        from kg.answers.first_answer import first_answer

        return first_answer(self, asked, answer)

    def trace(self, text: str | float, *, about: Sequence[str] = ()) -> "Trace":
        """The provenance of a number, as a text or a number, or of a claim by its id; `about` names what its claims are about."""
        from kg.answers.trace_about import trace_about

        return trace_about(self.ask, text, self.lexicon.units, each_text(about, "about"))

    def official_ratio(self, found: "Trace") -> "OfficialRatio | None":
        """What official results give of the two things that a traced ratio is about."""
        from kg.answers.official_ratio import official_ratio

        return found.official or official_ratio(self.ask, found)

    def find(self, text: str, *, within: "Restriction | None" = None, published: bool = False) -> "Found":
        """Entities, claims, sources and questions that match; published rows are summed up unless they are asked for."""
        from kg.answers.find import find

        words = self.lexicon.metric_words
        return find(self.ask, text, self.lexicon.questions, metric_words=words, within=within, published=published)

    def restriction(
        self,
        *,
        metrics: Sequence[str] = (),
        phases: Sequence[str] = (),
        models: Sequence[str] = (),
        sources: Sequence[str] = (),
        since: str | None = None,
    ) -> "Restriction | None":
        """What claims must fit; None where nothing is given."""
        from kg.answers.asking import Asker
        from kg.answers.published import read_restriction

        named = {"metrics": metrics, "phases": phases, "models": models, "sources": sources}
        each = {name: each_text(given, name) for name, given in named.items()}
        found = read_restriction(Asker(self.ask), **each, since=since)
        return found or None

    def show(self, identifier: str) -> "Shown":
        """All that is known of one entity, claim or source."""
        from kg.answers.show import show

        return show(self.ask, checked_words(identifier, "id"))

    def specs(self, name: str) -> "Sheet":
        """The spec sheet of a thing, or the values of a metric over all things; an unknown name raises."""
        from kg.answers.sheet import specs

        return specs(self.ask, checked_words(name, "name"))

    def claims(
        self,
        thing: str | None = None,
        *,
        metric: str | None = None,
        source: str | None = None,
        kind: str | None = None,
        verdict: str | None = None,
        wide: bool = False,
    ) -> Answer:
        """All claims, or those of a thing (with its family), a metric, a source, a kind or a verdict, one row each.

        `.to_pandas()` and `.to_polars()` make a frame of it; `wide` adds the reason of the verdict, kind, ids and printed unit.
        A thing, metric, source, kind or verdict that there is none of raises.
        """
        from kg.answers.listing import covered_by, list_claims, metric_name, source_named

        return list_claims(
            self.records(),
            subjects=None if thing is None else covered_by(self.ask, checked_words(thing, "thing")),
            metric=None if metric is None else metric_name(self.ask, checked_words(metric, "metric")),
            source=None if source is None else source_named(self.ask, checked_words(source, "source")),
            kind=None if kind is None else each_of((kind,), get_args(Kind), "kind")[0],
            verdict=None if verdict is None else each_of((verdict,), VERDICTS, "verdict")[0],
            wide=wide,
        )

    def entities(self, kind: str | None = None) -> Answer:
        """All things, or those of a kind such as `accelerator`, one row each."""
        from kg.answers.listing import list_entities

        return list_entities(self.records(), kind)

    def audit(
        self,
        *,
        rules: Sequence[str] = (),
        sources: Sequence[str] = (),
        severities: Sequence[str] = ("violation", "warning"),
        baseline: "Mapping[str, Accepted] | None" = None,
        most: int | None = None,
        within: "Restriction | None" = None,
        scopes: "Sequence[Scope]" = (),
    ) -> "AuditReport":
        """All findings, or the `most` severe ones, or those of some codes and sources; what holds and what was not checked.

        `within` and each of `scopes` keep the findings of which a claim fits.
        """
        from kg.answers.audit import SEVERITIES
        from kg.answers.audit_report import audit_graph

        return audit_graph(
            self,
            rules=each_text(rules, "rules"),
            sources=each_text(sources, "sources"),
            severities=each_of(severities, SEVERITIES, "severities"),
            baseline=baseline,
            most=None if most is None else checked_limit(most, least=0),
            within=within,
            scopes=scopes,
        )

    def problems(
        self,
        judged: "Judged | None" = None,
        *,
        sources: Sequence[str] = (),
        things: Sequence[str] = (),
        scope: "Scope | None" = None,
        within: "Restriction | None" = None,
        published: bool = False,
        most: int | None = None,
    ) -> "Problems":
        """What is wrong, what is right and what falls with it, the most damaging first; `judged` is an audit of the same part.

        Problems of published rows alone are counted, and listed only with `published` or where their source is asked for.
        """
        from kg.answers.problems import problems_of, read_study

        if self._study is None or "generation" not in self.stamp:
            self._study = read_study(self)
        part = judged or self.audit(sources=sources, most=0, within=within).judged
        named, most = each_text(things, "things"), None if most is None else checked_limit(most, least=0)
        return problems_of(self, part, self._study, things=named, scope=scope, published=published, most=most)

    def marked_source(self, source: str, *, ranked: Sequence[str] = ()) -> "MarkedSource":
        """A source with every figure that is claimed in it; `ranked` are claims, the most damaging first."""
        from kg.answers.listing import source_named
        from kg.answers.marked_text import marked_source

        source = checked_words(source, "source")
        if not is_source_id(source):  # an id is one, or of nothing that is there
            source = source_named(self.ask, source)
        rows = list(self.ask("sources/card", source=[source]).dicts())
        digest, name = (str(rows[0][key]) if rows and rows[0][key] else None for key in ("sha256", "document"))
        return marked_source(self.ask, source, self.document(name, digest), ranked=each_text(ranked, "ranked"))

    def overview(self) -> "Overview":
        """How many claims there are, and from which sources."""
        from kg.answers.overview import overview

        return overview(self.ask)

    def findings(self, *names: str) -> "tuple[ShownFinding, ...]":
        """Findings by id, with the calculations behind them."""
        from kg.answers.audit_report import show_findings

        return show_findings(self, names)

    def conflicts(
        self,
        asked: str | None = None,
        *,
        verdicts: Sequence[str] = ("conflict", "possible-conflict", "explained"),
        within: "Restriction | None" = None,
        published: bool = False,
    ) -> "Conflicts":
        """Groups of claims that disagree, about a thing, a metric or anything; those of published rows alone on demand."""
        from kg.answers.conflicts import find_conflicts

        if asked is not None:
            checked_words(asked, "name")
        wanted = each_of(verdicts, get_args(PairVerdict), "verdicts")
        return find_conflicts(self.ask, asked, verdicts=wanted, within=within, published=published)

    def origins(self, claim: str) -> "OriginsOf":
        """How often a claim is said, and how many independent sources say it."""
        from kg.answers.origins import find_origins

        return find_origins(self.ask, pasted_id(checked_words(claim, "claim")))

    def impact(self, *claims: str, value: str | None = None, sources: Sequence[str] = ()) -> "Consequences":
        """What follows if claims are wrong; `sources` adds all figures of a text that do not recompute."""
        from kg.answers.impact import impact_of_claims

        named = [pasted_id(checked_words(one, "claim")) for one in claims]
        return impact_of_claims(self, named, value=value, sources=each_text(sources, "sources"))

    def verify(self, *words: str) -> "Verification":
        """Every claim of a ratio or an order, or those that words are about, against the published results of the graph.

        The words are a claim, number, thing, metric or source, or two things, as `referent` reads them.
        """
        from kg.answers.verification import verify, verify_meant

        if not words:
            return verify(self.ask, self.lexicon.comparability)
        meant = self.referent(*words)
        return verify_meant(self.ask, self.lexicon.comparability, meant, self.lexicon.units)

    def verified(self, claims: "Collection[str]") -> "dict[str, Verified]":
        """Those of some claims that published results could bear on, by id, each as `verify` has it."""
        from kg.answers.verification import verify_claims

        return verify_claims(self.ask, self.lexicon.comparability, claims)

    def check(
        self,
        text: "str | os.PathLike[str] | bytes",
        *,
        form: "TextFormat | None" = None,
        timeout_seconds: float | None = None,
    ) -> "CheckedText":
        """Every figure of a text next to what is known, and the text's own arithmetic.

        A path is read as a file (text, Markdown, HTML or PDF); a `str` is the text itself, Markdown unless `form` says more.
        After `timeout_seconds` the figures that were checked by then; `unchecked` says how many were not.
        Raises UsageError for a text that is no more than the name of a file.
        """
        if isinstance(text, str) and _FILE_NAME.fullmatch(text.strip()):
            raise UsageError(
                "is read as a text.",
                field="text",
                given=text,
                expected="a text, or a path",
                next_step=f"for the file: check(Path({text!r}))",
            )
        checker, seconds = self._text_checker(), checked_seconds(timeout_seconds)
        if isinstance(text, str | bytes):
            # half a pair of UTF-16 is no character: the reader of bytes refuses it with its place
            data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
            return checker.check(
                data, form=form or ("markdown" if isinstance(text, str) else None), name="text", seconds=seconds
            )
        return checker.check(checked_path(text, "text"), form=form, seconds=seconds)

    def _text_checker(self) -> "TextChecker":
        """Made for the first text and kept: names and words of metrics are read once for a generation."""
        if self._checker is None:
            from kg.answers.checked_text import TextChecker

            self._checker = TextChecker(self.ask, self.content)
        return self._checker
