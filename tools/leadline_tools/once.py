"""Values that are found when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801  it is written above a method, as property is
    """A property that is computed when it is first asked for, and kept; to set it first is to say what it is.

    ``functools.cached_property`` of Python 3.11 holds a lock that all objects of a class share while it computes, so
    that one slow call would keep others waiting. Here two threads that ask the same object at once may both compute.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name under which the value is kept."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object, owner: type) -> Value | Self:
        """Return the value; Python asks only as long as the object has none of this name."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
