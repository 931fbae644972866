"""`kg review`: proposals become claims of one's own folder, by keys alone."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from filelock import FileLock, Timeout

from kg.cli.options import StoreOptions, talker, user_name
from kg.errors import UsageError

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyBindings

    from kg.cli.review_screen import ReviewScreen
    from kg.content.folders import Content


_PublishedOption = Annotated[str | None, typer.Option("--published", metavar="DATE", help="the date that is printed")]
_LearnOption = Annotated[
    bool, typer.Option("--learn", help="learn from what was decided in this review, for kg read; decides nothing")
]
_EffortOption = Annotated[
    bool, typer.Option("--effort", help="what this review took so far: minutes, keys, corrections; decides nothing")
]
_PublisherOption = Annotated[
    str | None, typer.Option("--publisher", metavar="NAME", help="who published the report, by id or name")
]


def review(
    proposals: Annotated[Path, typer.Argument(metavar="PROPOSALS.yaml", help="a file of kg read")],
    *,
    options: StoreOptions,
    publisher: _PublisherOption = None,
    published: _PublishedOption = None,
    who: Annotated[str | None, typer.Option("--who", help="the reviewer, for the log (default: the user name)")] = None,
    learn: _LearnOption = False,
    effort: _EffortOption = False,
) -> None:
    """Decide on proposals one by one; what is accepted lies in your own folder, and the audit says at once what it contradicts.

    Every decision is on disk before the next; a review that was left or killed goes on where it was.

    Example: kg review proposals.yaml
    """
    from kg.build.locate import content_in_use
    from kg.build.reviewed import open_keeper
    from kg.build.source_details import SourceDetails
    from kg.cli.review_screen import ReviewScreen
    from kg.reading.proposals_file import read_proposals
    from kg.reading.review import open_review
    from kg.reading.review_effort import effort_of
    from kg.reading.review_log import log_of, read_log

    given = read_proposals(proposals)  # a wrong file is refused before its log is looked for
    if effort:
        print(effort_of(read_log(log_of(proposals))).line())
        return
    content = content_in_use(options.store, options.content)
    if learn:
        _learn(proposals, content, quiet=options.quiet)
        return
    keeper = open_keeper(content, given, details=SourceDetails(publisher=publisher, published=published))
    _check_terminal()
    with alone_in_review(log_of(proposals)):
        session = open_review(proposals, keeper, who=who or user_name(), proposals=given)
        _run(ReviewScreen(session, keeper))
    options.tell(f"{_counted(session.progress())}\n{effort_of(session.decisions).line()}")
    options.tell(f"{keeper.folder} holds what was accepted; the next command builds the store with it")


def _counted(progress: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in progress.items())


def _check_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(given="no terminal", expected="a terminal; kg serve has the same review as a page")


def _learn(proposals: Path, content: "Content", *, quiet: bool) -> None:
    from kg.reading.knowledge import knowledge_of
    from kg.reading.review_learning import learn_from_review

    learnt = learn_from_review(proposals, content, knowledge_of(content))
    talker(quiet)(f"learnt from {learnt.figures} accepted figures: {learnt.path}")


@contextmanager
def alone_in_review(log: Path) -> Iterator[None]:
    """One review of a file at a time; the lock goes with the process."""
    lock = FileLock(log.with_suffix(".lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout as cause:
        raise UsageError(
            path=str(log), given="another review of this file is under way", expected="one at a time"
        ) from cause
    try:
        yield
    finally:
        lock.release()


_LOOKS = {
    "head": "bold",
    "selected": "reverse",
    "other": "italic",
    "message": "bold",
    "prompt": "underline",
    "keys": "italic",
}


def _bindings(screen: "ReviewScreen") -> "KeyBindings":
    """What each key does: the screen knows it by its name, and Control-C leaves the review."""
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.keys import Keys

    names = {
        Keys.Enter: "enter",
        Keys.Escape: "escape",
        Keys.Backspace: "backspace",
        Keys.Up: "up",
        Keys.Down: "down",
        Keys.Right: "right",
    }
    bindings = KeyBindings()

    def pressed(event: KeyPressEvent) -> None:
        key = event.key_sequence[0].key
        screen.press(names.get(key, event.data) if isinstance(key, Keys) else key)
        if screen.is_over:
            event.app.exit()

    def stopped(event: KeyPressEvent) -> None:
        event.app.exit()

    bindings.add(Keys.ControlC)(stopped)
    for key in (*names, Keys.Any):
        bindings.add(key, eager=key is Keys.Escape)(pressed)
    return bindings


def _run(screen: "ReviewScreen") -> None:
    """Show the screen and hand it each key that is pressed, until the review is over or left."""
    from prompt_toolkit.application import Application, get_app
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.layout import Layout, Window
    from prompt_toolkit.layout.controls import FormattedTextControl
    from prompt_toolkit.styles import Style

    from kg.cli.review_screen import fitted, folded

    def shown() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        lines = fitted(folded(screen.lines(), size.columns), size.rows - 1)
        return [(style, f"{line}\n") for style, line in lines]

    looks = Style.from_dict(_LOOKS)
    layout = Layout(Window(FormattedTextControl(shown), wrap_lines=True))
    Application[None](layout=layout, key_bindings=_bindings(screen), style=looks, full_screen=True).run()
