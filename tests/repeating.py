"""Work that is repeated in another thread while a test does something else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def repeated(action: Callable[[], object], pause: float = 0.0) -> Iterator[None]:
    """Do something again and again in another thread, some seconds apart, until the block ends."""
    enough = threading.Event()

    def repeat() -> None:
        while not enough.wait(pause):
            action()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join()
