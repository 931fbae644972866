"""What is known of a report besides its text, checked before anything of it is written."""

import shlex
from dataclasses import dataclass, replace

from kg.build.usual_values import slug
from kg.content.entities import Registry, UnknownEntity
from kg.content.resolution import Resolver
from kg.errors import UsageError
from kg.model.dates import is_date


@dataclass(frozen=True, slots=True)
class SourceDetails:
    """Who published a report, when, and what kind of text it is."""

    publisher: str | None = None
    published: str | None = None
    form: str = "report"


def checked_details(details: SourceDetails, registry: Registry) -> SourceDetails:
    """The same with the id of the publisher, who may be given by a name.

    Raises UsageError for what is no date, and UnknownEntity for a publisher that nobody knows.
    """
    if details.published is not None and not is_date(details.published):
        raise UsageError(
            field="--published", given=details.published, expected="a date, such as 2025, 2025-03 or 2025-03-14"
        )
    publisher = details.publisher
    if publisher is None or publisher in registry.records:
        return details
    known = Resolver(registry).resolve("organisation", publisher).id
    if known is None:
        near = registry.nearest(publisher)
        raise UnknownEntity(
            field="publisher",
            given=publisher,
            expected="the id or a name of a known organisation",
            next_step=f'Did you mean "{near}"?'
            if near
            else f"make it: kg names accept {shlex.quote(publisher)} --new org/{slug(publisher)} --kind organisation",
        )
    return replace(details, publisher=known)
