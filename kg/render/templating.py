"""The templates of the files that are handed on; every value is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from kg.render import hypertext

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """The environment of all templates; read when the first file is made, since most commands make none."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from jinja2.filters import do_mark_safe

    made = Environment(
        loader=PackageLoader("kg.render", "templates"),
        autoescape=True,
        # A misspelt name in a template is an error, not an empty place in a file.
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    # Not the escape of the engine alone: signs that turn the direction of writing are made visible as well.
    made.filters["shown"] = lambda words: do_mark_safe(hypertext.text(str(words)))
    made.filters["breaking"] = lambda words: do_mark_safe(hypertext.breaking(str(words)))
    return made


def rendered(template: str, **values: Any) -> str:
    """A file out of a template."""
    return environment().get_template(template).render(values)


def piece(macro: str, *given: Any, **options: Any) -> str:
    """One part of a page, by the name of its macro."""
    return str(getattr(environment().get_template("parts.html").module, macro)(*given, **options))
