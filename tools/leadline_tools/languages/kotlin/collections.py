"""Collections, maps and pairs of Kotlin: their names, and what their members give.

A *holder* is what has these members, or a function that makes one.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline_tools.languages.terms import PRIMITIVE

_MAPS = frozenset("ConcurrentHashMap ConcurrentMap HashMap LinkedHashMap Map MutableMap SortedMap TreeMap".split())
_PAIR_FACTORIES = frozenset("hashMapOf linkedMapOf mapOf mutableMapOf sortedMapOf".split())
PAIRED = frozenset({*_MAPS, *_PAIR_FACTORIES, "emptyMap"})
TUPLES = frozenset({"Pair", "Triple"})
FACTORIES = (
    _PAIR_FACTORIES
    | TUPLES
    | frozenset(
        (
            "MutableLiveData MutableStateFlow arrayListOf arrayOf flowOf hashSetOf linkedSetOf listOf listOfNotNull"
            " mutableListOf mutableSetOf mutableStateOf sequenceOf setOf sortedSetOf"
        ).split()
    )
)
"""Functions that make a collection of what they are given."""

HOLDERS = (
    FACTORIES
    | PAIRED
    | frozenset(
        (
            "Array ArrayDeque ArrayList Collection CopyOnWriteArrayList Deferred Deque Entry Flow HashSet Iterable"
            " Iterator Lazy LinkedHashSet LinkedList List LiveData MutableCollection MutableIterable MutableList"
            " MutableLiveData MutableSet MutableSharedFlow MutableState MutableStateFlow Pair PriorityQueue Queue"
            " Result Sequence Set SharedFlow Stack State StateFlow Triple emptyArray emptyList emptySequence emptySet"
        ).split()
    )
)
"""What has the members below, and the functions that make it."""

COLLECTIONS = {
    **dict.fromkeys(
        (
            "all any associate collect collectLatest count flatMap forEach indexOfFirst indexOfLast joinToString map"
            " mapKeys mapNotNull mapTo mapValues maxOf maxOfOrNull minOf minOfOrNull none removeAll removeIf retainAll"
            " sumOf update updateAndGet"
        ).split(),
        "!<?,!<?,this*>>",
    ),
    **dict.fromkeys("forEachIndexed mapIndexed mapIndexedNotNull".split(), "!<?,!<?,?,this*>>"),
    **dict.fromkeys(
        (
            "distinctBy dropLastWhile dropWhile filter filterNot onEach onSuccess sortedBy sortedByDescending"
            " takeLastWhile takeWhile"
        ).split(),
        "!<this,!<?,this*>>",
    ),
    "filterIndexed": "!<this,!<?,?,this*>>",
    **dict.fromkeys(
        (
            "collectAsState collectAsStateWithLifecycle observeAsState asFlow asIterable"
            " asLiveData asReversed asSequence asSharedFlow asStateFlow distinct drop dropLast"
            " filterNotNull minus orEmpty plus reversed shuffled"
            " sorted sortedDescending sortedWith subList take takeLast toList toMap toMutableList toMutableMap"
            " toMutableSet toSet toSortedSet"
        ).split(),
        "!<this>",
    ),
    **dict.fromkeys(
        ("find findLast firstOrNull last lastOrNull maxBy maxByOrNull minBy minByOrNull single singleOrNull").split(),
        "!<this*,!<?,this*>>",
    ),
    **dict.fromkeys(
        (
            "await elementAt elementAtOrNull get getOrDefault getOrNull getOrThrow getValue maxOrNull maxWith minOrNull"
            " minWith next peek poll pop random randomOrNull removeAt removeFirst removeFirstOrNull removeLast"
            " removeLastOrNull"
        ).split(),
        "!<this[]>",
    ),
    "associateBy": "!<Map<?,this*>,!<?,this*>>",
    "associateWith": "!<Map<this*,?>,!<?,this*>>",
    "entries": "Set<this*>",
    "filterKeys": "!<this,!<?,this#0>>",
    "filterValues": "!<this,!<?,this#1>>",
    "first": "this#0|!<this*,!<?,this*>>",
    "fold": "!<?,?,!<?,?,this*>>",
    "getOrElse": "!<this[],?,!<this[]>>",
    "getOrPut": "!<this[],?,!<this[]>>",
    "groupBy": "!<Map<?,List<this*>>,!<?,this*>>",
    "key": "this#0",
    "keys": "Set<this#0>",
    "partition": "!<Pair<this,this>,!<?,this*>>",
    "reduce": "!<this*,!<this*,this*,this*>>",
    "second": "this#1",
    "observe": "!<?,?,!<?,this*>>",
    "third": "this#2",
    "value": "this#1",
    "values": "List<this#1>",
}
"""What members of collections, maps and pairs give, and what functions they take:
https://kotlinlang.org/api/core/kotlin-stdlib/kotlin.collections/."""

MEMBERS_OF_CONSTANTS: Mapping[str, Mapping[str, str]] = {"Enum": dict.fromkeys(("name", "ordinal"), PRIMITIVE)}
MEMBERS_OF_HEIRS = {"Enum": {"entries": "List<this>", "valueOf": "!<this>", "values": "!<Array<this>>"}}
"""What each enumeration has, and its constants: https://kotlinlang.org/spec/declarations.html#enum-class-declaration."""

COMMON = frozenset(
    {
        *COLLECTIONS,
        *(
            "add addAll average chunked clear compareTo contains containsKey containsValue endsWith equals format"
            " getKey hashCode indexOf insert invoke isBlank isEmpty isNotBlank isNotEmpty iterator joinTo length lines"
            " padEnd padStart put putAll putIfAbsent remove repeat replace set size slice sort sortBy split startsWith"
            " substring sum toInt toString trim windowed withIndex zip"
        ).split(),
    }
)
"""Members that collections and texts have, and so what is of an unknown type may have."""
