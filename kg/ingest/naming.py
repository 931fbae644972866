"""Slugs for the ids that a load makes: two different names never share one."""

import re
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from kg.content.folders import file_name
from kg.ingest.cells import as_text
from kg.model.names import name_key

_NOT_SLUG = re.compile(r"[^a-z0-9.+]+")


def file_stem(path: Path) -> str:
    """The name of a file without its ending, and without that of a compressed one.

    >>> file_stem(Path("a/prices.2026.csv.gz"))
    'prices.2026'
    """
    return Path(file_name(path).removesuffix(".gz")).stem


@lru_cache(maxsize=1 << 16)
def _slug(text: str) -> str:
    key = name_key(text)
    slug = _NOT_SLUG.sub("-", key).strip("-")
    if len(slug) <= 80 and slug == key.replace(" ", "-"):
        return slug
    return f"{slug[:80]}-{sha256(key.encode()).hexdigest()[:6]}".strip("-")


def slug_of(value: object) -> str:
    """A value as part of an id; a tail of its hash is added where letters or signs were lost.

    >>> slug_of("DeepSeek-R1"), slug_of("text to video"), slug_of("Grace (x4)"), slug_of(None), slug_of(8.0)
    ('deepseek-r1', 'text-to-video', 'grace-x4-9ad8e8', 'none', '8')
    """
    if value is None:
        return "none"
    text = as_text(value)
    # a key has the id without its kind
    if "/" in text and text.split("/", 1)[0].isalpha() and " " not in text:
        text = text.split("/", 1)[1]
    return _slug(text) or "none"
