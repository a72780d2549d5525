"""A client's configuration file and what is changed in it: shown before it is written, and backed up."""

from __future__ import annotations

import difflib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from leadline_server.clients.client import Client
from leadline_server.clients.command import Command
from leadline_server.errors import BrokenConfiguration, ChangedMeanwhile, NotWritable

_MARK = "\ufeff"
_COMMAND = ("command", "args")
"""The keys of an entry that are replaced; what else a user has set in it stays."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a file: its text before (None where it is not there yet) and after."""

    path: Path
    before: str | None
    after: str

    @property
    def needed(self) -> bool:
        """Return whether anything is changed."""
        return (self.before or "") != self.after

    def diff(self) -> str:
        """Return the change as a unified diff."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            str(self.path) if self.before is not None else os.devnull,
            str(self.path),
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def write(self) -> Path | None:
        """Write the file in one step and return its backup, where there was a file.

        Raises ChangedMeanwhile where it is no longer the file that was read, NotWritable where it cannot be written.
        """
        target = self.path.resolve()  # a link into a folder of settings stays a link
        try:
            if _text(target) != self.before:
                raise ChangedMeanwhile(self.path)
            backup = _back_up(target) if self.before is not None else None
            _replace(target, self.after)
        except OSError as error:
            raise NotWritable(self.path, error) from None
        return backup


def add_server(client: Client, path: Path, command: Command) -> Change:
    """Return the change that makes ``client`` start ``command``; what else an entry has is kept."""
    before = _read(client, path)
    return _make_change(client, path, before, client.entry(command.program, command.arguments))


def remove_server(client: Client, path: Path) -> Change:
    """Return the change that takes the server out of the configuration."""
    before = _read(client, path)
    return _make_change(client, path, before, None)


def entry_of(client: Client, path: Path) -> Mapping[str, object] | None:
    """Return the entry of the server in a configuration, None where there is none; raises BrokenConfiguration."""
    text = _read(client, path)
    return _entry_in(client.format.read(_without_mark(text)), client.place) if text is not None else None


def _entry_in(held: Mapping[str, object], place: Sequence[str]) -> Mapping[str, object] | None:
    """Return the object to which keys lead; None where there is none."""
    found: object = held
    for key in place:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else None


def _make_change(client: Client, path: Path, before: str | None, entry: Mapping[str, object] | None) -> Change:
    """Return the change, once its text has been read back and found to hold what it should and nothing else."""
    try:
        after = _edit_text(client, _without_mark(before), entry)
        if client.format.read(after) != _expected_content(client, client.format.read(_without_mark(before)), entry):
            raise ValueError("it is written in a way that cannot be edited safely")
    except ValueError as error:
        raise BrokenConfiguration(path, str(error)) from None
    mark = _MARK if before is not None and before.startswith(_MARK) else ""
    return Change(path, before, mark + after if before is not None or entry is not None else "")


def _edit_text(client: Client, text: str, entry: Mapping[str, object] | None) -> str:
    place = client.place
    if entry is None:
        return client.format.drop(text, place)
    known = _entry_in(client.format.read(text), place)
    if known is None:
        return client.format.put(text, place, entry)
    for name, value in entry.items():
        if known.get(name) != value and (name not in known or name in _COMMAND):
            text = client.format.put(text, (*place, name), value)
    return text


def _expected_content(
    client: Client, held: Mapping[str, object], entry: Mapping[str, object] | None
) -> Mapping[str, object]:
    return _changed_below(held, client.place, entry)


def _changed_below(
    held: Mapping[str, object], place: Sequence[str], entry: Mapping[str, object] | None
) -> Mapping[str, object]:
    """Return an object in which the entry at ``place`` is as it should be; raises ValueError where there is no room."""
    key, *rest = place
    if not rest:
        if entry is None:
            return {name: value for name, value in held.items() if name != key}
        known = held.get(key)
        kept = known if isinstance(known, Mapping) else {}
        return {**held, key: {**entry, **kept, **{name: entry[name] for name in _COMMAND if name in entry}}}
    inner = held.get(key, {})
    if not isinstance(inner, Mapping):
        raise ValueError(f"{key} does not contain servers")
    return held if entry is None and key not in held else {**held, key: _changed_below(inner, rest, entry)}


def _read(client: Client, path: Path) -> str | None:
    """Return the text of a configuration, None where there is no file; raises BrokenConfiguration, NotWritable."""
    try:
        text = _text(path)
        client.format.read(_without_mark(text))
    except ValueError as error:
        raise BrokenConfiguration(path, str(error)) from None
    except OSError as error:
        raise NotWritable(path, error) from None
    return text


def _without_mark(text: str | None) -> str:
    return (text or "").removeprefix(_MARK)


def read_text(path: Path) -> str | None:
    """Return the text of a file, None where there is none; raises BrokenConfiguration, NotWritable."""
    try:
        return _text(path)
    except ValueError as error:
        raise BrokenConfiguration(path, str(error)) from None
    except OSError as error:
        raise NotWritable(path, error) from None


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None


def _back_up(target: Path) -> Path:
    """Copy a file to one beside it that is not there yet."""
    stem = f"{target.name}.{datetime.now(UTC):%Y%m%d-%H%M%S}"
    backup = target.with_name(f"{stem}.backup")
    number = 1
    while backup.exists():
        number += 1
        backup = target.with_name(f"{stem}-{number}.backup")
    shutil.copy2(target, backup)
    return backup


def _replace(target: Path, text: str) -> None:
    """Put ``text`` in the place of a file at once, with the permissions that the file had."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
