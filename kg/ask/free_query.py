"""Queries of any text, in the language of a store: read, never write."""

from collections.abc import Mapping

from kg.stores.protocol import Answer, Store


def free_query(
    store: Store, text: str, *, parameters: Mapping[str, object] | None = None, limit: int | None = None,
    timeout_seconds: float | None = None,
) -> Answer | bytes:  # fmt: skip
    """What a text that only reads gives on a store; one that does more is refused."""
    if store.language == "cypher":
        from kg.ask.cypher_guard import check_cypher

        check_cypher(text, parameters or {})
    else:
        from kg.ask.guard import check_read_only

        if check_read_only(text) not in ("SELECT", "ASK"):
            return store.graph(text, timeout_seconds=timeout_seconds)
    return store.select(text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)
