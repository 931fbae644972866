"""What a key or a button of a review does, and the words it answers with: the same in a terminal and on a page."""

from dataclasses import dataclass
from typing import Final

from kg.build.reviewed import OwnFolderKeeper
from kg.reading.proposals_file import CONDITION
from kg.reading.review import NOTHING, ReviewSession

_NOT_STATED: Final = "not stated"
ALL_DECIDED: Final = "every proposed claim is decided"


@dataclass(frozen=True, slots=True)
class ReviewActions:
    """The actions on the figure that is looked at. Each raises KgError, and then nothing was done."""

    session: ReviewSession
    keeper: OwnFolderKeeper

    def accept(self) -> str:
        """Accept the claim and go on to the next that is open; with what the audit says of it."""
        decided = self.session.accept()
        return self.go_on("\n".join([f"accepted as {decided.claim}", *self.keeper.report()]))

    def reject(self, reason: str) -> str:
        """Say that the figure is no claim and go on."""
        self.session.reject(reason)
        return self.go_on(f"rejected: {reason}")

    def go_on(self, said: str) -> str:
        """Look at the next open claim; where none is left, that is said too."""
        return said if self.session.next_open() else f"{said}\n{ALL_DECIDED}".strip()

    def next_candidate(self, field: str) -> str:
        """Take the next candidate of a field."""
        return _chosen(field, self.session.next_candidate(field))

    def choose(self, field: str, value: str) -> str:
        """Give a field a value that was offered, or none."""
        self.session.choose(field, value)
        return _chosen(field, value)

    def edit(self, field: str, typed: str) -> str:
        """Give a field what a person typed: a name, an id, or ID = Label for a new thing."""
        return self.choose(field, self.keeper.meant(field, typed))

    def set_condition(self, name: str, typed: str) -> str:
        """Give the claim a condition."""
        return self.edit(f"{CONDITION}{name}", typed)

    def clear(self, field: str) -> str:
        """Say that a field is not stated."""
        return self.choose(field, NOTHING)

    def take_conditions_before(self) -> str:
        """Give the figure the conditions of the claim before it."""
        taken = self.session.take_conditions_before()
        names = ", ".join(name.removeprefix(CONDITION) for name in taken)
        return f"as the claim before: {names}" if taken else "the claim before has no other conditions"

    def undo(self) -> str:
        """Take back the last decision of all."""
        undone = self.session.undo()
        return "nothing to undo" if undone is None else f"taken back: {undone.action} of {undone.printed}"

    def reopen(self) -> str:
        """Take back the decision of the figure that is looked at."""
        reopened = self.session.reopen()
        return "it is open" if reopened is None else f"open again: {reopened.printed}"


def _chosen(field: str, value: str) -> str:
    return f"{field}: {value or _NOT_STATED}"
