"""Collections of Swift: their names, and what their members give and take.

https://developer.apple.com/documentation/swift/collections
"""

from __future__ import annotations

PAIRED = frozenset({"Dictionary", "KeyValuePairs"})
"""Those whose elements are pairs of a key and a value."""

HOLDERS = PAIRED | frozenset(
    (
        "AnyCollection AnySequence Array ArraySlice Collection ContiguousArray LazySequence MutableCollection"
        " RandomAccessCollection Result ReversedCollection Sequence Set"
    ).split()
)

PROJECTING = {"map": "", "compactMap": "", "flatMap": "*"}
"""Those that give what a closure makes of each element, each with the step that follows."""

TAKING_ONE = frozenset(
    (
        "allSatisfy compactMap contains count drop dropWhile filter first firstIndex flatMap forEach last lastIndex map"
        " partition prefix removeAll"
    ).split()
)
"""Those whose closure takes one element: one with several parameters takes the parts of it."""

OVER_EACH = frozenset({"ForEach", "List"})
"""The views that call a closure with each element of a collection: https://developer.apple.com/documentation/swiftui."""

_ELEMENT = "!<self*>"
_CHOSEN = "!<self*,!<?,self*>>"
_SAME = "!<self,!<?,self*>>"
_COMPARED = "!<self*,!<?,self*,self*>>"

COLLECTIONS = {
    **dict.fromkeys(
        (
            "allSatisfy compactMap contains count firstIndex flatMap forEach lastIndex map partition removeAll split"
        ).split(),
        "!<?,!<?,self*>>",
    ),
    **dict.fromkeys(("filter", "drop", "prefix"), _SAME),
    **dict.fromkeys(("sort", "sorted"), "!<self,!<?,self*,self*>>"),
    **dict.fromkeys(
        (
            "dropFirst dropLast intersection merging reversed shuffled subtracting suffix symmetricDifference union"
        ).split(),
        "!<self>",
    ),
    **dict.fromkeys(("first", "last"), f"self*|{_CHOSEN}"),
    **dict.fromkeys(("max", "min"), _COMPARED),
    **dict.fromkeys(
        "next popFirst popLast randomElement remove removeFirst removeLast".split(),
        _ELEMENT,
    ),
    **dict.fromkeys(("removeValue", "updateValue"), "!<self[]>"),
    **dict.fromkeys(("compactMapValues", "mapValues"), "!<?,!<?,self#1>>"),
    "element": "self#1",
    "failure": "!<?,self#1>",
    "enumerated": "!<Array<()<?,self*>>>",
    "joined": "!<Array<self**>>",
    "key": "self#0",
    "keys": "Array<self#0>",
    "lazy": "self",
    "reduce": "!<?,?,!<?,?,self*>>",
    "success": "!<?,self#0>",
    "value": "self#1",
    "values": "Array<self#1>",
}

_SEQUENCES = ("BidirectionalCollection", "Collection", "Sequence")
_BY_INDEX = ("MutableCollection", "RandomAccessCollection", *_SEQUENCES)
_NUMBERS = ("AdditiveArithmetic", "Comparable", "Equatable", "Hashable")
CONFORMS = {
    **dict.fromkeys(("Array", "ArraySlice", "ContiguousArray"), ("RangeReplaceableCollection", *_BY_INDEX)),
    **dict.fromkeys(("Dictionary", "Set"), ("Collection", "Sequence")),
    **dict.fromkeys(
        ("String", "Substring"), ("StringProtocol", "RangeReplaceableCollection", *_SEQUENCES, *_NUMBERS[1:])
    ),
    **dict.fromkeys(
        "Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64".split(),
        ("FixedWidthInteger", "BinaryInteger", "SignedNumeric", "Numeric", *_NUMBERS),
    ),
    **dict.fromkeys(
        "CGFloat Double Float".split(), ("BinaryFloatingPoint", "FloatingPoint", "SignedNumeric", "Numeric", *_NUMBERS)
    ),
}
"""The protocols that types of the standard library conform to."""
