"""Checks and formats the content folders: what `kg content` does."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kg.ask.question_files import read_questions
from kg.build.alone import alone_in_own
from kg.content.claims import read_claims, read_layered_claims
from kg.content.claims_file import read_claims_file
from kg.content.codes import read_codes
from kg.content.coverage import Coverage, coverage_of, read_coverage_lists
from kg.content.documents import Document, attach
from kg.content.entities import read_registry
from kg.content.families import family_gaps
from kg.content.folders import Content
from kg.content.format import layout_of, yaml_files
from kg.content.generated import stale_generated, write_generated
from kg.content.left_over import FigureLeft, ProposedPattern, figures_with_words, proposed_patterns
from kg.content.resolution import Resolver
from kg.content.vocabulary import read_vocabulary
from kg.errors import ContentError, DocumentError, KgError, Mistakes
from kg.ledger import durable

Texts = Path | Sequence[Path] | None
"""A folder of source texts, several, or none."""


class Unformatted(ContentError):
    """A content file is not as the formatter writes it."""

    code = "content.unformatted"


@dataclass(frozen=True, slots=True)
class CheckedContent:
    """What a check went through."""

    counts: Mapping[str, int]
    documents: int


def texts_of(content: Content, folder: Texts) -> dict[str, Document]:
    """The texts of folders that sources name, by SHA-256; nothing without a folder."""
    places = folder if isinstance(folder, Sequence) else () if folder is None else (folder,)
    if not places:
        return {}
    wanted = read_registry(content).texts()
    # the first folder stands over the others, as where a passage is shown
    return {digest: text for place in reversed(places) for digest, text in attach(place, wanted).items()}


def check_content(content: Content, folder: Texts) -> CheckedContent:
    """Read everything, compare positions with the texts where they are, and refuse what is stale or unformatted."""
    documents = texts_of(content, folder)
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    Resolver(registry)  # reads the rules of names
    claims, conflicts = read_layered_claims(content, registry, vocabulary, documents)
    questions, codes, lists = read_questions(content.queries), read_codes(content), read_coverage_lists(content)
    Mistakes.raise_any([*(one.at(path="seeds/entities") for one in family_gaps(registry)), *_unformatted(content)])
    counts = {
        "entities": sum(1 for one in registry.records.values() if one["record"] == "entity"),
        "sources": len(registry.sources()),
        "claims": len(claims),
        "metrics": len(vocabulary.metrics),
        "units": len(vocabulary.units.units),
        "questions": len(questions),
        "codes": len(codes),
        "coverage lists": len(lists),
    }
    if content.own is not None:
        sources = _own_sources(content)
        own = sum(1 for one in claims if one["source"] in sources)
        counts |= {"claims of your own sources": own, "conflicts": len(registry.conflicts) + len(conflicts)}
    return CheckedContent(counts, len(documents))


def _unformatted(content: Content) -> Iterator[KgError]:
    """The files that `kg content format` would write otherwise."""
    for path in stale_generated(content) if content.own is None else ():
        yield Unformatted(
            path=str(path),
            given="a stale generated file",
            expected="what follows from the model",
            next_step="run kg content format",
        )
    for path in yaml_files(content):
        if layout_of(path, content) != path.read_text(encoding="utf-8"):
            yield Unformatted(
                path=content.shown(path),
                given="another layout",
                expected="the layout of the formatter",
                next_step="run kg content format",
            )


def _own_sources(content: Content) -> set[str]:
    """The sources that a folder of one's own has claims of."""
    files = (path for path in content.seed_files("claims") if content.is_own(path) and path.read_bytes().strip())
    return {read_claims_file(path, shown=content.shown(path)).source for path in files}


def format_content(content: Content, folder: Texts, *, tell: Callable[[str], None]) -> list[Path]:
    """Rewrite YAML files and generated files in the one layout; `find` becomes `at` where the text is at hand."""
    documents = texts_of(content, folder)
    changed: list[Path] = []
    with alone_in_own(content):
        # Read under the lock, so that nothing older is laid out than what another writer has just written.
        by_source = {one["id"]: documents.get(one.get("sha256", "")) for one in read_registry(content).sources()}
        for path in yaml_files(content):
            text = layout_of(path, content, by_source.get)
            if text != path.read_text(encoding="utf-8"):
                durable.write_whole(path, [text.encode()])
                changed.append(path)
    if content.own is None:
        changed.extend(write_generated(content))
    for path in changed:
        tell(f"rewrote {content.shown(path)}")
    return changed


def _shown(folder: Texts) -> str:
    return ", ".join(map(str, folder)) if isinstance(folder, Sequence) else str(folder)


class LeftOverFigures(NamedTuple):
    """The coverage of one document, the figures that are left with their words, and patterns that would explain them."""

    coverage: Coverage
    figures: tuple[FigureLeft, ...]
    patterns: tuple[ProposedPattern, ...]


def figures_left_over(content: Content, folder: Texts) -> list[LeftOverFigures]:
    """The coverage of every document that is at hand, with what is left of it."""
    documents = texts_of(content, folder)
    if not documents:
        raise DocumentError(
            code="document.none",
            path=_shown(folder),
            given="no known text",
            expected="files whose SHA-256 a source names",
        )
    registry, lists = read_registry(content), read_coverage_lists(content)
    claims = read_claims(content, registry, read_vocabulary(content))
    found = []
    for one in registry.sources():
        if one.get("sha256") in documents and one["id"] in lists:
            document = documents[one["sha256"]]
            counted = coverage_of(document, claims, lists[one["id"]])
            left = counted.left_over
            found.append(
                LeftOverFigures(
                    counted,
                    tuple(figures_with_words(document.text, left)),
                    tuple(proposed_patterns(one["id"], document.text, left, lists)),
                )
            )
    return found
