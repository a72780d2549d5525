"""Progress bars of commands that take long, on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class _Rate(ProgressColumn):
    """How many files are done in a second, lately."""

    def render(self, task: Task) -> Text:
        """Return the rate; nothing as long as none is known."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} files/s")


@contextmanager
def progress_bars() -> Iterator[Callable[[str, int, int], None]]:
    """Give what shows bars on the error stream, one below the other, until the block ends.

    It takes the name of a bar, how many files are done, and of how many.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    numbers: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def show(name: str, completed: int, total: int) -> None:
            if name not in numbers:
                numbers[name] = bars.add_task(name)
            bars.update(numbers[name], completed=completed, total=total)

        yield show
