"""What a review shows and does on a key, apart from the terminal: a screen of styled lines, and keys by name.

Keys are counted for the log, so that it can be said what a claim took.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from kg.build.review_actions import ALL_DECIDED, ReviewActions
from kg.build.reviewed import OwnFolderKeeper
from kg.content.coverage import REASONS
from kg.errors import KgError
from kg.reading.review import ReviewSession
from kg.render.lines import wrapped

Line = tuple[str, str]
"""A style and a text."""
Mode = Literal["look", "edit", "reason", "condition"]
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_BESIDE: Final = 3
"""Reasons of a rejection in one line."""
KEYS: Final = (
    "a accept   c next candidate   up/down field   e edit   + condition   s same",
    "x not stated   r reject   u undo   o open again   n next   b back   q quit",
)


def folded(lines: Iterable[Line], columns: int) -> Iterator[Line]:
    """Lines that fit into a terminal, folded between words; the rest of a field further in."""
    for style, text in lines:
        indent = " " * 6 if text.startswith(" ") else ""
        yield from ((style, line) for line in wrapped(text, indent, first="", columns=columns))


def fitted(lines: Iterable[Line], rows: int) -> list[Line]:
    """The lines that a low terminal has room for: what is typed and the keys stay, blank lines and empty fields go first."""
    kept = list(lines)
    # From the bottom up, and never the first line, which says how far the review is.
    for is_dispensable in (_is_blank, _is_empty_field, _is_other, _is_field):
        for at in range(len(kept) - 1, 0, -1):
            if len(kept) > rows and is_dispensable(kept[at]):
                del kept[at]
    return [*kept[: max(0, rows - len(KEYS))], *kept[-len(KEYS) :]] if len(kept) > rows else kept


def _is_blank(line: Line) -> bool:
    return not line[1]


def _is_empty_field(line: Line) -> bool:
    return not line[0] and line[1].endswith(" -")


def _is_other(line: Line) -> bool:
    return line[0] == "class:other"


def _is_field(line: Line) -> bool:
    return not line[0]


@dataclass(slots=True)
class ReviewScreen:
    """The state of the screen: the field that is looked at, what is being typed, and what was said last."""

    session: ReviewSession
    keeper: OwnFolderKeeper
    selected: int = 0
    mode: Mode = "look"
    typed: str = ""
    message: str = ""
    is_over: bool = False

    # --- keys

    def press(self, key: str) -> None:
        """One key: a character, or "enter", "escape", "backspace", "up", "down"."""
        self.session.keys += 1
        try:
            if self.mode == "look":
                self._command(key)
            elif self.mode == "reason":
                self._reason(key)
            else:
                self._type(key)
        except KgError as error:
            self.mode, self.message = "look", error.words

    def _command(self, key: str) -> None:
        commands: dict[str, Callable[[], None]] = {
            "a": self._accept,
            "enter": self._accept,
            "c": lambda: self._say(self.actions.next_candidate(self.field)),
            "right": lambda: self._say(self.actions.next_candidate(self.field)),
            "e": lambda: self._start("edit"),
            "+": lambda: self._start("condition"),
            "r": lambda: self._start("reason"),
            "s": lambda: self._say(self.actions.take_conditions_before()),
            "x": lambda: self._say(self.actions.clear(self.field)),
            "u": lambda: self._say(self.actions.undo()),
            "o": lambda: self._say(self.actions.reopen()),
            "n": self._next,
            "b": lambda: self._move(-1),
            "up": lambda: self._select(-1),
            "down": lambda: self._select(1),
            "q": self._quit,
        }
        self.message = ""
        if key in commands:
            commands[key]()

    @property
    def fields(self) -> list[str]:
        """The fields that are shown: those of a claim, then its conditions."""
        return self.session.fields()

    @property
    def field(self) -> str:
        """The field that is looked at."""
        return self.fields[min(self.selected, len(self.fields) - 1)]

    @property
    def actions(self) -> ReviewActions:
        """What the keys do."""
        return ReviewActions(self.session, self.keeper)

    def _say(self, message: str) -> None:
        self.message = message

    def _accept(self) -> None:
        self._forward(self.actions.accept())

    def _start(self, mode: Mode) -> None:
        self.mode, self.typed = mode, ""

    def _next(self) -> None:
        self.selected = 0
        if not self.session.next_claim():
            self._forward(self.actions.go_on(""))

    def _move(self, step: int) -> None:
        self.session.move(step)
        self.selected = 0

    def _select(self, step: int) -> None:
        self.selected = (self.selected + step) % len(self.fields)

    def _quit(self) -> None:
        self.is_over = True

    def _forward(self, message: str) -> None:
        """Say what was done, from the first field of the claim that is looked at now."""
        self.selected, self.message = 0, message
        if message.endswith(ALL_DECIDED):
            self.message += "; q ends the review"

    def _reason(self, key: str) -> None:
        self.mode = "look"
        if key in _LETTERS and _LETTERS.index(key) < len(REASONS):
            self._forward(self.actions.reject(REASONS[_LETTERS.index(key)]))
        else:
            self.message = "not rejected"

    def _type(self, key: str) -> None:
        if key == "enter":
            mode, self.mode = self.mode, "look"
            self._typed(mode, self.typed.strip())
        elif key == "escape":
            self.mode = "look"
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable():
            self.typed += key

    def _typed(self, mode: Mode, given: str) -> None:
        if mode == "condition":
            name, _, value = given.partition("=")
            self._say(self.actions.set_condition(name.strip(), value.strip()))
        else:
            self._say(self.actions.edit(self.field, given))

    # --- what is shown

    def lines(self) -> Iterator[Line]:
        """The screen."""
        session, progress = self.session, self.session.progress()
        figure, status = session.figure, session.status()
        done = f"{progress['accepted']} accepted, {progress['rejected']} rejected, {progress['open']} open"
        yield "class:head", f"{session.proposals.report.title or session.proposals.report.file}: {done}"
        yield "", ""
        yield from self._passage()
        yield "", ""
        kind = "" if figure.is_claim else f", taken for no claim: {figure.reason}"
        scaled = f", {figure.scaled_by}" if figure.scaled_by else ""
        yield (
            "class:head",
            f"{figure.printed}{scaled}  ({session.position + 1} of {len(session.figures)}, {status}{kind})",
        )
        if place := figure.place.stated():
            yield "", ", ".join(f"{name} {value}" for name, value in place.items() if name != "box")
        values = session.values()
        for name in self.fields:
            yield from self._field(name, values.get(name))
        yield "", ""
        for text in self.message.splitlines():
            yield "class:message", text
        yield from self._prompt()

    def _passage(self) -> Iterator[Line]:
        shown = self.keeper.passage(self.session.figure)
        yield "class:passage", f"{shown.before} ⟦{shown.printed}⟧ {shown.after}"

    def _field(self, name: str, value: str | None) -> Iterator[Line]:
        is_selected = name == self.field
        offered = self.session.candidates(name)
        shown = value or "-"
        known = next((one for one in offered if one.value == value), None)
        why = f"   {known.confidence:.0%}, {known.reason}" if known is not None else ""
        yield "class:selected" if is_selected else "", f"{'>' if is_selected else ' '} {f'{name} ':<14}{shown}{why}"
        if is_selected:
            for one in offered:
                if one.value != value:
                    yield "class:other", f"    or {one.value}   {one.confidence:.0%}, {one.reason}"

    def _prompt(self) -> Iterator[Line]:
        if self.mode == "reason":
            offered = [f"{letter} {reason:<20}" for letter, reason in zip(_LETTERS, REASONS, strict=False)]
            for at in range(0, len(offered), _BESIDE):
                yield "class:prompt", f"  {''.join(offered[at : at + _BESIDE])}".rstrip()
        elif self.mode == "edit":
            yield "class:prompt", f"{self.field}: {self.typed}_   (a name, an id, or ID = Label for a new thing)"
        elif self.mode == "condition":
            yield "class:prompt", f"condition: {self.typed}_   (NAME = VALUE, such as precision = precision/fp8)"
        else:
            yield from (("class:keys", keys) for keys in KEYS)
