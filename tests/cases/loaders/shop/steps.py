"""Steps of the shop."""


def doubled(count: int | None) -> int | None:
    """Twice the count."""
    return None if count is None else 2 * count
