"""A checked text as one HTML file: the text with its figures marked by colour and word, and a card for each. No script."""

from collections.abc import Iterator, Sequence
from typing import Final

from kg.answers.checked_figures import CheckedFigure, CheckedText, KnownValue
from kg.model.verdict import VERDICTS, WORDS
from kg.render import hypertext
from kg.render.check_words import ACTED_ON, answer, passage, reason

_STYLE: Final = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f23; --line: #d0d7de }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e8ea; --line: #3a4149 } }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--paper); color: var(--ink) }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; border-top: 1px solid var(--line); padding-top: 1rem }
mark { background: none; color: inherit; border-bottom: 3px solid var(--tone) } mark a { color: inherit; text-decoration: none }
mark sup, .word { color: var(--tone); font-weight: 600; font-size: .75em }
.word { font-size: 1em } article { border: 1px solid var(--line); border-left: 6px solid var(--tone); padding: .4rem .8rem; margin: .6rem 0 }
article h3 { margin: 0; font-size: 1rem } article p { margin: .3rem 0 } ul { margin: .3rem 0; padding-left: 1.2rem } :target { outline: 3px solid var(--tone) }
"""


def check_page(texts: Sequence[CheckedText]) -> str:
    """The page of some checked texts; the same texts give the same bytes."""
    style = _STYLE + "".join(_colours())
    title = answer(texts[0]) if len(texts) == 1 else f"{len(texts)} texts, checked"
    parts = [
        "<!DOCTYPE html>",
        '<html lang=en><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{hypertext.policy(styles=(style,))}">',
        '<meta name=viewport content="width=device-width, initial-scale=1"><meta name=referrer content="no-referrer">',
        f'<link rel=icon href="data:,"><title>{hypertext.text(title)}</title><style>{style}</style></head><body><main>',
        *(part for number, one in enumerate(texts) for part in _text(one, number)),
        "</main></body></html>\n",
    ]
    return "\n".join(parts)


def _colours() -> Iterator[str]:
    for verdict in VERDICTS:
        yield f".{verdict} {{ --tone: {WORDS[verdict].light} }}\n"
    yield "@media (prefers-color-scheme: dark) {\n"
    for verdict in VERDICTS:
        yield f".{verdict} {{ --tone: {WORDS[verdict].dark} }}\n"
    yield "}\n"


def _text(checked: CheckedText, number: int) -> Iterator[str]:
    yield f"<h1>{hypertext.text(answer(checked))}</h1>"
    names = {one.figure.start: f"t{number}-{at}" for at, one in enumerate(checked.figures)}
    acted = [one for one in checked.worst_first() if one.verdict in ACTED_ON]
    if acted:
        yield '<section aria-label="Figures to act on">'
        yield from (_card(checked, one, names[one.figure.start]) for one in acted)
        yield "</section>"
    yield f'<h2>The text</h2><pre aria-label="The text with its figures marked">{_marked(checked, names)}</pre>'
    others = [one for one in checked.figures if one.verdict not in ACTED_ON]
    if others:
        yield f"<h2>The other {len(others):,} figures</h2>"
        yield from (_card(checked, one, names[one.figure.start]) for one in others)


def _marked(checked: CheckedText, names: dict[int, str]) -> str:
    parts: list[str] = []
    at = 0
    for one in checked.figures:
        start, end = one.figure.start, one.figure.end
        # A figure inside of another one has a card of its own; two marks cannot overlap.
        if start < at:
            continue
        name = names[start]
        parts.append(hypertext.text(checked.text[at:start]))
        parts.append(
            f'<mark class={one.verdict} id="m-{name}"><a href="#{name}">{hypertext.text(checked.text[start:end])}'
            f"<sup> {one.verdict}</sup></a></mark>"
        )
        at = end
    return "".join((*parts, hypertext.text(checked.text[at:])))


def _card(checked: CheckedText, one: CheckedFigure, name: str) -> str:
    sides = [*(_known("states the same", known) for known in one.same[:4])]
    heading = "others say" if one.verdict == "disputed" else "nearest that is known"
    sides += [_known(heading, known) for known in one.others]
    listed = f"<ul>{''.join(sides)}</ul>" if sides else ""
    return (
        f'<article class={one.verdict} id="{name}"><h3><a href="#m-{name}">{hypertext.text(one.figure.printed)}</a> '
        f"<span class=word>{one.verdict}</span></h3><p>{hypertext.text(reason(one))}</p>"
        f"<p>{hypertext.text(passage(checked, one))}</p>{listed}</article>"
    )


def _known(role: str, known: KnownValue) -> str:
    shown = f"{role}: {known.printed} ({known.verdict}), {known.subject}, {known.source}, "
    return f"<li>{hypertext.text(shown)}<code>{hypertext.breaking(known.claim)}</code></li>"
