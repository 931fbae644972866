"""`kg compare`: all claims that compare A with B."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.grammar import TAKES, claims_meant, refused
from kg.cli.options import ClaimOptions, Format, ListOptions, PublishedOption
from kg.cli.screen import WideOption
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.answers.referent import Referent
    from kg.session import Graph


def compare(
    words: Annotated[
        list[str],
        typer.Argument(metavar="A B", help="two names or ids, such as GB200 H200; one lists what it is compared with"),
    ],
    *,
    options: ListOptions,
    within: ClaimOptions,
    exact: Annotated[bool, typer.Option("--exact", help="the named things only, not their families")] = False,
    published: PublishedOption = False,
    wide: WideOption = False,
) -> None:
    """All claims that compare A with B, both directions: ratio, metric, level, conditions, who, where, and whether to use it.

    Where none gives a ratio, and for the metrics of --metric, also what is stated of each by itself.

    Example: kg compare GB200 H200
    """
    graph = options.open()
    pair = _pair(graph, words, options.tell)
    if pair is None:
        options.name_questions(_put_compared_with(graph, " ".join(words), options))
        return
    from kg.cli.compare_forms import put_comparison

    found = graph.compare(*pair, exact=exact, within=within.restriction(graph), published=published)
    put_comparison(graph, found, options, wide=wide)
    options.name_questions(found.questions)


def _pair(graph: "Graph", words: Sequence[str], tell: Callable[[str], None]) -> tuple[str, str] | None:
    """The two names; those of the claim that is named; None for a single thing."""
    meant = graph.referent(*words)
    if len(words) == 2 and all(graph.referent(word).kind == "thing" for word in words):
        if meant.kind == "thing":  # a rack's name is often that of a chip and that of a rack
            tell(
                f'read as two things; kg compare "{meant.text}" lists what the one thing of this name is compared with'
            )
        return words[0], words[1]
    if len(words) == 2 and meant.kind == "nothing":  # the answer tells which name nobody knows
        return words[0], words[1]
    if meant.kind not in TAKES["compare"]:
        raise refused(meant, "compare")
    if meant.kind in ("claim", "number"):
        return _sides(graph, meant)
    return meant.pair


def _sides(graph: "Graph", meant: "Referent") -> tuple[str, str]:
    """Subject and baseline of a claim, or of all claims that state a number."""
    from kg.answers.asking import Asker
    from kg.answers.claim import read_cards

    cards = read_cards(Asker(graph.ask), claims_meant(graph, meant)).values()
    pairs = {(card.subjects[0].id, card.baseline.id) for card in cards if card.baseline is not None}
    if len(pairs) == 1:
        return pairs.pop()
    if not pairs:
        raise UsageError("compares nothing.", given=meant.text, expected="a claim that has a baseline")
    several = "; ".join(f"{a} {b}" for a, b in sorted(pairs))
    raise UsageError(f"compares {len(pairs)} pairs.", given=meant.text, expected=f"one of them: {several}")


def _put_compared_with(graph: "Graph", name: str, options: ListOptions) -> tuple[str, ...]:
    """What a thing is compared with, those with most claims first."""
    from collections import Counter

    from kg.cli.render import write_rows

    rows = list(graph.ask("comparisons/of-thing", thing=name).dicts())
    labels = {row["other"]: row["other_label"] for row in rows if row["other"] is not None}
    counts = Counter({other: len({row["claim"] for row in rows if row["other"] == other}) for other in labels})
    best = counts.most_common(options.limit)
    if options.form is Format.table:
        print(f"{name} is compared with {len(labels)} other things.\n")
    write_rows(("compared with", "id", "claims"), [(labels[one], one, number) for one, number in best], options.form)
    if best:
        options.tell(f'Next: kg compare "{name}" "{labels[best[0][0]]}"')
    return ("comparisons/of-thing",)
