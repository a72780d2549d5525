"""A value that is found once keeps nobody else waiting."""

from __future__ import annotations

import threading

from leadline_tools.once import once


class Book:
    def __init__(self, opened: threading.Event | None = None) -> None:
        self._opened = opened
        self.read = 0
        self.reading = threading.Event()

    @once
    def words(self) -> int:
        """Return how many words there are."""
        self.read += 1
        self.reading.set()
        if self._opened is not None:
            assert self._opened.wait(30)
        return 7


def test_a_value_is_computed_once_for_each_object() -> None:
    book, other = Book(), Book()
    assert (book.words, book.words, book.read) == (7, 7, 1)
    assert (other.words, other.read) == (7, 1)


def test_a_value_that_is_slow_to_compute_keeps_no_other_object_waiting() -> None:
    opened = threading.Event()
    slow, quick = Book(opened), Book()
    reader = threading.Thread(target=lambda: slow.words)
    reader.start()
    assert slow.reading.wait(30)
    assert quick.words == 7
    opened.set()
    reader.join(30)
    assert slow.words == 7


def test_its_documentation_is_that_of_what_computes_it() -> None:
    assert Book.words.__doc__ == "Return how many words there are."
