"""Queries of any text, in the language of a store: read, never write."""

import re
from collections.abc import Mapping
from typing import Final

from kg.errors import QueryError
from kg.model.vocabulary import PREFIXES
from kg.stores.protocol import Answer, Language, Store

_DECLARED: Final = re.compile(r"\bprefix\s+([\w.\-]*):", re.IGNORECASE)
_BEHIND_SHARP: Final = re.compile(r"#[^\n\r]*")


def free_query(
    store: Store,
    text: str,
    *,
    parameters: Mapping[str, object] | None = None,
    limit: int | None = None,
    timeout_seconds: float | None = None,
) -> Answer | bytes:
    """What a text that only reads gives on a store; one that does more is refused."""
    check_unicode(text)
    if store.language == "cypher":
        from kg.ask.cypher_guard import check_cypher

        check_cypher(text, parameters or {})
        return store.select(text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)
    from kg.ask.guard import check_read_only

    form, known = check_read_only(text), prefixes(text)
    try:
        if form not in ("SELECT", "ASK"):
            return store.graph(known + text, timeout_seconds=timeout_seconds)
        return store.select(known + text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)
    except QueryError as error:
        from kg.ask.parse_error import in_the_text

        raise in_the_text(error, text, len(known)) from error


def check_unicode(text: str) -> None:
    """Raises QueryError where a text holds bytes that are no characters: no engine takes it."""
    try:
        text.encode()
    except UnicodeEncodeError as cause:
        raise QueryError(
            code="query.refused",
            given=ascii(text[cause.start : cause.end]),
            expected="a text in Unicode",
            next_step="the terminal gave bytes that are no characters of its encoding: check the locale, or use -f FILE",
        ) from cause


def language_of(text: str) -> Language:
    """The language of a query, by its first words.

    >>> language_of("SELECT ?c { ?c a k:Claim }"), language_of("MATCH (c:Claim) RETURN c.uid")
    ('sparql', 'cypher')
    """
    from kg.ask.cypher_guard import looks_like_cypher

    return "cypher" if looks_like_cypher(text) else "sparql"


def prefixes(asked: str) -> str:
    """The prefixes that a text does not declare; they stand on its first line, so that the lines of errors are its own.

    >>> prefixes("PREFIX k: <urn:x> # prefix id: is ours").count("PREFIX"), "PREFIX id:" in prefixes("# prefix id:")
    (19, True)
    """
    # Behind a sharp sign may be the rest of an IRI too: a prefix that is declared there is declared twice, and the
    # later one counts.
    declared = set(_DECLARED.findall(_BEHIND_SHARP.sub("", asked)))
    return "".join(f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items() if name not in declared)
