"""Files that are included on a condition alone: for some system, or where another has a header of its own instead."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from leadline_tools.languages.rules.macros import ConditionRules, Conditions
from leadline_tools.resolve.project.name_resolver import NameResolver


class ConditionalIncludes:
    """Knows on what conditions files include others, and keeps what it has found.

    Args:
        resolver: Knows what files include.
        read: Returns the conditions of a file.
        rules: Returns how the conditions of a file are read.

    """

    def __init__(
        self,
        resolver: NameResolver,
        read: Callable[[str], Conditions | None],
        rules: Callable[[str], ConditionRules | None],
    ) -> None:
        self._resolver = resolver
        self._read = read
        self._rules = rules
        self._optional: dict[str, Mapping[str, frozenset[str]]] = {}
        self._known: dict[tuple[str, str], Sequence[frozenset[str]]] = {}

    def forget(self) -> None:
        """Let go of what was found; it is found again where it is asked for."""
        self._optional.clear()
        self._known.clear()

    def conditions_of(self, path: str, wanted: str) -> Sequence[frozenset[str]]:
        """Return the conditions on which a file takes in another; nothing where it does so always, or not at all."""
        key = path, wanted
        if key not in self._known:
            self._known[key] = self._find_conditions(path, wanted)
        return self._known[key]

    def _find_conditions(self, path: str, wanted: str) -> Sequence[frozenset[str]]:
        """Return the same; of the files that are included on no condition only those that lead to it are read."""
        found: dict[str, Sequence[frozenset[str]]] = {}
        waiting = deque((path,))
        while waiting:
            file = waiting.popleft()
            if file in found:
                continue
            direct = self._resolver.includes.direct(file)
            leading = [one for one in direct if one == wanted or self._resolver.includes.leads_to(one, wanted)]
            optional = self._find_optional(file) if leading else {}
            always = [one for one in leading if one not in optional]
            if wanted in always:
                return ()
            found[file] = [conditions for one, conditions in optional.items() if one in leading]
            waiting += always
        return [conditions for file in sorted(found) for conditions in found[file]]

    def _find_optional(self, path: str) -> Mapping[str, frozenset[str]]:
        """Return what a file includes for some system, or where another branch includes a header of a system."""
        if path not in self._optional:
            here, rules = self._read(path), self._rules(path)
            direct = self._resolver.includes.direct(path) if here is not None and here.includes else ()
            found: dict[str, frozenset[str]] = {}
            for one in here.includes if here is not None and rules is not None and direct else ():
                file = _find_ending(direct, one.target)
                systems = any(_find_ending(direct, other) is None for other in one.others)
                name = one.target.rpartition("/")[2]
                # A copy of the header that a system may have declares the same.
                systems = systems and all(other.rpartition("/")[2] != name for other in one.others)
                if file is not None and rules is not None and (systems or rules.asks_for_system(one.condition)):
                    found[file] = found.get(file, frozenset()) | {one.condition}
            self._optional[path] = found
        return self._optional[path]


def _find_ending(paths: Sequence[str], target: str) -> str | None:
    """Return the path that ends with what an include says; None where there is none."""
    name = target.removeprefix("./").rpartition("../")[2]
    return next((path for path in paths if path == name or path.endswith(f"/{name}")), None)
