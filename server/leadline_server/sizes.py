"""Sizes as people write them: ``500``, ``500 MB``, ``1.5GB``."""

from __future__ import annotations

import re

import click

_UNITS = {"": 10**6, "KB": 10**3, "MB": 10**6, "GB": 10**9}
"""The bytes of each unit; a number alone is megabytes."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(|KB|MB|GB)", re.IGNORECASE)

ALLOWED = 'a size such as "500 MB" or "2 GB"; a number alone is megabytes'


class Size(int):
    """A number of bytes, so that a default that was converted is not taken for megabytes."""

    __slots__ = ()


class SizeType(click.ParamType["Size"]):
    """A size in bytes, written with or without a unit."""

    name = "size"
    allowed = ALLOWED

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Size:
        """Return a size; fails for what is none."""
        if isinstance(value, Size):
            return value
        size = _SIZE.fullmatch(str(value).strip())
        if size is None:
            self.fail(f"{value!r} is not {ALLOWED}.", param, ctx)
        return Size(float(size[1]) * _UNITS[size[2].upper()])
