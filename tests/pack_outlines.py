"""Prints the outlines of the samples of the long tail as JSON, in whatever environment has the pack."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from leadline_tools.languages import language_in
from leadline_tools.languages.outline_walk.walk import outline


def outlined(sample: Path) -> tuple[str, list[list[str]]]:
    """Return the language of a sample, and kind and name of each symbol in it."""
    content = sample.read_bytes()
    language = language_in(sample.name, content)
    if language is None:
        return "", []
    found = outline(language.parser().parse(content).root_node, content, language)
    return language.name, [[definition.kind.name, definition.name] for definition in found]


if __name__ == "__main__":
    samples = sorted(Path(sys.argv[1]).iterdir())
    sys.stdout.write(json.dumps({sample.name: outlined(sample) for sample in samples}))
