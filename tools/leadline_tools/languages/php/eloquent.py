"""Names by which the models of Laravel have their methods: attributes for accessors and mutators, calls for scopes.

https://laravel.com/docs/eloquent-mutators, https://laravel.com/docs/eloquent#local-scopes
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.rules.members import OtherNames
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_BASES = frozenset(
    {
        "Illuminate.Database.Eloquent.Model",
        "Illuminate.Database.Eloquent.Relations.MorphPivot",
        "Illuminate.Database.Eloquent.Relations.Pivot",
        "Illuminate.Foundation.Auth.User",
        "Illuminate.Notifications.DatabaseNotification",
    }
)
_ACCESSOR = lazy_compile(r"(?:get|set)(?P<name>[A-Z0-9_]\w*)Attribute")
_SCOPE = lazy_compile(r"scope(?P<name>[A-Z_]\w*)")
_GIVES_ATTRIBUTE = lazy_compile(r"\)\s*:\s*\??[\w\\]*\bAttribute\b")
_CAPITAL = lazy_compile(r"(?<=.)(?=[A-Z])")
_WORD_END = lazy_compile(r"[-_\s]+")


def _list_names(kind: SymbolKind, name: str, text: str) -> Sequence[str]:
    """Return the attribute that a method of a model gives, or the call by which it is a scope."""
    accessor, scope = _ACCESSOR.fullmatch(name), _SCOPE.fullmatch(name)
    if kind is not SymbolKind.Method:
        return ()
    if accessor is not None:
        studly = accessor["name"]
        return tuple(dict.fromkeys((_snake(studly), f"{studly[:1].lower()}{studly[1:]}")))
    if scope is not None:
        return (f"{scope['name'][:1].lower()}{scope['name'][1:]}",)
    return (_snake(name),) if _GIVES_ATTRIBUTE.search(text) is not None and _snake(name) != name else ()


def _list_declared(name: str, role: Role) -> Sequence[str]:
    """Return the methods of a model that an attribute or a call may mean."""
    if role is Role.Call:
        return (f"scope{name[:1].upper()}{name[1:]}",)
    studly = "".join(f"{word[:1].upper()}{word[1:]}" for word in _WORD_END.split(name))
    accessor = f"{'set' if role is Role.Write else 'get'}{studly}Attribute"
    return (accessor, f"{studly[:1].lower()}{studly[1:]}")


def _may_be_meant(name: str, head: str) -> bool:
    """Return whether a method is an accessor, a mutator or a scope."""
    named = _ACCESSOR.fullmatch(name) is not None or _SCOPE.fullmatch(name) is not None
    return named or _GIVES_ATTRIBUTE.search(head) is not None


def _snake(studly: str) -> str:
    return _CAPITAL.sub("_", studly).lower()


MODELS = OtherNames(_list_names, _list_declared, lambda _text, _name: (), _BASES, _may_be_meant)
