"""Jedi's references: places come in as lines of JSON, lists of places go out; runs in the environment of the engines.

python jedi_answers.py ROOT SOURCE...
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
        path, line, column = json.loads(question)
        try:
            script = jedi.Script(path=root / path, project=project)
            names = script.get_references(line, column - 1)
            found = [
                (name.module_path.relative_to(root).as_posix(), name.line, name.column + 1)
                for name in names
                if name.module_path is not None and name.module_path.is_relative_to(root) and name.line is not None
            ]
        except Exception as error:  # Jedi raises anything on code that it does not understand
            print(f"jedi: {path}:{line}: {error!r}", file=sys.stderr)
            found = []
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
