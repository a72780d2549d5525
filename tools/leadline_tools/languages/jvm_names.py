"""Names that Java and Kotlin have for each other's members: accessors for properties, and what annotations rename.

https://kotlinlang.org/docs/java-to-kotlin-interop.html, https://kotlinlang.org/docs/java-interop.html#getters-and-setters
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE
from leadline_tools.languages.rules.members import OtherNames
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_RENAMED = lazy_compile(
    r"@(?:(?P<site>get|set):[ \t]*)?(?:kotlin\.jvm\.)?JvmName\(\s*(?:name\s*=\s*)?\"(?P<name>\w+)\"\s*\)"
)
_NEXT = lazy_compile(
    r"(?:\s|@[\w.:]+(?:\([^()]*\))?|\b(?!fun\b|va[lr]\b|[gs]et\b)\w+)*"
    r"(?:(?P<accessor>[gs]et)\b|(?:fun|va[lr])\s+(?:<[^<>]*>\s*)?(?:[\w.<>?, *]+\.)?(?P<name>\w+))"
)
"""What is declared behind an annotation: an accessor, or a function or a property by its name."""
_PROPERTY = lazy_compile(r"\bva[lr]\s+(?:<[^<>]*>\s*)?(?:[\w.<>?, *]+\.)?(?P<name>\w+)")
_PARAMETERS = lazy_compile(r"\s*\(\s*(?P<parameters>[^()]*?)\s*\)")
_FIELD = lazy_compile(r"@JvmField\b|\b(?:const|private)\s")
_ACCESSOR = lazy_compile(r"(?P<kind>get|set|is)(?P<rest>[^a-z\W]\w*)")


def _list_names_for_java(kind: SymbolKind, name: str, text: str) -> Sequence[str]:
    """Return what Java calls something of Kotlin where that is not its own name."""
    renamed = [found["name"] for found in _RENAMED.finditer(text)]
    if kind in CALLABLE or kind in CLASS_LIKE or _FIELD.search(text) is not None:
        return [one for one in renamed if one != name]
    capitalized = f"{name[:1].upper()}{name[1:]}"
    is_boolean = _is_boolean_name(name)
    getters = () if is_boolean else (f"get{capitalized}",)
    setters = (f"set{name[2:] if is_boolean else capitalized}",) if re.search(r"\bvar\b", text) else ()
    return [*getters, *setters, *renamed]


def _list_names_for_kotlin(kind: SymbolKind, name: str, text: str) -> Sequence[str]:
    """Return the property that Kotlin sees in an accessor of Java: a method without parameters, or with one to set."""
    accessor = _ACCESSOR.fullmatch(name) if kind is SymbolKind.Method else None
    if accessor is None or re.search(r"\bstatic\b", text.partition("(")[0]):
        return ()
    takes = _PARAMETERS.match(text, text.find(name) + len(name))
    if takes is None or bool(takes["parameters"]) is not (accessor["kind"] == "set"):
        return ()
    if accessor["kind"] == "is":
        return ()  # it is called like the method
    property_ = _decapitalize(accessor["rest"])
    return (property_, f"is{accessor['rest']}") if accessor["kind"] == "set" else (property_,)


def _list_declared_in_kotlin(name: str, role: Role) -> Sequence[str]:
    """Return the properties of Kotlin that Java may mean by a method that it calls."""
    accessor = _ACCESSOR.fullmatch(name) if role is Role.Call else None
    if accessor is None or accessor["kind"] == "is":
        return ()
    rest = accessor["rest"]
    property_ = f"{rest[:1].lower()}{rest[1:]}"
    return (property_, f"is{rest}") if accessor["kind"] == "set" else (property_,)


def _list_declared_in_java(name: str, role: Role) -> Sequence[str]:
    """Return the accessors of Java that Kotlin may mean by a property."""
    if role is Role.Call:
        return ()
    kind = "set" if role is Role.Write else "get"
    if _is_boolean_name(name):
        return (f"set{name[2:]}",) if role is Role.Write else ()
    return (f"{kind}{name[:1].upper()}{name[1:]}", *_all_capitals(kind, name))


def _list_renamed(text: str, name: str) -> Sequence[str]:
    """Return what a file of Kotlin declares that an annotation gives a name."""
    found: dict[str, None] = {}
    for one in _RENAMED.finditer(text) if name in text else ():
        declared = _NEXT.match(text, one.end()) if one["name"] == name else None
        if declared is not None and declared["accessor"]:
            before = list(_PROPERTY.finditer(text, 0, one.start()))
            found.update({before[-1]["name"]: None} if before else {})
        elif declared is not None:
            found[declared["name"]] = None
    return list(found)


def _is_boolean_name(name: str) -> bool:
    return name.startswith("is") and not name[2:3].islower() and len(name) > len("is")


def _decapitalize(name: str) -> str:
    """Return a name with its first word in small letters: ``url`` of ``URL``, ``htmlText`` of ``HTMLText``."""
    capitals = len(name) - len(name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    first = capitals if capitals in (1, len(name)) else max(1, capitals - 1)
    return name[:first].lower() + name[first:]


def _all_capitals(kind: str, name: str) -> Sequence[str]:
    """Return the accessor of a property whose first word may be one of capitals: ``getURL`` of ``url``."""
    small = len(name) - len(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
    return (f"{kind}{name[:small].upper()}{name[small:]}",) if small > 1 else ()


KOTLIN = OtherNames(_list_names_for_java, _list_declared_in_java, _list_renamed)
JAVA = OtherNames(_list_names_for_kotlin, _list_declared_in_kotlin, lambda _text, _name: ())
