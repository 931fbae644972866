"""A source as text: who wrote it, what it holds, and its most damaging problems."""

from collections.abc import Iterator, Sequence

from kg.answers.problems import Problems
from kg.answers.show import ClaimCount, Shown
from kg.model.counting import counted
from kg.render.lines import row, rows, wrapped

_WRITTEN = {"yes": "written by a machine", "partly": "partly written by a machine"}
_LABELS = {"sha256": "SHA-256"}
_SKIPPED = frozenset(
    {"label", "kind", "source", "form", "publisher", "published", "published_basis", "machine_written"}
)
"""What the first sentence tells already, or the links tell by name."""


def source_lines(found: Shown, problems: Problems) -> Iterator[str]:
    """A sentence, then what is recorded, the problems in a line or two each, and what to type next."""
    yield from wrapped(_opening(found, problems))
    for number, one in enumerate(problems.problems):
        yield from ["", "Problems, the most damaging first"] if number == 0 else []
        yield from wrapped(f"{one.rank}. {one.wrong}", "     ", first="  ")
        yield from wrapped(f"right: {one.right}", "     ")
    yield ""
    for link in found.links:
        yield from row(link.link.capitalize(), f"{link.other.name} [{link.other.id}]")
    by_kind = sorted((one for one in found.counts if one.role == "stated in"), key=lambda one: -one.claims)
    if by_kind:
        yield from row("Claims", ", ".join(f"{one.claims} {one.kind}" for one in by_kind))
    for name, value in found.facts.items():
        if name not in _SKIPPED and name != "written_by":
            yield from row(_LABELS.get(name, name.replace("_", " ").capitalize()), str(value))
    yield from rows("Next", _next(found, by_kind))


def _next(found: Shown, stated: Sequence[ClaimCount]) -> Iterator[str]:
    """What to type next; of a source that nobody opened, which claims lead back to it."""
    if stated:
        digits = (found.id or "").removeprefix("source/")
        yield from (f"kg audit {digits}", f"kg ask sources/claims --source {found.id}", f"kg cite {digits}")
    else:
        yield f"kg ask origins/echo --origin {found.id}"


def _opening(found: Shown, problems: Problems) -> str:
    """What the source is, when it was published, who wrote it, and how much it holds."""
    facts = found.facts
    date = facts.get("published")
    written = _WRITTEN.get(str(facts.get("machine_written")))
    form = facts.get("form") or (
        "cited by others, never opened" if facts.get("kind") == "unresolved-source" else "source"
    )
    what = [str(form), f"of {date}" if date else "undated", *([written] if written else [])]
    claims = sum(one.claims for one in found.counts if one.role == "stated in")
    holds = f"; {counted(claims, 'claim')} and {counted(problems.found, 'problem')}" if claims else ""
    return f"{facts.get('label')} [{found.id}]: {', '.join(what)}{holds}."
