"""Frameworks: what functions and types of React, Vue and Angular, and runes of Svelte, make of what they are given.

A function is known by the import of its name. See https://react.dev/reference/react,
https://vuejs.org/api/reactivity-core.html, https://pinia.vuejs.org, https://angular.dev/api/core/inject and
https://svelte.dev/docs/svelte/what-are-runes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript.primitives import widen_primitive
from leadline_tools.languages.javascript.values import FUNCTIONS, list_arguments, list_type_arguments
from leadline_tools.languages.nodes import root_of, text
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, apply_type_arguments, either, object_of, then
from leadline_tools.lazy_regex import lazy_compile

_IMPORT = lazy_compile(rb"\bimport\s+(?:type\s+)?([^;\"'()]*?)\bfrom\s*[\"']([^\"']+)[\"']")
_IMPORTED = lazy_compile(rb"(?:\btype\s+)?([\w$*]+)(?:\s+as\s+([\w$]+))?\s*([,}]|$)")

_FAMILIES: Mapping[bytes, str] = {
    **dict.fromkeys((b"preact", b"preact/compat", b"preact/hooks", b"react"), "react"),
    b"@angular/core": "angular",
    b"pinia": "pinia",
    **dict.fromkeys((b"@vue/reactivity", b"@vue/runtime-core", b"vue", b"vue-demi"), "vue"),
}


@lru_cache(1)
def _imported_names(root: Node) -> Mapping[str, str]:
    """Return what a file imports from a framework, by the names that it gives it: ``react.useState``."""
    found: dict[str, str] = {}
    for clause, module in _IMPORT.findall(root.text or b""):
        family = _FAMILIES.get(module)
        whole, _, listed = clause.partition(b"{")
        for part, of_module in ((whole, True), (listed, False)) if family else ():
            for name, alias, _ in _IMPORTED.findall(part.strip()):
                own = "" if of_module else f".{name.decode('utf-8', 'replace')}"
                found[(alias or name).decode("utf-8", "replace")] = f"{family}{own}"
    return found


def _own_name(node: Node, called: str) -> str:
    """Return what a name of a file is called with its module; empty for a name of no such module."""
    first, dot, rest = called.partition(".")
    if called.startswith("$"):
        return called
    return f"{module}{dot}{rest}" if (module := _imported_names(root_of(node)).get(first, "")) else ""


def spell_made(call: Node, spell: Spell) -> str:
    """Spell what a call of such a function gives; UNKNOWN for any other call."""
    function = call.child_by_field_name("function")
    if function is None or function.end_byte - function.start_byte > _LONGEST:
        return UNKNOWN
    called = text(function)
    rule = _MAKING.get(_own_name(call, called))
    return rule(called, call, spell) if rule is not None else UNKNOWN


def spell_wanted(call: Node, number: int, spell: Spell) -> str:
    """Spell what a call of such a function wants as an argument, by its type arguments; UNKNOWN for any other call."""
    declared, function = list_type_arguments(call), call.child_by_field_name("function")
    if not declared or number or function is None or function.end_byte - function.start_byte > _LONGEST:
        return UNKNOWN
    own = _own_name(call, text(function))
    if own in _TAKING_VALUE:
        return object_of(spell(declared[0]))
    if own in _TAKING_FUNCTION:
        return object_of(apply_type_arguments(terms.FUNCTION, [spell(declared[0])]))
    if own == _FORWARDING and len(declared) > 1:
        return object_of(_function_of(spell(declared[1])))
    return UNKNOWN


def spell_type(name: str, arguments: Node, given: Sequence[str]) -> str:
    """Spell a type of React with its arguments; UNKNOWN for any other type."""
    rule = _TYPES.get(_own_name(arguments, name)) if given else None
    return rule(given) if rule is not None else UNKNOWN


def spell_inherited(base: Node, given: Sequence[str]) -> str:
    """Spell what a class has from a component of React that it extends, by the type arguments of that; else UNKNOWN.

    https://react.dev/reference/react/Component
    """
    if not given or _own_name(base, text(base)) not in _COMPONENTS:
        return UNKNOWN
    props, state = (*given, UNKNOWN)[:2]
    setting = _setting(state) if state != UNKNOWN else UNKNOWN
    return terms.record([("props", props), ("state", state), ("setState", setting)], closed=False)


_COMPONENTS = frozenset({"react.Component", "react.PureComponent"})

_LONGEST = 40
"""Bytes of the names of such functions."""

_Making = Callable[[str, Node, Spell], str]
"""From what is called, the call and how to spell the rest to the term of the result."""


def _held(call: Node, spell: Spell) -> str:
    """Return the term, in the place of a type, of what is held: as it is declared, or of what it is at first."""
    declared, given = list_type_arguments(call), list_arguments(call)
    if declared:
        return spell(declared[0])
    return then(_value(given[0], spell), Op.Itself) if given else UNKNOWN


def _value(argument: Node, spell: Spell) -> str:
    """Spell a value, or what a function gives that makes it at first."""
    term = spell(argument)
    return widen_primitive(then(term, "()") if argument.type in FUNCTIONS else term)


def _result(call: Node, spell: Spell) -> str:
    """Return the term, in the place of a type, of what a function gives that is given first."""
    declared, given = list_type_arguments(call), list_arguments(call)
    if declared:
        return spell(declared[0])
    return then(then(spell(given[0]), "()"), Op.Itself) if given and given[0].type in FUNCTIONS else UNKNOWN


def _hold(called: str, held: str) -> str:
    """Spell an object that holds another."""
    return then(apply_type_arguments(called, [held]), "()") if held != UNKNOWN else UNKNOWN


def _function_of(*taken: str) -> str:
    return apply_type_arguments(terms.FUNCTION, (UNKNOWN, *taken))


def _setting(held: str) -> str:
    """Spell a function that takes a value, or a function that makes it of the last one."""
    return _function_of(either((held, apply_type_arguments(terms.FUNCTION, (held, held)))))


def _spell_state(_called: str, call: Node, spell: Spell) -> str:
    held = _held(call, spell)
    return object_of(apply_type_arguments(terms.TUPLE, [held, _setting(held)])) if held != UNKNOWN else UNKNOWN


def _spell_reduced(_called: str, call: Node, spell: Spell) -> str:
    """Spell a pair of what a reducer takes first, and of a function that takes what it takes next."""
    given = list_arguments(call)
    reducer = spell(given[0]) if given and not list_type_arguments(call) else UNKNOWN
    if reducer == UNKNOWN:
        return UNKNOWN
    state, action = (then(then(reducer, f"%{number}"), Op.Itself) for number in range(2))
    return object_of(apply_type_arguments(terms.TUPLE, [state, _function_of(action)]))


def _spell_first(_called: str, call: Node, spell: Spell) -> str:
    """Spell what is given first, as an object of its declared type."""
    declared, given = list_type_arguments(call), list_arguments(call)
    return object_of(spell(declared[0])) if declared else widen_primitive(spell(given[0])) if given else UNKNOWN


def _spell_called(_called: str, call: Node, spell: Spell) -> str:
    result = _result(call, spell)
    return object_of(result) if result != UNKNOWN else UNKNOWN


def _spell_taken_out(_called: str, call: Node, spell: Spell) -> str:
    given = list_arguments(call)
    return then(spell(given[0]), "[]") if given else UNKNOWN


def _spell_given(_called: str, call: Node, spell: Spell) -> str:
    given = list_arguments(call)
    return spell(given[0]) if given else UNKNOWN


def _spell_injected(_called: str, call: Node, spell: Spell) -> str:
    """Spell an object of the type that is declared or, without one, of the class that is given."""
    declared, given = list_type_arguments(call), list_arguments(call)
    if declared:
        return object_of(spell(declared[0]))
    is_class = bool(given) and given[0].type in ("identifier", "member_expression")
    return then(spell(given[0]), "()") if is_class else UNKNOWN


def _spell_forwarding(called: str, call: Node, spell: Spell) -> str:
    declared = list_type_arguments(call)
    return object_of(_function_of(spell(declared[1]))) if len(declared) > 1 else _spell_given(called, call, spell)


def _spell_store(_called: str, call: Node, spell: Spell) -> str:
    """Spell the function that gives a store: it has what the function returns that sets it up, or what options name.

    https://pinia.vuejs.org/core-concepts/
    """
    given = list_arguments(call)[-1:]
    if not given:
        return UNKNOWN
    is_setup = given[0].type in FUNCTIONS
    made = spell(_find_returned(given[0])) if is_setup else either(_spell_options(given[0], spell))
    return object_of(apply_type_arguments(terms.FUNCTION, [then(made, Op.Itself)])) if made != UNKNOWN else UNKNOWN


def _spell_options(options: Node, spell: Spell) -> Iterator[str]:
    """Yield the terms of what the options of a store name: its state, and what reads and changes that."""
    for one in options.named_children if options.type == "object" else ():
        key, value = one.child_by_field_name("key"), one.child_by_field_name("value")
        if key is not None and value is not None and text(key) in _STORE_OPTIONS:
            yield then(spell(value), "()") if value.type in FUNCTIONS else spell(value)


def _find_returned(function: Node) -> Node | None:
    """Return what a function returns at its end."""
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return body
    last = body.named_children[-1] if body.named_children else None
    returns = last is not None and last.type == "return_statement" and bool(last.named_children)
    return last.named_children[0] if returns and last is not None else None


_STORE_OPTIONS = frozenset({"actions", "getters", "state"})

_FORWARDING = "react.forwardRef"

_MAKING: Mapping[str, _Making] = {
    "angular.inject": _spell_injected,
    "pinia.defineStore": _spell_store,
    "react.useState": _spell_state,
    "react.useReducer": _spell_reduced,
    **dict.fromkeys(
        "react.createContext react.useRef vue.ref vue.shallowRef".split(),
        lambda called, call, spell: _hold(called, _held(call, spell)),
    ),
    "vue.computed": lambda called, call, spell: _hold(called, _result(call, spell)),
    **dict.fromkeys(("react.useContext", "react.use", "vue.unref"), _spell_taken_out),
    "react.useMemo": _spell_called,
    **dict.fromkeys("react.useCallback react.memo react.useDeferredValue vue.readonly vue.toRaw".split(), _spell_given),
    _FORWARDING: _spell_forwarding,
    **dict.fromkeys("$state $state.raw $state.snapshot $derived $bindable".split(), _spell_first),
    "$derived.by": _spell_called,
}

_TAKING_VALUE = frozenset(
    "react.useState react.useRef react.createContext vue.ref vue.shallowRef $state $state.raw $bindable".split()
)
_TAKING_FUNCTION = frozenset("react.useMemo vue.computed $derived.by".split())

_TYPES: Mapping[str, Callable[[Sequence[str]], str]] = {
    **dict.fromkeys(("react.PropsWithChildren", "react.PropsWithRef"), lambda given: given[0]),
    **dict.fromkeys(
        "react.FC react.FunctionComponent react.ComponentType react.NamedExoticComponent react.Dispatch".split(),
        lambda given: _function_of(given[0]),
    ),
    "react.SetStateAction": lambda given: either(
        (given[0], apply_type_arguments(terms.FUNCTION, [given[0], given[0]]))
    ),
}

_COMPONENT = b"@Component"
_STRING = rb"`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_TEMPLATE = lazy_compile(rb"\b(?:template\s*:\s*(?:" + _STRING + rb")|host\s*:\s*\{(?:" + _STRING + rb"|[^{}\"'`])*\})")


def code_in_strings(content: bytes) -> Sequence[tuple[int, int]]:
    """Return where a file of Angular has templates and the handlers of a host, in bytes.

    https://angular.dev/api/core/Component
    """
    if _COMPONENT not in content:
        return ()
    return [found.span() for found in _TEMPLATE.finditer(content)]
