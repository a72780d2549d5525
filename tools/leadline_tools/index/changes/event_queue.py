"""The queue of events of a process: one for all its roots, since the system gives a user only a few (128 on most).

Each root has a *subscription*. Whoever reads the queue hands each event to the subscriptions that watch its folder, so
every root knows all that happened before it asks, and what happens in one root costs the others nothing.
"""

from __future__ import annotations

import threading

from leadline_tools.index.changes.inotify import IGNORED, OVERFLOW, Event, Inotify

_MOST_PENDING = 20_000
"""Events that are kept for a root that nobody asks about; beyond that, one event says that some are lost."""

_EMPTIED_EVERY = 4_000
"""Watches that are ended before the queue is emptied: each puts an event into it, and the system keeps some 16,000."""

_LOST = Event(-1, OVERFLOW, "")


class Subscription:
    """The watches of one root, and the events that it has not seen yet."""

    def __init__(self, shared: EventQueue) -> None:
        self._shared = shared
        self.watches: set[int] = set()
        self.pending: list[Event] = []

    def add(self, folder: str) -> int:
        """Watch a folder and return the number of the watch, which is one for one inode; raises OSError."""
        return self._shared.watch(self, folder)

    def remove(self, watch: int) -> None:
        """Watch a folder no longer; a watch that has ended by itself is no error."""
        self._shared.unwatch(self, (watch,))

    def events(self) -> list[Event]:
        """Return what has happened since the last time."""
        return self._shared.take(self)

    def close(self) -> None:
        """Watch nothing any more."""
        self._shared.leave(self)

    def note(self, event: Event) -> None:
        """Keep an event for whoever asks next; of too many only that some are lost."""
        if len(self.pending) < _MOST_PENDING:
            self.pending.append(event)
        elif self.pending[-1] is not _LOST:
            self.pending = [_LOST]


class EventQueue:
    """The queue, open as long as a root subscribes to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inotify: Inotify | None = None
        self._subscriptions: set[Subscription] = set()
        self._watching: dict[int, list[Subscription]] = {}

    def subscribe(self) -> Subscription:
        """Return a new subscription; raises OSError where the system has no such queue or gives none."""
        with self._lock:
            if self._inotify is None:
                self._inotify = Inotify()
            subscription = Subscription(self)
            self._subscriptions.add(subscription)
            return subscription

    def watch(self, subscription: Subscription, folder: str) -> int:
        """Watch a folder for a subscription."""
        with self._lock:
            number = self._open().add(folder)
            if number not in subscription.watches:
                subscription.watches.add(number)
                self._watching.setdefault(number, []).append(subscription)
            return number

    def unwatch(self, subscription: Subscription, watches: tuple[int, ...]) -> None:
        """End watches of a subscription, as far as no other one has them too."""
        with self._lock:
            self._unwatch(subscription, watches)

    def take(self, subscription: Subscription) -> list[Event]:
        """Read the queue, hand on what was in it, and return what a subscription has not seen yet."""
        with self._lock:
            self._hand_on()
            taken, subscription.pending = subscription.pending, []
            return taken

    def leave(self, subscription: Subscription) -> None:
        """End a subscription with all its watches; the last one closes the queue."""
        with self._lock:
            if subscription not in self._subscriptions:
                return
            self._subscriptions.discard(subscription)
            if self._subscriptions:
                self._unwatch(subscription, tuple(subscription.watches))
            else:
                self._open().close()
                self._inotify = None
                self._watching.clear()

    def _open(self) -> Inotify:
        if self._inotify is None:
            raise ValueError("this subscription has ended")
        return self._inotify

    def _unwatch(self, subscription: Subscription, watches: tuple[int, ...]) -> None:
        for number, watch in enumerate(watches, 1):
            if watch not in subscription.watches:
                continue
            subscription.watches.discard(watch)
            others = self._watching[watch]
            others.remove(subscription)
            if not others:
                del self._watching[watch]
                self._open().remove(watch)
            if number % _EMPTIED_EVERY == 0:
                self._hand_on()

    def _hand_on(self) -> None:
        for event in self._open().events():
            if event.mask & OVERFLOW:
                for subscription in self._subscriptions:
                    subscription.note(_LOST)
            for subscription in self._watching.get(event.watch, ()):
                subscription.note(event)
                if event.mask & IGNORED:
                    subscription.watches.discard(event.watch)
            if event.mask & IGNORED:
                self._watching.pop(event.watch, None)


QUEUE = EventQueue()
"""That of this process."""
