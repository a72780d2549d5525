"""Paths of modules of JavaScript and TypeScript: the files that a path without its ending may mean, and patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline_tools.languages.rules.imports import Paths

EXTENSIONS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
"""What an import may leave out, in the order of https://www.typescriptlang.org/docs/handbook/modules/reference.html."""

_HOSTS = (".vue", ".svelte", ".astro", ".mdx")
"""Endings of files that hold a module among other things: an import spells them out."""

_WRITTEN_FOR = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""What may be meant by an extension: an import names the file that the compiler writes."""

Patterns = Mapping[str, Sequence[str]]
"""What names are written for, which may hold one ``*`` that stands for anything, and there again."""


def match_pattern(patterns: Patterns, name: str) -> Iterator[str]:
    """Yield what a name is written for: as it stands, else by the pattern with the longest beginning."""
    if name in patterns:
        yield from patterns[name]
        return
    split = (pattern.partition("*") for pattern in patterns if "*" in pattern)
    fitting = [
        (start, end)
        for start, _, end in split
        if len(name) >= len(start) + len(end) and name.startswith(start) and name.endswith(end)
    ]
    if fitting:
        start, end = max(fitting, key=lambda one: len(one[0]))
        inside = name[len(start) : len(name) - len(end)]
        yield from (target.replace("*", inside) for target in patterns[f"{start}*{end}"])


def folders_around(path: str) -> Iterator[str]:
    """Yield the folders around a file, the nearest first; the last is the empty one of the tree."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def first_file(bases: Iterator[str | None] | Sequence[str | None], paths: Paths) -> Sequence[str]:
    """Return the first file that one of the paths means, which may leave out what it ends in."""
    files = (path for base in bases if base is not None for path in list_forms(base) if paths.exists(path))
    return [path for path in (next(files, ""),) if path]


def first_existing(names: Sequence[str | None], paths: Paths) -> Sequence[str]:
    """Return the first of some paths at which there is a file; none where there is none."""
    return [name for name in names if name is not None and paths.exists(name)][:1]


def join_path(importer: str, specifier: str) -> str | None:
    """Return the path that a relative specifier names; None for one outside the tree."""
    parts = importer.split("/")[:-1]
    for part in specifier.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def list_forms(base: str) -> Iterator[str]:
    """Yield the files that a path may mean which may leave out what it ends in, likeliest first."""
    stem, dot, extension = base.rpartition(".")
    if dot and f".{extension}" in _HOSTS:
        yield base
    if dot and f".{extension}" in EXTENSIONS:
        yield base
        yield from (f"{stem}{other}" for other in _WRITTEN_FOR.get(f".{extension}", ()))
    yield from (f"{base}{extension}" for extension in EXTENSIONS if base)
    yield from (f"{base}/index{extension}" if base else f"index{extension}" for extension in EXTENSIONS)
