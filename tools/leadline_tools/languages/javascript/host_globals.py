"""Types of the hosts of JavaScript and their members: browsers, Node.js, and others with the same interfaces.

Only members are listed whose types are known here. https://dom.spec.whatwg.org, https://html.spec.whatwg.org,
https://fetch.spec.whatwg.org, https://tc39.es/ecma262/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_TYPES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Response": (
        "",
        {
            "Headers": "headers",
            "'": "ok redirected status statusText type url bodyUsed text",
            "Response": "clone",
            "Blob": "blob",
            "FormData": "formData",
            "ReadableStream": "body",
        },
    ),
    "Request": (
        "",
        {
            "'": (
                "cache credentials destination integrity keepalive method mode redirect referrer referrerPolicy "
                "url bodyUsed text"
            ),
            "Headers": "headers",
            "AbortSignal": "signal",
            "Request": "clone",
            "Blob": "blob",
            "FormData": "formData",
            "ReadableStream": "body",
        },
    ),
    "Event": (
        "",
        {
            "EventTarget": "currentTarget srcElement target",
            "[]<EventTarget>": "composedPath",
        },
    ),
    "UIEvent": (
        "Event",
        {
            "Window": "view",
        },
    ),
    "MouseEvent": (
        "UIEvent",
        {
            "EventTarget": "relatedTarget",
        },
    ),
    "KeyboardEvent": (
        "UIEvent",
        {
            "'": (
                "altKey charCode code ctrlKey isComposing key keyCode location metaKey repeat shiftKey getModifierState"
            ),
        },
    ),
    "FocusEvent": (
        "UIEvent",
        {
            "EventTarget": "relatedTarget",
        },
    ),
    "DragEvent": (
        "MouseEvent",
        {
            "DataTransfer": "dataTransfer",
        },
    ),
    "EventTarget": (
        "",
        {},
    ),
    "Node": (
        "EventTarget",
        {
            "'": (
                "baseURI isConnected nodeName nodeType nodeValue textContent compareDocumentPosition contains "
                "hasChildNodes isDefaultNamespace isEqualNode isSameNode lookupNamespaceURI lookupPrefix"
            ),
            "Document": "ownerDocument",
            "HTMLElement": "parentElement",
            "Node": "cloneNode getRootNode firstChild lastChild nextSibling parentNode previousSibling",
            "Element": (
                "activeElement closest createElement createElementNS firstElementChild lastElementChild"
                " nextElementSibling previousElementSibling querySelector"
            ),
            "[]<Element>": "children querySelectorAll",
            "[]<Node>": "childNodes",
            "CSSStyleDeclaration": "style",
            "DOMStringMap": "dataset",
        },
    ),
    "Element": (
        "Node",
        {
            "NamedNodeMap": "attributes",
            "DOMTokenList": "classList part",
            "'": (
                "className clientHeight clientLeft clientTop clientWidth currentCSSZoom id innerHTML localName "
                "namespaceURI outerHTML prefix scrollHeight scrollLeft scrollTop scrollWidth slot tagName "
                "checkVisibility getAttribute getAttributeNS getHTML hasAttribute hasAttributeNS hasAttributes "
                "hasPointerCapture matches toggleAttribute webkitMatchesSelector textContent"
            ),
            "Document": "ownerDocument",
            "ShadowRoot": "shadowRoot attachShadow",
            "Element": "closest insertAdjacentElement",
            "[]<'>": "getAttributeNames",
            "Attr": "getAttributeNode getAttributeNodeNS removeAttributeNode setAttributeNode setAttributeNodeNS",
            "DOMRect": "getBoundingClientRect",
            "[]<Element>": "getElementsByClassName getElementsByTagName getElementsByTagNameNS",
        },
    ),
    "HTMLElement": (
        "Element",
        {
            "'": (
                "accessKey accessKeyLabel autocapitalize autocorrect dir draggable hidden inert innerText lang "
                "offsetHeight offsetLeft offsetTop offsetWidth outerText popover spellcheck title translate "
                "writingSuggestions togglePopover"
            ),
            "Element": "offsetParent",
        },
    ),
    "HTMLInputElement": (
        "HTMLElement",
        {
            "'": (
                "accept align alt autocomplete capture checked defaultChecked defaultValue dirName disabled "
                "formAction formEnctype formMethod formNoValidate formTarget height indeterminate max maxLength "
                "min minLength multiple name pattern placeholder readOnly required selectionDirection "
                "selectionEnd selectionStart size src step type useMap validationMessage value valueAsNumber "
                "webkitdirectory width willValidate checkValidity reportValidity"
            ),
            "HTMLFormElement": "form",
        },
    ),
    "HTMLTextAreaElement": (
        "HTMLElement",
        {
            "'": (
                "autocomplete cols defaultValue dirName disabled maxLength minLength name placeholder readOnly "
                "required rows selectionDirection selectionEnd selectionStart textLength type validationMessage "
                "value willValidate wrap checkValidity reportValidity"
            ),
            "HTMLFormElement": "form",
        },
    ),
    "HTMLSelectElement": (
        "HTMLElement",
        {
            "'": (
                "autocomplete disabled length multiple name required selectedIndex size type validationMessage "
                "value willValidate checkValidity reportValidity"
            ),
            "HTMLFormElement": "form",
            "[]<HTMLOptionElement>": "selectedOptions",
            "HTMLOptionElement": "item namedItem",
        },
    ),
    "HTMLOptionElement": (
        "HTMLElement",
        {
            "HTMLFormElement": "form",
        },
    ),
    "HTMLFormElement": (
        "HTMLElement",
        {
            "DOMTokenList": "relList",
        },
    ),
    "HTMLAnchorElement": (
        "HTMLElement",
        {
            "'": "charset coords download hreflang name ping referrerPolicy rel rev shape target text type",
            "DOMTokenList": "relList",
        },
    ),
    "HTMLButtonElement": (
        "HTMLElement",
        {
            "HTMLFormElement": "form",
        },
    ),
    "DocumentFragment": (
        "Node",
        {
            "Document": "ownerDocument",
            "Element": "getElementById",
        },
    ),
    "Document": (
        "Node",
        {
            "'": "cookie dir hidden readyState referrer title visibilityState",
            "[]<HTMLAnchorElement>": "anchors",
            "HTMLElement": "body documentElement head",
            "[]<HTMLFormElement>": "forms",
            "[]<HTMLImageElement>": "images",
            "Location": "location",
            "Element": "scrollingElement getElementById open",
            "Node": "adoptNode importNode",
            "Attr": "createAttribute createAttributeNS",
            "DocumentFragment": "createDocumentFragment",
            "Text": "createTextNode",
            "[]<Element>": "getElementsByClassName getElementsByName getElementsByTagName getElementsByTagNameNS",
        },
    ),
    "WebSocket": ("EventTarget", {"'": "bufferedAmount protocol readyState url"}),
    "XMLHttpRequest": ("EventTarget", {"'": "readyState responseText status statusText getResponseHeader"}),
    "Window": (
        "EventTarget",
        {
            "Navigator": "clientInformation navigator",
            "Document": "document",
            "Event": "event",
            "Element": "frameElement",
            "Window": "frames parent top open",
            "History": "history",
            "Location": "location",
            "CSSStyleDeclaration": "getComputedStyle",
        },
    ),
    "Error": (
        "",
        {
            "'": "name message stack",
        },
    ),
    "ArrayConstructor": ("", {"[]<?>": "from of"}),
    "JSON": ("", {"'": "stringify"}),
    "Function": ("", {"'": "length name toString"}),
    "ObjectConstructor": (
        "",
        {
            "[]<'>": "getOwnPropertyNames keys",
            "PropertyDescriptor": "getOwnPropertyDescriptor",
        },
    ),
    "PropertyDescriptor": ("", {"!": "get set", "'": "configurable enumerable writable"}),
    "SymbolConstructor": ("", {}),
    "TextEncoder": ("", {"'": "encoding", "Uint8Array": "encode"}),
    "TextDecoder": ("", {"'": "decode encoding fatal ignoreBOM"}),
    "HTMLTemplateElement": ("HTMLElement", {"DocumentFragment": "content"}),
    "ShadowRoot": (
        "DocumentFragment",
        {
            "Element": "host",
        },
    ),
}
"""Each type with what it inherits from, and with its members by what they are, or by what a call of them gives."""

_FAMILIES = {"HTML": "HTMLElement", "SVG": "Element"}
"""What the types of elements inherit from that begin so."""

TAKES: Mapping[str, str] = {
    "Error.constructor": "!<Error,',ErrorOptions>",
    "EventTarget.addEventListener": "!<?,',!<?,Event>>",
    "Event.constructor": "!<Event,',EventInit>",
    "Headers.constructor": "!<Headers,:<'>>",
    "Request.constructor": "!<Request,?,RequestInit>",
    "RequestInit.headers": ":<'>",
    "Response.constructor": "!<Response,?,ResponseInit>",
    "ResponseInit.headers": ":<'>",
    "URLSearchParams.constructor": "!<URLSearchParams,:<'>>",
}
"""What constructors of hosts take, and members of that, as terms."""

GLOBALS: Mapping[str, str] = {
    "JSON": "JSON",
    "Array": "ArrayConstructor",
    "Object": "ObjectConstructor",
    "Symbol": "SymbolConstructor",
    "document": "Document",
    "fetch": "!<Response,?,RequestInit>",
    "window": "Window",
}
"""What variables and functions of hosts are, as terms."""

_WITHOUT_PREFIX = (
    "assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram"
    " diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector"
    " inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring"
    " readline readline/promises repl stream stream/consumers stream/promises stream/web string_decoder"
    " sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib"
).split()
MODULES = frozenset(
    (*_WITHOUT_PREFIX, *(f"node:{name}" for name in (*_WITHOUT_PREFIX, "sea", "sqlite", "test", "test/reporters")))
)
"""The modules that Node.js itself has: https://nodejs.org/api/module.html#modulebuiltinmodules."""

