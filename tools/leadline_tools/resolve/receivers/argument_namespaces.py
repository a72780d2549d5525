"""Functions that a call finds in the namespaces of the types of its arguments: https://eel.is/c++draft/basic.lookup.argdep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline_tools.languages import lexis_of
from leadline_tools.languages.facts import Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.lists import CALLED_TYPE_ARGUMENTS, list_parts
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.evaluation import Evaluator

_MOST_DECLARING = 32
"""Files that declare one name, all of which are looked into for functions in namespaces."""

_VALUE = re.compile(r"\*?([^\W\d]\w*(?:(?:\.|->)[^\W\d]\w*)*)")


class ArgumentNamespaces:
    """Selects the functions that calls mean by the types of their arguments."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._known: dict[str, dict[str, list[SymbolRef]]] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._known.clear()

    def select(
        self, path: str, semantics: Semantics, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a call means of the functions that scopes give it and of those of the types of its arguments.

        Nothing is returned where both may be meant.
        """
        if not semantics.calls.by_argument_types or use.role is not Role.Call or use.receiver != BARE:
            return found
        functions = self._functions(path, name)
        own = {space for space, those in functions.items() if any(one.same(each) for one in those for each in found)}
        if len(functions) <= len(own) or (found and not own):  # a member and a local name hide those of namespaces
            return found
        types = list(self._argument_types(path, use))
        added = {self._namespace(one): one.name.rpartition(".")[2] for one in types if one is not None}
        added = {space: of for space, of in added.items() if space in functions and space not in own}
        if not added or (not own and None in types):
            return found
        taking = [space for space in (*own, *added) if self._takes(functions[space], {*added.values()})]
        space = (taking if own else list(added))[:1]
        sure = len(taking) == 1 if own else len(added) == 1
        return functions[space[0]] if sure and space else ()

    def _functions(self, path: str, name: str) -> dict[str, list[SymbolRef]]:
        """Return the functions of a name by the namespaces that declare them."""
        if name not in self._known:
            found = self._known[name] = {}
            files = sorted(self._resolver.project.defining(name, path))
            for file in files if len(files) <= _MOST_DECLARING else ():
                facts, _ = self._resolver.facts(file)
                for one in facts.named(name) if facts is not None else ():
                    if one.space and one.sort == Sort.Callable and one.path == f"{one.space}.{name}":
                        found.setdefault(one.space, []).append(SymbolRef(file, one.path, Reason.Receiver))
        return self._known[name]

    def _argument_types(self, path: str, use: Use) -> Iterator[SymbolRef | None]:
        """Yield the types of the arguments of a call that are classes of the code base, None for what is not known."""
        lines = self._resolver.project.lines(path)
        behind = lines[use.line - 1][use.end_column - 1 :] if use.line <= len(lines) else ""
        for argument in list_parts(behind, lexis_of(path), CALLED_TYPE_ARGUMENTS) or ("",):
            value = _VALUE.fullmatch(argument.strip())
            term = value[1].replace("->", ".") if value is not None else ""
            types = self._evaluator.resolve_aliases(self._evaluator.evaluate(path, term, use.scope)) if term else ()
            origin = types[0].origin if len(types) == 1 and types[0].is_instance else None
            yield origin if isinstance(origin, SymbolRef) else None

    def _namespace(self, of: SymbolRef) -> str:
        """Return the innermost namespace around a type."""
        facts, _ = self._resolver.facts(of.path)
        space = of.name.rpartition(".")[0]
        while space and facts is not None and space not in facts.namespaces:
            space = space.rpartition(".")[0]
        return space

    def _takes(self, functions: Sequence[SymbolRef], types: set[str]) -> bool:
        """Return whether the head of one of some functions names one of some types."""
        for one in functions:
            facts, _ = self._resolver.facts(one.path)
            lines = self._resolver.project.lines(one.path)
            for binding in facts.all_at(one.name) if facts is not None else ():
                head = lines[binding.line - 1][binding.column :] if binding.line <= len(lines) else ""
                if not types.isdisjoint(re.findall(r"\w+", head.partition("{")[0])):
                    return True
        return False
