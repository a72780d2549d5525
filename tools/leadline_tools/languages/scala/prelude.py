"""The prelude of Scala, which every file sees without an import: ``java.lang``, ``scala`` and ``scala.Predef``.

https://scala-lang.org/files/archive/spec/2.13/09-top-level-definitions.html#compilation-units
"""

from __future__ import annotations

from typing import Final

PRELUDE: Final = frozenset(
    (
        # java.lang
        "AbstractMethodError AssertionError Appendable ArithmeticException ArrayIndexOutOfBoundsException "
        "ArrayStoreException AutoCloseable CharSequence Character ClassCastException ClassLoader "
        "ClassNotFoundException CloneNotSupportedException Comparable Deprecated Error Exception "
        "ExceptionInInitializerError "
        "IllegalAccessException IllegalArgumentException IllegalMonitorStateException IllegalStateException "
        "IndexOutOfBoundsException InheritableThreadLocal InstantiationException Integer InternalError "
        "InterruptedException LinkageError Math NegativeArraySizeException NoClassDefFoundError NoSuchFieldError "
        "NoSuchFieldException NoSuchMethodError NoSuchMethodException NullPointerException Number "
        "NumberFormatException Object OutOfMemoryError Process ProcessBuilder Readable ReflectiveOperationException "
        "Runnable Runtime RuntimeException SafeVarargs SecurityException SecurityManager StackOverflowError "
        "StackTraceElement StrictMath StringBuffer StringIndexOutOfBoundsException SuppressWarnings System Thread "
        "ThreadDeath ThreadGroup ThreadLocal Throwable UnsatisfiedLinkError UnsupportedOperationException VerifyError "
        "VirtualMachineError Void "
        # scala
        "Any AnyRef AnyVal App Array BigDecimal BigInt Boolean BufferedIterator Byte Char Cloneable Console Double "
        "Dynamic Either Enumeration Equals Equiv Float Fractional IndexedSeq Int Integral Iterable Iterator LazyList "
        "Left List Long MatchError Nil None NotImplementedError Nothing Null Numeric Option Ordered Ordering "
        "PartialFunction PartialOrdering Product Proxy Range Responder Right ScalaReflectionException Seq Serializable "
        "Short Some SpecialAnnotation Specializable Stream StringBuilder StringContext Symbol Traversable "
        "TraversableOnce UninitializedFieldError Unit Vector deprecated inline native noinline specialized throws "
        "transient unchecked volatile "
        # scala.Predef
        "Class ClassManifest DummyImplicit Function Manifest Map NoManifest OptManifest Pair Set String ??? assert "
        "assume augmentString classOf conforms ensuring identity implicitly locally manifest optManifest print printf "
        "println readLine require summon valueOf"
    ).split()
) | frozenset(f"{kind}{number}" for kind in ("Function", "Product", "Tuple") for number in range(23))
