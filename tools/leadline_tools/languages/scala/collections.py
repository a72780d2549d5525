"""Collections of Scala: their names, and what their members give and take.

https://docs.scala-lang.org/overviews/collections-2.13/introduction.html
"""

from __future__ import annotations

PAIRED = frozenset({"HashMap", "ListMap", "Map", "SortedMap", "TreeMap", "TrieMap"})
"""Those whose elements are pairs of a key and a value."""

HOLDERS = PAIRED | frozenset(
    (
        "Array ArrayBuffer ArraySeq HashSet IndexedSeq Iterable Iterator LazyList List ListBuffer Option Queue Seq Set"
        " Some SortedSet Stream TreeSet Vector"
    ).split()
)

_TAKING = "!<?,!<?,this*>>"
_SAME = "!<this,!<?,this*>>"
_CHOSEN = "!<this*,!<?,this*>>"

COLLECTIONS = {
    **dict.fromkeys("collect count exists flatMap forall foreach map partition sumBy".split(), _TAKING),
    **dict.fromkeys("distinctBy dropWhile filter filterNot sortBy takeWhile withFilter".split(), _SAME),
    **dict.fromkeys("find maxBy minBy".split(), _CHOSEN),
    **dict.fromkeys(
        "distinct drop dropRight init reverse sorted tail take takeRight toList toSeq toSet".split(), "this"
    ),
    **dict.fromkeys("head headOption last lastOption".split(), "this*"),
    "foldLeft": "!<?,!<?,?,this*>>",
    "foldRight": "!<?,!<?,this*,?>>",
    "groupBy": "!<?,!<?,this*>>",
    "reduce": "!<this*,!<?,this*,this*>>",
    "sortWith": "!<this,!<?,this*,this*>>",
}
"""What members of collections give, and what functions they take, behind another list of arguments too."""

TAKING_TWO = frozenset({"foldLeft", "foldRight", "reduce", "sortWith"})
"""Those whose function takes two things: of any other one with two parameters takes the parts of an element."""
