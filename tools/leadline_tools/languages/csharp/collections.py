"""Collections of C#: what their members give and take."""

from __future__ import annotations

from leadline_tools.languages.terms import COLLECTION

_ELEMENT = "!<this*>"
_SAME = "!<this,!<?,this*>>"
_CHOSEN = "!<this*,!<?,this*>>"
_TAKES_EACH = "!<?,!<?,this*>>"
COLLECTIONS = {
    **dict.fromkeys("Pop Peek Dequeue ElementAt ElementAtOrDefault".split(), _ELEMENT),
    **dict.fromkeys("TryPop TryPeek TryDequeue TryTake".split(), "!<?,this*>"),
    **dict.fromkeys(("TryGetValue", "TryRemove"), "!<?,?,this[]>"),
    "GetValueOrDefault": "!<this[]>",
    "Key": "this#0",
    "Keys": f"{COLLECTION}<this#0>",
    "Values": f"{COLLECTION}<this#1>",
    "GetOrAdd": "!<this[],?,!<this[]>>",
    **dict.fromkeys(
        "First FirstOrDefault Last LastOrDefault Single SingleOrDefault Find FindLast MaxBy MinBy".split(), _CHOSEN
    ),
    **dict.fromkeys(
        (
            "Where OrderBy OrderByDescending ThenBy ThenByDescending SkipWhile TakeWhile FindAll DistinctBy Order"
            " OrderDescending"
        ).split(),
        _SAME,
    ),
    **dict.fromkeys(
        (
            "Skip Take SkipLast TakeLast Reverse Distinct Concat Union Except Intersect Append Prepend ToList ToArray"
            " ToHashSet AsEnumerable"
        ).split(),
        "!<this>",
    ),
    **dict.fromkeys(
        (
            "Select SelectMany Any All Count Sum Min Max Average ForEach GroupBy ToDictionary ToLookup Exists FindIndex"
            " RemoveAll TrueForAll"
        ).split(),
        _TAKES_EACH,
    ),
}
"""What the operators of queries give and take:
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1222-query-expressions."""
