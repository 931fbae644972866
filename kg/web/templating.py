"""The templates, with everything that is put into them escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from kg.__about__ import __version__

# Meets an address with forty signs or more behind its `//`, up to a space or the bracket or quote
# that closes it.
_ADDRESS: Final = re.compile(r"(https?://[^\s()<>\]\"]{40,})")


@cache
def environment() -> Environment:
    """The environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        # A misspelt name in a template is an error, not an empty place on a page.
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["version"] = __version__
    made.filters["addresses"] = addresses
    return made


def addresses(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a text, and whether a part is an address of the web that is long to read.

    >>> list(addresses("see [x](https://a.example/" + "b" * 40 + ") there"))[1][1]
    True
    """
    for number, part in enumerate(_ADDRESS.split(text)):
        if part:
            yield part, number % 2 == 1


def page(template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """A page out of a template."""
    return HTMLResponse(environment().get_template(template).render(values), status_code=status)
