"""The library of the language: names, members of functions and collections, functions by what they take and give."""

from __future__ import annotations

from collections.abc import Mapping

from leadline_tools.languages import terms
from leadline_tools.languages.terms import Op, object_of

HOLDING = frozenset({"Map", "Proxy", "Set", "WeakMap", "WeakRef", "WeakSet"})
"""Types of the language whose objects hold what they are made with, of whatever type."""

_DESCRIPTOR = "PropertyDescriptor"

_DESCRIPTORS = object_of(terms.record([(terms.ANY, _DESCRIPTOR)], closed=True))

_DESCRIBING: Mapping[tuple[str, int], str] = {
    ("Array.from", 0): object_of("ArrayLike"),
    ("Object.create", 1): _DESCRIPTORS,
    ("Object.defineProperties", 1): _DESCRIPTORS,
    ("Object.defineProperty", 2): object_of(_DESCRIPTOR),
    ("Reflect.defineProperty", 2): object_of(_DESCRIPTOR),
}
"""What functions of the language want that describe properties: https://tc39.es/ecma262/#sec-topropertydescriptor."""


def spell_described_argument(called: str, number: int) -> str:
    """Return what a function of the language wants as an argument; empty where that is not known."""
    anything = called in GIVING_BACK or called in TAKING_ANYTHING
    return object_of(terms.GIVEN) if anything else _DESCRIBING.get((called, number), "")


FOLDING = frozenset({"reduce", "reduceRight"})
"""Methods that give what they are given last, or one element, and a function on the way."""

ITERATORS: tuple[str, ...] = ("[Symbol.iterator]", "[Symbol.asyncIterator]")
"""The methods that give what loops take values from: https://tc39.es/ecma262/#sec-iteration."""

GIVING_BACK = frozenset(
    "Object.assign Object.freeze Object.preventExtensions Object.seal Promise.reject Promise.resolve"
    " structuredClone"
    # https://vuejs.org/api/reactivity-core.html
    " reactive shallowReactive markRaw".split()
)
"""Functions of the language and of Vue that give what they take, of whatever type."""

TAKING_ANYTHING = frozenset(
    "JSON.stringify Object.entries Object.getOwnPropertyNames Object.keys Object.values console.debug console.dir"
    " console.error console.info console.log console.table console.trace console.warn"
    # https://pinia.vuejs.org/core-concepts/
    " defineStore".split()
)
"""Functions of the language and its hosts, and of Pinia, that ask for no member by its name of what they take."""

PROJECTING = {"map": "", "flatMap": str(Op.Item), "then": ""}
"""Methods that give what a function makes of each element, or of what is promised, with what is taken of that."""

FUNCTION_MEMBERS = frozenset(
    # https://tc39.es/ecma262/#sec-function-objects and #sec-properties-of-the-object-prototype-object
    "apply bind call toString length name prototype arguments caller constructor hasOwnProperty isPrototypeOf"
    " propertyIsEnumerable toLocaleString valueOf".split()
)
"""The members that every function has."""

PREDECLARED = frozenset(
    # https://tc39.es/ecma262/#sec-global-object
    "globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI"
    " encodeURIComponent AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date"
    " Error EvalError FinalizationRegistry Float32Array Float64Array Function Int8Array Int16Array Int32Array Iterator"
    " Map Number Object Promise Proxy RangeError ReferenceError RegExp Set SharedArrayBuffer String Symbol SyntaxError"
    " TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet Atomics JSON Math"
    " Reflect Intl PropertyDescriptor arguments"
    # https://html.spec.whatwg.org/, https://nodejs.org/api/globals.html
    " AbortController AbortSignal Blob Buffer CustomEvent Document DocumentFragment Element Event EventSource"
    " EventTarget File FileList FileReader FormData HTMLElement Headers History KeyboardEvent Location MessageEvent"
    " MouseEvent MutationObserver Navigator Node NodeList PointerEvent ProgressEvent ReadableStream Request Response"
    " Storage TextDecoder TextEncoder Touch TouchEvent UIEvent URL URLSearchParams WebSocket Window Worker"
    " WritableStream XMLHttpRequest alert atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout"
    " console crypto document fetch history localStorage location navigator performance process queueMicrotask"
    " requestAnimationFrame sessionStorage setImmediate setInterval setTimeout structuredClone window __dirname"
    " __filename".split()
)
"""What the language and its usual hosts declare."""

PROMISED = frozenset({"then", "catch", "finally"})
"""The members of a promise: https://tc39.es/ecma262/#sec-properties-of-the-promise-prototype-object."""

COLLECTIONS: Mapping[str, str] = {
    **dict.fromkeys("at find findLast get pop shift".split(), "!<this[],!<?,this[]>>"),
    **dict.fromkeys("every findIndex findLastIndex forEach map flatMap some".split(), "!<?,!<?,this[]>>"),
    **dict.fromkeys("concat fill reverse slice splice toReversed toSpliced with".split(), "!<this>"),
    "filter": "!<this,!<?,this[]>>",
    **dict.fromkeys("sort toSorted".split(), "!<this,!<?,this[],this[]>>"),
    **dict.fromkeys(("reduce", "reduceRight"), "!<?,!<?,?,this[]>>"),
    **dict.fromkeys(("push", "unshift"), "!<?,this[],this[],this[],this[]>"),
    "add": "!<this,this[]>",
    "set": "!<this,?,this[]>",
    "values": "!<[]<this[]>>",
    "entries": "!<[]<()<?,this[]>>>",
    **dict.fromkeys(("current", "value"), "this[]"),
}
"""The methods of arrays, sets and maps, and what references to elements and values hold (React, Vue).

https://tc39.es/ecma262/#sec-indexed-collections, https://react.dev/reference/react/useRef, https://vuejs.org/api/reactivity-core.html#ref
"""

CLASSES = frozenset({"constructor"})
"""The member by which an object has its class: https://tc39.es/ecma262/#sec-makeconstructor."""
