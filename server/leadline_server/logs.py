"""The log: to the error stream, one line a record, never what a tree or a question holds.

A record has the tool, the outcome, the size and the time of a call. Arguments, paths and source text are left out; of
an exception, only its type and location are logged. Other libraries log warnings and errors only: below that, some log
whole messages.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal

from leadline_server.outgoing import printable
from leadline_tools.index.text.key_masking import mask_strings, mask_text

LEVELS = ("debug", "info", "warning", "error")
"""From which level on there are records, most first."""

Format = Literal["text", "json"]
FORMATS: tuple[Format, ...] = ("text", "json")

FIELDS = "fields"
"""The attribute of a record with its fields: names and numbers."""

_SELDOM_SECONDS = 60.0
_SAME = 60
"""Characters by which a message is known as one that was logged before."""

_MOST_LOGGED = 1_000

_FRAMES = 8
"""Locations that are logged of an exception, innermost last."""


def configure(level: str, form: Format) -> None:
    """Send records from ``level`` on to the error stream, in place of wherever they went before."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Sentences())
    handler.addFilter(Seldom())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("leadline").setLevel(level.upper())


def record_fields(**fields: str | float | bool) -> Mapping[str, object]:
    """Return the fields of a record as logging accepts them (``extra``)."""
    return {FIELDS: fields}


class Seldom(logging.Filter):
    """Lets records of other libraries pass once a minute each: what clients provoke must not fill a disk."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        if record.name.partition(".")[0] == "leadline":
            return True
        key = record.name, str(record.msg)[:_SAME]
        if record.created - self._logged.get(key, 0.0) < _SELDOM_SECONDS:
            return False
        if len(self._logged) >= _MOST_LOGGED:
            self._logged.clear()
        self._logged[key] = record.created
        return True


class Sentences(logging.Formatter):
    """Records for people: ``leadline: message name=value``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        raised = f" ({'; '.join(_describe_exception(record))})" if record.exc_info else ""
        return printable(mask_text(f"leadline: {record.getMessage()}{fields}{raised}"))


class JsonLines(logging.Formatter):
    """Records for programs: an object a line, with the trace of the call where its client sends one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line of JSON."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
            **_trace(),
        }
        if record.exc_info:
            line["raised"] = _describe_exception(record)
        return json.dumps(mask_strings(line), ensure_ascii=True)


def _fields(record: logging.LogRecord) -> Mapping[str, object]:
    fields = getattr(record, FIELDS, None)
    return fields if isinstance(fields, Mapping) else {}


def _trace() -> Mapping[str, str]:
    """Return the ids of the current trace and span, as W3C writes them; nothing where there is none.

    The SDK makes them current from ``_meta.traceparent`` of a request; without OpenTelemetry there are none.
    """
    try:
        from opentelemetry.trace import get_current_span
    except ImportError:
        return {}
    context = get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}


def _describe_exception(record: logging.LogRecord) -> list[str]:
    """Return the type of an exception and where it was raised; its message may quote what must not be logged."""
    if not record.exc_info or record.exc_info[0] is None:
        return []
    kind, _, where = record.exc_info
    return [kind.__name__, *_exception_places(where)]


def _exception_places(where: TracebackType | None) -> Iterator[str]:
    for frame in traceback.extract_tb(where)[-_FRAMES:]:
        yield f"{frame.filename.replace(chr(92), '/').rpartition('/')[2]}:{frame.lineno} in {frame.name}"
