"""What the workers may take for one question: seconds of CPU, whatever the speed of the machine."""

from __future__ import annotations

from math import inf


class Allowance:
    """Seconds of CPU that facts may cost for one question, and what a byte of them has cost so far."""

    def __init__(self) -> None:
        self._most = inf
        self._spent = 0.0
        self._seconds = 0.0
        self._bytes = 0

    def begin(self, most: float) -> None:
        """Begin a question for which the workers may take ``most`` seconds; what a byte costs is remembered."""
        self._most = most
        self._spent = 0.0

    def covers(self, size: int) -> bool:
        """Tell whether the facts of so many bytes are paid with what is left.

        The first always are: a file that costs more than all there is would else never be looked into.
        """
        if not self._spent or not self._bytes:
            return True
        return self._spent + size * self._seconds / self._bytes <= self._most

    def pay(self, seconds: float, size: int, start: float = 0.0) -> None:
        """Note what the facts of so many bytes took, and ``start`` seconds of workers that were started for them."""
        self._spent += seconds + start
        self._seconds += seconds
        self._bytes += size
