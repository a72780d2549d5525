"""The source of Swift as its parser gets it: what the grammar does not know, as blanks.

What ``mask_source`` returns has the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

from leadline_tools.lazy_regex import lazy_compile

_DIAGNOSTIC = lazy_compile(rb"(?m)^[ \t]*+#(?:error|warning)[ \t]*+\([ \t]*+\"[^\"\n]*+\"[ \t]*+\)")
"""A diagnostic of the compiler, which the grammar does not know inside of types."""

_AWAITED = lazy_compile(rb"(?<![\w.`])await(?=[ \t]++[\w(\[.#@!\"])")
"""The mark of a suspension: in a condition the grammar takes the block behind it for a closure."""


def mask_source(content: bytes) -> bytes:
    """Return a source that the grammar can read: diagnostics and marks of suspensions are blanks."""
    content = _DIAGNOSTIC.sub(lambda found: b" " * len(found[0]), content) if b"#" in content else content
    return _AWAITED.sub(b"     ", content) if b"await" in content else content
