"""One rule for `--limit`: it cuts in every form, standard error tells it, and a JSON object says how many there are."""

from collections.abc import Mapping
from typing import Any


def cut_object(whole: Mapping[str, Any], limit: int | None, *keys: str) -> dict[str, Any]:
    """An object with at most `limit` things under each key, how many were `found`, and whether they are `complete`.

    >>> cut_object({"a": "GB200", "claims": [1, 2, 3]}, 2, "claims")
    {'a': 'GB200', 'claims': [1, 2], 'found': 3, 'complete': False}
    """
    found = {key: len(whole[key]) for key in keys}
    return {
        **whole,
        **{key: whole[key][:limit] for key in keys},
        "found": found if len(keys) > 1 else found[keys[0]],
        "complete": limit is None or max(found.values()) <= limit,
    }
