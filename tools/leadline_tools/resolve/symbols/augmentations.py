"""Declarations that add to a type which another module, the language or its host declares (TypeScript).

All declarations of one interface or namespace are one symbol, so who renames one of them has to rename all.
https://www.typescriptlang.org/docs/handbook/declaration-merging.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import re2

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Facts, Sort
from leadline_tools.languages.outline import CLASS_LIKE
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.scopes.visible_bindings import is_declared_globally
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols


@dataclass(frozen=True, slots=True)
class Augmentation:
    """A declaration that adds to what is declared elsewhere.

    Args:
        path: The file.
        line: The 1-based line of the name.
        of: What it adds to, as a message names it.
        certain: False where something may declare it elsewhere, and nobody knows.
        declared: The dotted name of the declaration in its file, where another one is known that it is one with.

    """

    path: str
    line: int
    of: str
    certain: bool = True
    declared: str = ""


def augmentation(question: Question, target: DefinedSymbol) -> Augmentation | None:
    """Return to what the declaration of a symbol adds, or that of the type that has it; None where to nothing."""
    semantics, facts = target.semantics, question.project.facts(target.path)
    if semantics is None or not semantics.members.compares_members or facts is None:
        return None
    for binding in _outermost_types(facts, target):
        module = _module_of(question, target.path, facts, binding)
        if module:
            return Augmentation(target.path, binding.line, f'a type of the module "{module}"')
        if _is_global(question, target.path, facts, binding):
            predeclared = binding.name in semantics.visibility.predeclared
            of = f"the {binding.name} of the language or its host" if predeclared else "what is declared for all files"
            return Augmentation(target.path, binding.line, of, certain=predeclared)
    return None


def augmenting(question: Question, target: DefinedSymbol) -> Iterator[Augmentation]:
    """Yield the declarations of other modules that add to a type."""
    semantics, name = target.semantics, target.first.name
    if semantics is None or not semantics.members.compares_members or target.first.container:
        return
    declaring = set(question.project.spelling("module"))
    for path in sorted(declaring.intersection(question.project.spelling(name))):
        facts = question.project.facts(path) if path != target.path and semantics_of(path) is semantics else None
        for binding in facts.named(name) if facts is not None else ():
            module = _module_of(question, path, facts, binding) if facts is not None else ""
            if module and target.path in question.resolver.modules.files_of(f'"{module}"', path):
                yield Augmentation(path, binding.line, name, declared=binding.path)


def augmented(index: Index, question: Question, target: DefinedSymbol) -> DefinedSymbol | None:
    """Return the type of another module that the declaration of a type adds to; None where it adds to none."""
    semantics, facts = target.semantics, question.project.facts(target.path)
    if semantics is None or not semantics.members.compares_members or facts is None:
        return None
    for binding in facts.all_at(target.name):
        module = _module_of(question, target.path, facts, binding)
        files = question.resolver.modules.files_of(f'"{module}"', target.path) if module else ()
        found = load_symbols(index, [(path, binding.name) for path in files or () if path != target.path])
        return next((one for one in found if one.first.kind in CLASS_LIKE), None)
    return None


def _outermost_types(facts: Facts, target: DefinedSymbol) -> Iterator[Binding]:
    """Yield the bindings of a symbol, if it is a type, and of the types and namespaces that it is in."""
    names = [target.name, *(target.name[: at.start()] for at in re.finditer(r"\.", target.name))]
    for name in reversed(names):
        yield from (one for one in facts.all_at(name) if one.sort == Sort.Type or not one.sort)


def _module_of(question: Question, path: str, facts: Facts, declared: Binding) -> str:
    """Return the module to which a declaration adds, as a string names it; empty for none."""
    module = facts.scopes[declared.scope].name if declared.scope > 0 else ""
    return module if module and _is_module(question, path, module) else ""


def _is_module(question: Question, path: str, name: str) -> bool:
    """Return whether a file declares a module which a string names, and no namespace."""
    spelled = re2.escape(name.encode("utf-8", "replace"))
    named = re2.compile(rb"\bmodule\s*(?:'" + spelled + rb"'|\"" + spelled + rb"\")")
    return named.search(question.project.text(path)) is not None


def _is_global(question: Question, path: str, facts: Facts, declared: Binding) -> bool:
    """Return whether a declaration is one for all files: in a block that says so, or at the top of a script."""
    if "." in declared.path or _is_module(question, path, declared.path):
        return False
    if is_declared_globally(facts, declared):
        return True
    return declared.scope == 0 and question.resolver.globals.is_script(path) and path.endswith(".d.ts")
