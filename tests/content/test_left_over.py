"""What is left of a document's figures is shown with its words, and patterns that would explain it are proposed."""

import re

from kg.content.coverage import NUMERAL, CoverageList, Ignored, LeftOver
from kg.content.left_over import figures_with_words, proposed_patterns

TEXT = (
    "The Zed90 beats the Zed90 of May 2025 [3] by 12 W.\n"
    "It took 48 nodes, says Quux-7, and 80GB of memory. See https://example.org/a/17 for 80GB.\n"
)


def left_of(text: str) -> list[LeftOver]:
    return [LeftOver(one.start(), one.group(), in_table=False) for one in NUMERAL.finditer(text)]


def test_each_figure_stands_between_its_words() -> None:
    found = {one.text: one.words for one in figures_with_words(TEXT, left_of(TEXT))}
    assert "It took 48 nodes, says" in found["48"] and "\n" not in found["48"]


def test_forms_words_and_patterns_of_other_sources_are_proposed_with_what_they_explain() -> None:
    other = CoverageList("source/b", (), (Ignored("model-name", pattern=re.compile(r"\bQuux-\d\b")),))
    found = {one.pattern: one for one in proposed_patterns("source/a", TEXT, left_of(TEXT), {"source/b": other})}
    by_example = {one.example: (one.reason, one.explains) for one in found.values()}
    assert by_example == {
        "Zed90": ("product-name", 2),
        "May 2025": ("date", 1),
        "[3]": ("citation-mark", 1),
        "https://example.org/a/17": ("link", 1),
        "Quux-7": ("model-name", 1),
    }
    assert "80GB" not in str(found) and "12" not in by_example


def test_a_pattern_of_the_source_itself_is_not_proposed_again_and_nothing_left_needs_none() -> None:
    own = CoverageList("source/a", (), (Ignored("model-name", pattern=re.compile(r"\bQuux-\d\b")),))
    assert "Quux-7" not in {
        one.example for one in proposed_patterns("source/a", TEXT, left_of(TEXT), {"source/a": own})
    }
    assert proposed_patterns("source/a", TEXT, [], {}) == []
