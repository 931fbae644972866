"""A row while its claims are made: its fields, its entities, and the claims above."""

from collections.abc import Callable
from dataclasses import dataclass, field

from kg.ingest.compute import Compute, Fields
from kg.model.json_types import Json
from kg.model.recorded import ClaimRecord


@dataclass(slots=True)
class RowView:
    """What a claim template needs of one row."""

    fields: Fields
    printed: dict[str, str]
    prefix: str
    """Id of its claims up to their own last part, with the dot."""
    anchor: Callable[[str], Json]
    """From a field to the place of its cell."""
    made: dict[str, ClaimRecord] = field(default_factory=dict)
    """Claims of this row so far, by name."""
    shared: dict[str, Json] = field(default_factory=dict)
    """Conditions of this row so far, by their template."""

    def conditions(self, template: str, makers: tuple[tuple[str, Compute], ...]) -> Json:
        """The conditions of a template, made once a row."""
        found = self.shared.get(template)
        if found is None:
            fields = self.fields
            found = self.shared[template] = {name: one for name, take in makers if (one := take(fields)) is not None}
        return found
