"""The fields of a claim that hold a word of a closed list: what a review offers where nothing was proposed, and refuses."""

from collections.abc import Mapping
from typing import Final, get_args

from kg.errors import UsageError
from kg.model import vocabulary as words
from kg.model.similar_names import similar_names
from kg.reading.candidates_wording import CLOSED
from kg.reading.proposal import Candidate
from kg.reading.proposals_file import CONDITION

ACCEPTED: Final[Mapping[str, tuple[str, ...]]] = {
    "kind": get_args(words.Kind),
    "relation": get_args(words.Relation),
    **{name: values for name, values in CLOSED.items() if name != "statistic"},
}
"""All that the fields of a closed list can hold. A statistic is any word; those of `CLOSED` are usual."""
_LISTED: Final = "in the list of this field"
"""The reason of a value that is offered where nothing was proposed."""


def listed_candidates(name: str) -> tuple[Candidate, ...]:
    """The usual words of a field with a list; none of other fields."""
    return tuple(Candidate(value, value, 0.0, _LISTED) for value in CLOSED.get(name, ()) if value)


def check_listed(name: str, value: str) -> None:
    """Raises UsageError for a value that its closed list does not have, and for a condition of no known name."""
    condition = name.removeprefix(CONDITION)
    if condition != name:
        name, value, accepted = "condition", condition, get_args(words.ConditionName)
    else:
        accepted = ACCEPTED.get(name, ())
    if value and accepted and value not in accepted:
        near = similar_names(value, accepted, most=3)
        raise UsageError(
            field=name,
            given=value,
            expected=", ".join(accepted),
            next_step=f"did you mean {' or '.join(near)}?" if near else "type one of them",
        )
