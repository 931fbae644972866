"""The log of a review: one decision a line, on disk before anything is made of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from dataclasses import field as fresh
from json import dumps
from pathlib import Path
from typing import Literal

import msgspec

from kg.errors import ContentError

Action = Literal["choose", "accept", "reject", "undo"]


class ReviewLogDamaged(ContentError):
    """The log of a review cannot be read."""

    code = "review.log"


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the log: who did what to which figure, and when.

    `choose` gives a `field` a `value`; `accept` has in `proposed` and `taken` the fields as they were offered and as they
    were taken, and in `claim` the id; `reject` has the `reason`; `undo` the number of the decision it takes back.
    """

    number: int
    figure: int
    at: int
    printed: str
    action: Action
    who: str
    when: str
    field: str | None = None
    value: str | None = None
    reason: str | None = None
    undoes: int | None = None
    claim: str | None = None
    keys: int = 0
    """Keys pressed for it since the decision before."""
    seconds: float | None = None
    """Time since the decision before, of a first one since the review was opened."""
    proposed: Mapping[str, str] = fresh(default_factory=dict)
    taken: Mapping[str, str] = fresh(default_factory=dict)

    def line(self) -> bytes:
        """The line of the log."""
        values = {key: value for key, value in asdict(self).items() if value not in (None, {}, ())}
        return f"{dumps(values, ensure_ascii=False, sort_keys=True)}\n".encode()


def log_of(proposals: Path) -> Path:
    """Where the decisions about a file of proposals are written."""
    return proposals.with_name(f"{proposals.stem}.decisions.jsonl")


def cut_unfinished(path: Path) -> None:
    """Take out a last line without its end: it was being written when the process was killed. For who goes on with the
    review alone; of one that is under way it may just be coming.
    """
    data = path.read_bytes() if path.is_file() else b""
    if rest := data.rpartition(b"\n")[2]:
        with open(path, "r+b") as file:
            file.truncate(len(data) - len(rest))


def read_log(path: Path) -> list[Decision]:
    """The decisions of a log. A last line that a kill cut off is not there yet; any other bad line is refused."""
    if not path.is_file():
        return []
    whole = path.read_bytes().rpartition(b"\n")[0]
    found: list[Decision] = []
    for number, line in enumerate(whole.split(b"\n") if whole else ()):
        try:
            decision = msgspec.json.decode(line, type=Decision)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as cause:
            raise ReviewLogDamaged(
                path=str(path), line=number + 1, given=str(cause)[:80], expected="a decision that kg review wrote"
            ) from cause
        if decision.number != number:
            raise ReviewLogDamaged(
                path=str(path), line=number + 1, given=f"number {decision.number}", expected=f"{number}"
            )
        if decision.figure < 0 or (decision.undoes is not None and not 0 <= decision.undoes < number):
            raise ReviewLogDamaged(
                path=str(path),
                line=number + 1,
                given=f"figure {decision.figure}, undoes {decision.undoes}",
                expected="a figure of the file, and a decision before this one",
            )
        found.append(decision)
    return found
