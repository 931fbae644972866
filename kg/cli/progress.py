"""Progress bars on terminals; nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kg.cli.shown import sent
from kg.render.cells import visible


@contextmanager
def shown_progress(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Gives a function that moves a bar; the bar appears with its first call and goes at the end."""
    if quiet or not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Count(MofNCompleteColumn):
        """Nothing while nobody knows how much there is: the bar then runs to and fro."""

        def render(self, task: Task) -> Text:
            return Text() if task.total is None else super().render(task)

    console = Console(file=sent(sys.stderr))
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        Count(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("starting", total=None)

        def move(what: str, done: int, total: int) -> None:
            bar.update(task, description=visible(what), completed=done, total=total or None)

        yield move
