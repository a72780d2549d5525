"""The library of Java: what the methods of collections give, and what its functional interfaces are as functions.

https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/package-summary.html
"""

from __future__ import annotations

from collections.abc import Mapping

_ELEMENT = "!<this[]>"
_SAME = "!<this>"
_ACCEPTS_EACH = "!<?,!<?,this*,this[]>>"
_PAIR = "()<this*,this[]>"

COLLECTIONS: Mapping[str, str] = {
    **dict.fromkeys(
        "apply call ceiling element first firstElement floor get getFirst getLast getNow getOrDefault higher join last"
        " lastElement lower next nextElement orElse orElseGet orElseThrow peek peekFirst peekLast poll pollFirst"
        " pollLast pop previous put putIfAbsent remove removeFirst removeLast resultNow set take takeFirst"
        " takeLast".split(),
        _ELEMENT,
    ),
    **dict.fromkeys(
        "descendingIterator distinct elements findAny findFirst headSet iterator limit listIterator or parallel"
        " parallelStream reversed sequential skip stream subList subSet tailSet toList".split(),
        _SAME,
    ),
    **dict.fromkeys("dropWhile filter takeWhile".split(), "!<this,!<?,this*>>"),
    **dict.fromkeys("max min sorted".split(), "!<this,!<?,this*,this*>>"),
    "sort": "!<?,!<?,this*,this*>>",
    **dict.fromkeys(
        "allMatch anyMatch flatMap forEach forEachOrdered ifPresent ifPresentOrElse map mapMulti mapToDouble mapToInt"
        " mapToLong mapToObj noneMatch removeIf replaceAll thenAccept thenApply thenCompose".split(),
        _ACCEPTS_EACH,
    ),
    "computeIfAbsent": "!<this[],?,!<?,this*>>",
    **dict.fromkeys("compute computeIfPresent".split(), "!<this[],?,!<?,this*,this[]>>"),
    "merge": "!<this[],?,?,!<?,this[],this[]>>",
    **dict.fromkeys("keySet keys navigableKeySet".split(), "!<[]<this*>>"),
    "values": "!<[]<this[]>>",
    "entrySet": f"!<[]<{_PAIR}>>",
    **dict.fromkeys("ceilingEntry firstEntry floorEntry higherEntry lastEntry lowerEntry".split(), f"!<{_PAIR}>"),
    "getKey": "!<this#0>",
    "getValue": "!<this#1>",
    **dict.fromkeys("getById getOne getReferenceById save saveAndFlush".split(), "!<this#0>"),
    **dict.fromkeys(
        "findAll findAllById findById findOne getContent saveAll saveAllAndFlush".split(),
        "!<[]<this#0>>",
    ),
}
"""What methods of collections, maps, streams, optional values and futures give, and what functions they take; and those
of repositories: https://docs.spring.io/spring-data/commons/reference/repositories/core-concepts.html."""

HOLDERS: frozenset[str] = frozenset(
    (
        "AbstractCollection AbstractList AbstractMap AbstractQueue AbstractSequentialList AbstractSet"
        " ArrayBlockingQueue ArrayDeque ArrayList AtomicReference BaseStream BlockingDeque BlockingQueue"
        " Collection CompletableFuture CompletionStage ConcurrentHashMap ConcurrentLinkedDeque ConcurrentLinkedQueue"
        " ConcurrentMap ConcurrentNavigableMap ConcurrentSkipListMap ConcurrentSkipListSet CopyOnWriteArrayList"
        " CopyOnWriteArraySet Deque Dictionary Entry EnumMap EnumSet Enumeration Future FutureTask HashMap"
        " HashSet Hashtable IdentityHashMap Iterable Iterator LinkedBlockingDeque LinkedBlockingQueue LinkedHashMap"
        " LinkedHashSet LinkedList LinkedTransferQueue List ListIterator Map NavigableMap NavigableSet Optional"
        " PhantomReference PriorityBlockingQueue PriorityQueue Queue Reference SequencedCollection SequencedMap"
        " SequencedSet ServiceLoader Set SoftReference SortedMap SortedSet Stack Stream ThreadLocal"
        " TransferQueue TreeMap TreeSet Vector WeakHashMap WeakReference"
        # org.springframework.data
        " CrudRepository JpaRepository ListCrudRepository ListPagingAndSortingRepository MongoRepository Page"
        " PagingAndSortingRepository Slice"
    ).split()
)
"""What has these methods, in ``java.lang``, ``java.util`` and the packages below that, and in those of STANDARD."""

STANDARD = ("java.", "org.springframework.data.")

_FIRST, _BOTH = "!<?,this#0>", "!<?,this#0,this#1>"

FUNCTIONS: Mapping[str, str] = {
    **dict.fromkeys("BiConsumer BiPredicate ToDoubleBiFunction ToIntBiFunction ToLongBiFunction".split(), _BOTH),
    **dict.fromkeys("Consumer ObjIntConsumer Predicate ToDoubleFunction ToIntFunction ToLongFunction".split(), _FIRST),
    **dict.fromkeys("Callable DoubleFunction IntFunction LongFunction Supplier".split(), "!<this#0>"),
    "BiFunction": "!<this#2,this#0,this#1>",
    "BinaryOperator": "!<this#0,this#0,this#0>",
    "Comparator": "!<?,this#0,this#0>",
    "Function": "!<this#1,this#0>",
    "UnaryOperator": "!<this#0,this#0>",
}
"""What the interfaces of ``java.util.function``, and those like them, are as functions."""
