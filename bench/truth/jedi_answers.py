"""Jedi's answers: questions come in as lines of JSON, lists of places go out; runs in the environment of the engines.

    python jedi_answers.py ROOT SOURCE...

A question is what is asked for, ``references`` or ``definitions``, and a place: ``["references", "a/b.py", 12, 5]``.
What is outside of the tree is null.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

jedi: Any = importlib.import_module("jedi")  # is installed where this runs, not where it is checked


def main(root: Path, sources: list[str]) -> None:
    project = jedi.Project(root, added_sys_path=sources, smart_sys_path=False)
    for question in sys.stdin:
        wanted, path, line, column = json.loads(question)
        try:
            script = jedi.Script(path=root / path, project=project)
            if wanted == "references":
                names = script.get_references(line, column - 1)
            else:
                names = script.goto(line, column - 1, follow_imports=True)
            found = [_place(root, name) for name in names]
        except Exception as error:  # Jedi raises anything on code that it does not understand
            print(f"jedi: {path}:{line}: {error!r}", file=sys.stderr)
            found = []
        print(json.dumps(found), flush=True)


def _place(root: Path, name: Any) -> tuple[str, int, int] | None:
    """Return where a name stands; None outside of the tree."""
    if name.module_path is None or not name.module_path.is_relative_to(root) or name.line is None:
        return None
    return name.module_path.relative_to(root).as_posix(), name.line, name.column + 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
