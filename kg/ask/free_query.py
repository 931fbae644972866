"""Queries of any text, in the language of a store: read, never write."""

from collections.abc import Mapping

from kg.errors import QueryError
from kg.stores.protocol import Answer, Store


def free_query(
    store: Store, text: str, *, parameters: Mapping[str, object] | None = None, limit: int | None = None,
    timeout_seconds: float | None = None,
) -> Answer | bytes:  # fmt: skip
    """What a text that only reads gives on a store; one that does more is refused."""
    try:
        text.encode()
    except UnicodeEncodeError as cause:
        raise QueryError(
            code="query.refused",
            given=ascii(text[cause.start : cause.end]),
            expected="a text in Unicode",
            next_step="the terminal gave bytes that are no characters of its encoding: check the locale, or use -f FILE",
        ) from cause
    if store.language == "cypher":
        from kg.ask.cypher_guard import check_cypher

        check_cypher(text, parameters or {})
    else:
        from kg.ask.guard import check_read_only

        if check_read_only(text) not in ("SELECT", "ASK"):
            return store.graph(text, timeout_seconds=timeout_seconds)
    return store.select(text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)
