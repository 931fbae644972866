"""The page of all codes, `docs/codes.md`, made from `ontology/codes.yaml`: each code is a heading."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

_PARTS: Final = (
    ("finding", "Findings", "What an audit says about claims and texts. `kg audit --rule CODE` shows the findings of a code or of its first part."),
    ("explanation", "Explanations", "What may have gone wrong where a result does not recompute; each stands beside a finding, best first."),
    ("error", "Errors", "What a command refuses, and what to do next. Every message names its code."),
)  # fmt: skip


def codes_page(codes: Mapping[str, Mapping[str, Any]]) -> str:
    """The page as Markdown.

    >>> print(codes_page({"kg": {"of": "error", "title": "a failure", "meaning": "It failed.", "do": "Report it."}}).splitlines()[-5])
    ### kg
    """
    return "\n".join(_lines(codes)) + "\n"


def _lines(codes: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "# Codes"
    yield ""
    yield "<!-- Made from ontology/codes.yaml by kg content format; change that file. -->"
    yield ""
    yield "Codes are stable. `kg explain CODE` shows the same text."
    for kind, title, about in _PARTS:
        names = sorted(name for name, one in codes.items() if one["of"] == kind)
        if names:
            yield ""
            yield f"## {title}"
            yield ""
            yield about
        for name in names:
            one = codes[name]
            yield ""
            yield f"### {name}"
            yield ""
            yield (
                f"**{one['title']}**"
                + (f" ({one['severity']}). " if one.get("severity") else ". ")
                + f"{one['meaning']}"
            )
            yield ""
            yield f"What to do: {one['do']}"
