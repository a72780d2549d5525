"""Counts Claude's tokens with ctok, for ``claude.py``; runs by itself, under a Python that has it (3.12 or later).

    pip install ctok==1.3.0
    python bench/yardstick.py < requests > counts

A request is a line of JSON, ``[version, text]``; the answer is a number a line: the tokens of the text, without those
that frame a message.
"""

from __future__ import annotations

import json
import sys

import ctok  # pyright: ignore[reportMissingImports]


def main() -> None:
    """Answer every request."""
    frames = {"3.0": 7, "4.8": 6}
    for line in sys.stdin:
        version, text = json.loads(line)
        print(ctok.token_count(text, version) - frames[version])


if __name__ == "__main__":
    main()
