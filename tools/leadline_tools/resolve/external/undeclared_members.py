"""Members that nothing in the code base declares: what takes one of something unknown has it from outside.

In a language whose members are spelled where they are declared, a name that only ever follows a dot is
that of no member of the code base. A string that holds the name may declare it at run time, so may a key of JSON.
"""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.index.text import scan
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.occurrences.tokens import tokens_of
from leadline_tools.resolve.project.project import language_group

_MOST_FILES = 400
_MOST_BYTES = 8 << 20
"""Files, and their bytes, that are looked into for a declaration; a name that stands in more may be declared."""

_QUOTES = (b'"', b"'", b"`")
_BLANK = b" \t\r\n"
_READS = frozenset({Role.Call, Role.Read})


def is_undeclared_member(index: Index, path: str, name: str, use: Use) -> bool:
    """Return whether an occurrence takes a member that no file of the code base declares."""
    semantics = semantics_of(path)
    if semantics is None or semantics.imports.is_script is None or use.receiver == BARE or use.role not in _READS:
        return False
    if use.imported >= 0 or index.symbols.files_defining(name):
        return False
    holders = [one for one in index.words.files_with((name,), spelled=True) if _may_declare(one, path)]
    if len(holders) > _MOST_FILES or sum(map(index.files.size, holders)) > _MOST_BYTES:
        return False
    return not any(_declares(index, one, name) for one in holders)


def _may_declare(path: str, home: str) -> bool:
    return language_group(path) == language_group(home) or path.endswith(".json") or language_of(path) is None


def _declares(index: Index, path: str, name: str) -> bool:
    """Return whether a file spells a name other than after a dot, or gives a value to what it stands for there."""
    source = index.try_read(path)
    if source is None:
        return True
    content, spelled = source.content, name.encode()
    tokens = tokens_of(source, name)
    for token, start in zip(tokens, scan.occurrences(content, spelled), strict=False):
        end = start + len(spelled)
        before, behind = content[max(0, start - 40) : start], content[end : end + 8]
        if token.is_text:
            if before[-1:] in _QUOTES and behind[:1] == before[-1:]:
                return True
            continue
        taken = before.rstrip(_BLANK)
        if token.is_undecided or not taken.endswith(b".") or taken.endswith(b".."):
            return True
        after = behind.lstrip(_BLANK)
        if after.startswith(b"=") and not after.startswith((b"==", b"=>")):
            return True
    return False
