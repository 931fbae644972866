"""The review of a file of proposals: what is proposed, what was decided, and the log of it. No terminal and no page here.

A decision is in the log, on disk, before anything else is made of it; opening a review again goes on where the log ends.
What becomes of accepted and rejected figures is up to the *keeper* (`kg.build.reviewed` writes them into a folder of one's
own). One review of a file at a time is the caller's to see to.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from kg.content.coverage import REASONS
from kg.errors import UsageError
from kg.reading.listed_fields import check_listed, listed_candidates
from kg.reading.proposal import Candidate
from kg.reading.proposals_file import CONDITION, FIELDS, Proposals, ProposedFigure, read_proposals
from kg.reading.review_log import Action, Decision, ReviewLogDamaged, cut_unfinished, log_of, read_log

Status = Literal["open", "accepted", "rejected"]
NOTHING: Final = ""
"""The value of a field that is not stated."""
EDITED: Final = "typed"
"""The reason of a value that the reviewer typed."""


TAKEN_BEFORE: Final = "taken for the figure before"
_OF_ITS_OWN_CELLS: Final = ("header of the row", "header of the column")
"""Candidates that a table prints for the figure itself: the row before is another thing, and comes after them."""


class Keeper(Protocol):
    """What a review needs to know, and does with what was decided. Keeping or taking back twice is as good as once."""

    def claim_id(self, figure: ProposedFigure, values: Mapping[str, str]) -> str:
        """The id that an accepted figure gets; raises what is wrong with the claim. Nothing is written."""

    def keep(self, figure: ProposedFigure, values: Mapping[str, str], claim: str) -> None:
        """Write an accepted claim."""

    def keep_rejected(self, figure: ProposedFigure, reason: str) -> None:
        """Write a figure that is no claim, with its reason."""

    def take_back(self, figure: ProposedFigure, claim: str | None) -> None:
        """Undo `keep`, or without a claim `keep_rejected`."""


@dataclass(slots=True)
class ReviewSession:
    """A review under way. `position` is the figure that is looked at; the figures are all of the file, in text order."""

    proposals: Proposals
    keeper: Keeper
    log: Path
    who: str
    clock: Callable[[], datetime]
    decisions: list[Decision]
    position: int = 0
    keys: int = 0
    """Keys pressed since the last decision; a front door counts them here."""
    since: datetime | None = None
    """When the last decision was made, or the review was opened."""
    is_kept: bool = True
    """Whether what the log says last was kept: after a full disk it is kept before anything else is decided."""

    @property
    def figures(self) -> tuple[ProposedFigure, ...]:
        """All figures of the file."""
        return self.proposals.figures

    @property
    def figure(self) -> ProposedFigure:
        """The figure that is looked at."""
        return self.figures[self.position]

    # --- what was decided

    def standing(self) -> Iterator[Decision]:
        """The decisions that were not taken back, in order."""
        undone = {one.undoes for one in self.decisions if one.action == "undo"}
        return (one for one in self.decisions if one.action != "undo" and one.number not in undone)

    def decision(self, position: int | None = None) -> Decision | None:
        """The standing acceptance or rejection of a figure."""
        return self._decided().get(self.position if position is None else position)

    def _decided(self) -> dict[int, Decision]:
        """The standing acceptance or rejection of every figure that has one."""
        return {one.figure: one for one in self.standing() if one.action in ("accept", "reject")}

    def status(self, position: int | None = None) -> Status:
        """Whether a figure is decided, and how. One that reading took for no claim is open until someone says otherwise."""
        return _status_of(self.decision(position))

    def statuses(self) -> list[Status]:
        """The status of every figure."""
        # the log is walked over once: a screen asks after each key, of a table with thousands of figures too
        decided = self._decided()
        return [_status_of(decided.get(position)) for position in range(len(self.figures))]

    def values(self, position: int | None = None) -> dict[str, str]:
        """The fields as they stand: what was chosen, else what is proposed; those that are not stated are left out."""
        at = self.position if position is None else position
        return _values_of(self.figures[at], [one for one in self.standing() if one.figure == at])

    def all_values(self) -> list[dict[str, str]]:
        """The same of every figure."""
        made: dict[int, list[Decision]] = {}
        for one in self.standing():
            made.setdefault(one.figure, []).append(one)
        return [_values_of(figure, made.get(position, ())) for position, figure in enumerate(self.figures)]

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """What can be chosen for a field of the figure that is looked at; a value that was typed stands first."""
        offered = self.figure.candidates.get(name) or listed_candidates(name)
        found = tuple(one for one in offered if one.value)  # that it is not stated comes after the last
        before = self._taken_before(name)
        if before is not None and all(one.value != before for one in found):
            # behind what the table prints for this row, else behind what is proposed
            place = max([at for at, one in enumerate(found, 1) if one.reason in _OF_ITS_OWN_CELLS], default=1)
            found = (*found[:place], Candidate(before, before, 0.0, TAKEN_BEFORE), *found[place:])
        chosen = self.values().get(name)
        if chosen is not None and all(one.value != chosen for one in found):
            found = (Candidate(chosen, chosen, 1.0, EDITED), *found)
        return found

    def _taken_before(self, name: str) -> str | None:
        """What the claim that was accepted last before this figure in the text is of, or is compared with: often this one too."""
        if name not in ("subject", "baseline"):
            return None
        return self._claim_before().get(name)

    def _claim_before(self) -> Mapping[str, str]:
        """The fields of the claim that was accepted last before this figure in the text."""
        earlier = [one for one in self.standing() if one.action == "accept" and one.figure < self.position]
        last = max(earlier, key=lambda one: one.figure, default=None)
        return last.taken if last is not None else {}

    def fields(self) -> list[str]:
        """The fields that are shown of the figure that is looked at: those of a claim, then its conditions."""
        named = {*self.figure.candidates, *self.values()}
        return [*FIELDS, *ordered({name: NOTHING for name in named if name.startswith(CONDITION)})]

    def progress(self) -> dict[str, int]:
        """How many claims are proposed, and how many figures are accepted, rejected and still open."""
        states = self.statuses()
        proposed = [one.is_claim for one in self.figures]
        return {
            "proposed": sum(proposed),
            "accepted": states.count("accepted"),
            "rejected": states.count("rejected"),
            "open": sum(state == "open" and claim for state, claim in zip(states, proposed, strict=True)),
        }

    # --- deciding

    def choose(self, name: str, value: str) -> None:
        """Give a field of the figure a value; an empty one says that it is not stated."""
        if name not in FIELDS and name != "kind" and not name.startswith(CONDITION):
            raise UsageError(field=name, given=name, expected=f"{', '.join(FIELDS)}, kind or {CONDITION}NAME")
        self._refuse_decided()
        check_listed(name, value.strip())
        self._write(self._decision("choose", field=name, value=value.strip()))

    def next_candidate(self, name: str) -> str:
        """Take the next candidate of a field, after the last one that it is not stated; the value it has now."""
        offered = [one.value for one in self.candidates(name)]
        if not offered:
            raise UsageError(field=name, given="no candidate", expected="a field with candidates, or a value to type")
        choices = [*offered, NOTHING]
        now = self.values().get(name, NOTHING)
        value = choices[(choices.index(now) + 1) % len(choices)]
        self.choose(name, value)
        return value

    def take_conditions_before(self) -> list[str]:
        """Give the figure the conditions of the claim before it, next to those that it has; the names of what that changed."""
        now = self.values()
        changed = {
            name: value
            for name, value in self._claim_before().items()
            if name.startswith(CONDITION) and now.get(name) != value
        }
        for name, value in changed.items():
            self.choose(name, value)
        return list(changed)

    def accept(self) -> Decision:
        """Accept the claim as it stands; raises what is wrong with it, and then nothing is decided."""
        self._refuse_decided()
        values = self.values()
        claim = self.keeper.claim_id(self.figure, values)
        decided = self._decision("accept", claim=claim, proposed=self.figure.proposed(), taken=values)
        self._write(decided)
        self._kept(lambda: self.keeper.keep(self.figure, values, claim))
        return decided

    def reject(self, reason: str) -> Decision:
        """Say that the figure is no claim, for a reason of the closed list."""
        if reason not in REASONS:
            raise UsageError(field="reason", given=reason, expected=", ".join(REASONS))
        self._refuse_decided()
        decided = self._decision("reject", reason=reason, proposed=self.figure.proposed())
        self._write(decided)
        self._kept(lambda: self.keeper.keep_rejected(self.figure, reason))
        return decided

    def undo(self) -> Decision | None:
        """Take back the last decision that stands, and look at its figure; None where there is none."""
        # in the order of the log: the last decision that was not taken back, of any figure
        last = next(reversed(list(self.standing())), None)
        if last is not None:
            self._take_back(last)
        return last

    def reopen(self) -> Decision | None:
        """Take back the acceptance or rejection of the figure that is looked at, no matter what was decided since; its fields
        stay as they were chosen. None where it is open.
        """
        decided = self.decision()
        if decided is not None:
            self._take_back(decided)
        return decided

    def _take_back(self, decision: Decision) -> None:
        if decision.number != self.decisions[-1].number:  # what is taken back need not be kept first
            self._catch_up()
        self.position = decision.figure
        self._write(self._decision("undo", undoes=decision.number))
        if decision.action in ("accept", "reject"):
            self._kept(lambda: self.keeper.take_back(self.figures[decision.figure], decision.claim))

    def _kept(self, work: Callable[[], None]) -> None:
        """Do with the keeper what the log says last."""
        self.is_kept = False
        work()
        self.is_kept = True

    def next_claim(self) -> bool:
        """Look at the next open claim after this figure; False where none is left."""
        before = self.position
        if before + 1 < len(self.figures):
            self.move(1)
        if self.next_open():
            return True
        self.position = before
        return False

    def _catch_up(self) -> None:
        """Keep what the log says last, where that failed: behind another decision it would be forgotten."""
        if not self.is_kept:
            self._kept(lambda: _keep_last(self))

    def _refuse_decided(self) -> None:
        self._catch_up()
        decided = self.decision()
        if decided is not None:
            raise UsageError(
                given=f"{self.figure.printed}, {self.status()} by {decided.who}",
                expected="a figure that is open",
                next_step="open it again first (o); undo (u) takes back the last decision of all",
            )

    # --- moving

    def move(self, step: int) -> None:
        """Look at a figure before or after this one, as far as there is one."""
        self.position = min(max(self.position + step, 0), len(self.figures) - 1)

    def next_open(self) -> bool:
        """Look at the next proposed claim that is open, from the top again after the last; False where none is left."""
        order = [*range(self.position, len(self.figures)), *range(self.position)]
        decided = self._decided()
        found = next((at for at in order if self.figures[at].is_claim and at not in decided), None)
        if found is not None:
            self.position = found
        return found is not None

    # --- the log

    def _decision(self, action: Action, **given: Any) -> Decision:
        now = self.clock()
        figure = self.figure
        return Decision(
            len(self.decisions),
            self.position,
            figure.start,
            figure.printed,
            action,
            self.who,
            now.isoformat(timespec="seconds"),
            keys=self.keys,
            seconds=None if self.since is None else round((now - self.since).total_seconds(), 1),
            **given,
        )

    def _write(self, decision: Decision) -> None:
        """Append one line and see it on disk before anything else is done; where that fails, nothing of it stays."""
        # On disk before it is kept: after a kill the log says what was decided, and `_keep_last` does it again.
        with open(self.log, "ab", buffering=0) as file:
            before, rest = file.tell(), memoryview(decision.line())
            try:
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(before)  # half a line, or one that counts for nobody, would spoil those behind it
                raise
        self.decisions.append(decision)
        self.is_kept = True
        self.keys, self.since = 0, self.clock()


def _status_of(decided: Decision | None) -> Status:
    if decided is None:
        return "open"
    return "accepted" if decided.action == "accept" else "rejected"


def _values_of(figure: ProposedFigure, decisions: Iterable[Decision]) -> dict[str, str]:
    """What is proposed for a figure, and over it what was chosen, in the order of the log."""
    values = figure.proposed()
    for one in decisions:
        if one.action == "choose" and one.field is not None:
            values[one.field] = one.value or NOTHING
    return {name: values[name] for name in ordered(values) if values[name] != NOTHING}


def ordered(names: Mapping[str, str]) -> list[str]:
    """The names of fields in the order of review: those of a claim, then conditions by name."""
    rank = {name: position for position, name in enumerate(FIELDS)}
    return sorted(names, key=lambda name: (rank.get(name, len(rank)), name))


def now() -> datetime:
    """The time of a decision."""
    return datetime.now(UTC)


def open_review(
    path: Path, keeper: Keeper, *, who: str, clock: Callable[[], datetime] = now, proposals: Proposals | None = None
) -> ReviewSession:
    """Open a review, new or where it was left: what the log says last is kept again if a kill came in between."""
    given = proposals or read_proposals(path)
    if not given.figures:
        raise UsageError(path=str(path), given="no figure", expected="a file of kg read with figures")
    log = log_of(path)
    cut_unfinished(log)
    decisions = read_log(log)
    for one in decisions:
        # of another reading of the report, the same number would be another figure
        known = given.figures[one.figure] if one.figure < len(given.figures) else None
        if known is None or (known.start, known.printed) != (one.at, one.printed):
            raise ReviewLogDamaged(
                path=str(log),
                line=one.number + 1,
                given=f'"{one.printed}" at {one.at}',
                expected="a figure of this file of proposals",
                next_step=f"the log belongs to another reading; move it away to begin anew: {log.name}",
            )
    session = ReviewSession(given, keeper, log, who, clock, decisions, since=clock())
    _keep_last(session)
    if decisions:
        session.position = decisions[-1].figure
    session.next_open()
    return session


def _keep_last(session: ReviewSession) -> None:
    """A kill may have come between the log and what is kept."""
    last = session.decisions[-1] if session.decisions else None
    if last is None:
        return
    figure, keeper = session.figures[last.figure], session.keeper
    if last.action == "accept" and last.claim is not None:
        keeper.keep(figure, last.taken, last.claim)
    elif last.action == "reject" and last.reason is not None:
        keeper.keep_rejected(figure, last.reason)
    elif last.action == "undo" and last.undoes is not None:
        undone = session.decisions[last.undoes]
        if undone.action in ("accept", "reject"):
            keeper.take_back(session.figures[undone.figure], undone.claim)
