"""`kg explain`: what a code, a word, a metric or a unit means."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import ContentOption, Format, FormatOption
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.content.codes import Code
    from kg.content.glossary import Word
    from kg.content.meanings import Meaning
    from kg.content.vocabulary import Vocabulary


def explain(
    code: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CODE|FAMILY|WORD]",
            help="a code, the first part of codes, a word of the glossary, a metric, a unit or another word for one",
        ),
    ] = None,
    form: FormatOption = Format.table,
    content: ContentOption = None,
) -> None:
    """What an error or finding code means and what to do, which codes a family holds, what a word, a metric or a unit means.

    Example: kg explain MFU
    """
    from pathlib import Path

    from kg.content.codes import read_codes
    from kg.content.folders import find_content
    from kg.content.glossary import read_glossary
    from kg.content.vocabulary import read_vocabulary

    found = find_content(Path(content) if content else None)
    codes, words = read_codes(found), {**_verdicts(), **read_glossary(found)}
    asked = " ".join(code or ())
    if not asked:
        _list(codes, words, form)
    elif (code_name := asked.casefold()) in codes:
        _code(codes[code_name], form)
    else:
        _meanings(asked, codes, words, read_vocabulary(found), form)


def _meanings(
    asked: str, codes: "Mapping[str, Code]", words: "Mapping[str, Word]", vocabulary: "Vocabulary", form: Format
) -> None:
    """A word of the glossary, what the vocabulary calls so, or a family of codes."""
    from kg.cli.render import write_rows
    from kg.content.meanings import meanings

    terms = meanings(vocabulary, asked)
    # a metric called exactly so is meant before a word of the glossary that only begins with it
    word = _meant(asked, words, whole=bool(terms))
    family = {name: one for name, one in codes.items() if name.startswith(f"{asked.casefold()}.")}
    if word is not None:
        _word(word, form)
        if terms and form is Format.table:
            sys.stdout.write("\n")
            _terms(terms, form)
    elif family:  # before the metric: messages send readers here for a family such as arithmetic
        write_rows(("code", "title"), [(name, one.title) for name, one in sorted(family.items())], form)
    elif terms:
        _terms(terms, form)
    else:
        raise _unknown(asked, words, codes, vocabulary)


def is_explained(word: str, content: str | None) -> bool:
    """Whether a word is a verdict or one of the glossary, be it in the plural."""
    from pathlib import Path

    from kg.content.folders import find_content
    from kg.content.glossary import read_glossary

    words = {**_verdicts(), **read_glossary(find_content(Path(content) if content else None))}
    return _meant(word, words, whole=True) is not None


def _verdicts() -> "dict[str, Word]":
    """The words that open every answer."""
    from kg.content.glossary import Word
    from kg.model.verdict import WORDS

    return {name: Word(name, "Verdicts", f"verdict of a number. {one.meaning}", "") for name, one in WORDS.items()}


def _meant(asked: str, words: "Mapping[str, Word]", *, whole: bool) -> "Word | None":
    """The word of the glossary that was asked for, in the plural too, and unless it is to be the `whole` one, its beginning."""
    known = {part.strip().casefold(): one for word, one in words.items() for part in (word, *word.split(","))}
    key = asked.casefold()
    begun = (one for word, one in known.items() if key and word.startswith(f"{key} "))
    return known.get(key) or known.get(key.removesuffix("s")) or (None if whole else next(begun, None))


def _unknown(
    asked: str, words: "Mapping[str, Word]", codes: "Mapping[str, Code]", vocabulary: "Vocabulary"
) -> UsageError:
    """What is like it: a word that is said here instead, then codes, families and words that are spelled like it."""
    from kg.content.meanings import known_terms
    from kg.model.similar_names import similar_names

    avoided = [
        one.word
        for one in words.values()
        if asked.casefold() in [word.strip() for word in one.avoided.casefold().split(",")]
    ]
    names = {*codes, *(name.partition(".")[0] for name in codes), *words, *known_terms(vocabulary)}
    near = similar_names(asked, sorted(names))
    hints = [*(f"{word} (which is said here instead)" for word in avoided), *near]
    return UsageError(
        "is no known code, word of the glossary, metric or unit.",
        given=asked,
        expected="a code, a family of codes or a word that kg explain lists, a metric or a unit",
        next_step=(f"Did you mean {', '.join(hints)}? " if hints else "")
        + "kg show NAME tells of a chip, system or model",
    )


def _list(codes: "Mapping[str, Code]", words: "Mapping[str, Word]", form: Format) -> None:
    """For people the families and the words, for programs every code."""
    from kg.cli.render import write_rows
    from kg.render.lines import row, wrapped

    if form is not Format.table:
        write_rows(("code", "title"), [(name, one.title) for name, one in sorted(codes.items())], form)
        return
    families: dict[str, int] = {}
    for name in sorted(codes):
        families[name.partition(".")[0]] = families.get(name.partition(".")[0], 0) + 1
    lines = wrapped(
        f"{len(codes)} codes in {len(families)} families; kg explain FAMILY lists one, kg explain CODE tells one."
    )
    lines += row("families", ", ".join(f"{name} ({count})" for name, count in families.items()))
    lines += row("words", ", ".join(words))
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _terms(terms: "tuple[Meaning, ...]", form: Format) -> None:
    """What the vocabulary says: for people a block each, for programs a row each."""
    from dataclasses import asdict

    from kg.cli.render import write_json, write_rows

    entries = [asdict(one) for one in terms]
    if form is Format.json:
        write_json(entries[0] if len(entries) == 1 else entries)
    elif form is not Format.table:
        flat = [tuple(", ".join(v) if isinstance(v, tuple) else v for v in one.values()) for one in entries]
        write_rows(tuple(entries[0]), flat, form)
    else:
        blocks = ("".join(f"{line}\n" for line in _term_lines(one)) for one in terms)
        sys.stdout.write("\n".join(blocks))


def _term_lines(one: "Meaning") -> Iterator[str]:
    from kg.render.lines import row, rows, wrapped

    called = one.label if one.label == one.id else f"{one.label} ({one.id})"
    yield from wrapped(f"{called}, {one.kind}: {one.means}")
    facts = {
        "measures": ", or ".join(one.measured_in),
        "units": ", ".join(one.units),
        "better": {"neither": "neither way", None: ""}.get(one.better, one.better or ""),
        "for example": one.example or "",
        "also called": ", ".join(one.synonyms),
    }
    for label, text in facts.items():
        if text:
            yield from row(label, text)
    yield from rows("to go on", one.ask)


def _word(word: "Word", form: Format) -> None:
    from kg.cli.render import write_json, write_rows
    from kg.render.lines import wrapped

    entry = {"word": word.word, "means": word.means, "not": word.avoided, "section": word.section}
    if form is Format.json:
        write_json(entry)
    elif form is not Format.table:
        write_rows(tuple(entry), [tuple(entry.values())], form)
    else:
        said = [f"{word.word}: {word.means}", *([f"Not said for it: {word.avoided}"] if word.avoided else [])]
        sys.stdout.write("".join(f"{line}\n" for part in said for line in wrapped(part)))


def _code(one: "Code", form: Format) -> None:
    from kg.cli.render import write_json, write_rows
    from kg.render.lines import wrapped

    entry = {"code": one.code, "title": one.title, "meaning": one.meaning, "do": one.do, "severity": one.severity}
    if form is Format.json:
        write_json(entry)
    elif form is not Format.table:
        write_rows(tuple(entry), [tuple(entry.values())], form)
    else:
        said = [f"{one.code}: {one.title}", "", one.meaning, "", f"What to do: {one.do}"]
        said += [f"Severity: {one.severity}"] if one.severity else []
        sys.stdout.write("\n".join(line for part in said for line in wrapped(part)) + "\n")