PRIMITIVES = frozenset(
    "AbortSignal ArrayBuffer Attr BigInt64Array BigUint64Array CSSStyleDeclaration DOMRect DOMStringMap DOMTokenList"
    " DataView Float32Array Float64Array Int16Array Int32Array Int8Array Location NamedNodeMap Navigator Performance"
    " Storage Uint16Array Uint32Array Uint8Array Uint8ClampedArray".split()
)
"""The types all of whose members are strings, numbers, or objects of such types."""


def member(name: str, member_name: str) -> str:
    """Return the term of what a member of a type is, or gives when it is called; empty where that is not known.

    Without the name of a member it is that of the type itself, if anything is known of it.
    """
    if not member_name:
        return name if name in _TYPES or _parent(name) or f"{name}.constructor" in TAKES else ""
    known = (TAKES.get(f"{of}.{member_name}") or _BY_NAME.get((of, member_name), "") for of in ancestors(name))
    return next(filter(None, known), "")


def ancestors(name: str) -> Iterator[str]:
    """Yield a type and those that it inherits from, the nearest first."""
    while name:
        yield name
        name = _parent(name)


def _parent(name: str) -> str:
    if name in _TYPES:
        return _TYPES[name][0]
    return next(
        (parent for start, parent in _FAMILIES.items() if name.startswith(start) and name.endswith("Element")), ""
    )


_BY_NAME = {
    (of, name): term for of, (_, members) in _TYPES.items() for term, names in members.items() for name in names.split()
}
