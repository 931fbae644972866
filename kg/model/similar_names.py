"""Known names spelled like one that is not known, for "Did you mean"."""

from collections.abc import Iterable


def similar_names(name: str, known: Iterable[str], *, most: int = 3, likeness: float = 0.6) -> list[str]:
    """At most `most` of the known names, the most similar first.

    `likeness` is the least normalized Indel similarity, from 0 (nothing in common) to 1 (equal but for case).

    >>> similar_names("bandwith", ["power", "bandwidth", "band"])
    ['bandwidth', 'band']
    >>> similar_names("Wat", ["date", "watt"], most=1)
    ['watt']
    """
    # imported here: commands that find every name start without it
    from rapidfuzz import fuzz, process

    near = process.extract(
        name, list(known), scorer=fuzz.ratio, processor=str.casefold, limit=most, score_cutoff=100 * likeness
    )
    return [one for one, _, _ in near]
