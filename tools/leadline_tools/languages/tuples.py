"""``new_tuple``: a constructor of named tuples that takes half the time of their own."""

from __future__ import annotations

from typing import Final

new_tuple: Final = tuple.__new__
"""Makes a named tuple of its values, in half the time that its own constructor takes."""
