"""The decision whether a use leads out of the code base, where the resolver knows no meaning of it.

What decides it depends on what a language says of its names, and each kind has a module of its own:

* ``external_names``: bare names and types of Java, C and C++, which nothing can declare for the place where they stand.
  The resolver itself asks it, so it is a proof in an account as well.
* ``undeclared_members``: members of JavaScript and TypeScript that no file declares: they are spelled where they are.
* ``external_uses``: members of Python's objects that are made outside, and arguments that something outside takes.
* ``undeclared_names``: names of C#, Scala and Rust that no file declares, and members of what is from outside.
* ``unqualified_names``: names of PHP that no namespace has.
* here: global names of JavaScript and TypeScript that no file declares for all files.

The last five are for the question where one use leads; no reference is concluded from them. What is in the code base
and in no outline is another matter: see ``unlisted``.
"""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.external.external_uses import ExternalUses
from leadline_tools.resolve.external.undeclared_members import is_undeclared_member
from leadline_tools.resolve.external.undeclared_names import UndeclaredNames
from leadline_tools.resolve.external.unqualified_names import is_declared_in_no_namespace
from leadline_tools.resolve.members.global_objects import is_undeclared
from leadline_tools.resolve.question import Question

_OF_GLOBALS = frozenset({Role.Call, Role.Read, Role.Type, Role.Inherit})


def is_from_outside(index: Index, question: Question, path: str, name: str, use: Use) -> bool:
    """Return whether a use of unknown meaning is of something that nothing in the code base declares."""
    return (
        _is_undeclared_global(question, path, name, use)
        or (
            is_undeclared_member(index, path, name, use)
            and not question.resolver.receivers.declares_any_member(path, use)
        )
        or ExternalUses(index, question).is_external(path, name, use)
        or UndeclaredNames(index, question).is_external(path, name, use)
        or is_declared_in_no_namespace(index, question.resolver, path, name, use)
    )


def _is_undeclared_global(question: Question, path: str, name: str, use: Use) -> bool:
    """Return whether a name that stands alone is from outside, where every file says what it declares for all files."""
    semantics = semantics_of(path)
    alone = use.receiver == BARE and use.imported < 0 and use.role in _OF_GLOBALS
    facts = question.project.facts(path)
    if semantics is None or semantics.imports.is_script is None or not alone or facts is None:
        return False
    imports = (facts.imports[one.imported] for one in facts.named(name) if one.imported >= 0)
    if any(question.resolver.modules.files_of(one.module, path) for one in imports):
        return False  # what a module of the code base exports, without a name of its own
    if not facts.named(name) and semantics.visibility.may_declare(question.project.text(path), name):
        return False  # in a part of the file that did not parse
    return is_undeclared(question.resolver, path, name)
