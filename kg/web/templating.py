"""The templates, with everything that is put into them escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from kg.__about__ import __version__


@cache
def environment() -> Environment:
    """The environment of all templates."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["version"] = __version__
    return made


def page(template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """A page out of a template."""
    return HTMLResponse(environment().get_template(template).render(values), status_code=status)
