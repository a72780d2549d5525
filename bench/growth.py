"""How the costs of the index grow with the tree: the figures of ``index.py`` at 1/8, 1/4, 1/2 and all of it.

    python bench/growth.py ROOT --scratch DIR [--repeat N] [--json FILE] [--plot FILE]

A part is made of whole files, drawn by a seeded hash of their paths, so that each part holds the smaller ones. The
exponent of a figure is the slope of its logarithm on that of the number of files, by least squares: 1 means twice the
cost for twice the files. Plotting needs ``matplotlib``, which nothing else here does: ``pip install matplotlib``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from index import COMMON, LOOSE, SEED, Bench, answers, cold

PARTS = (1 / 8, 1 / 4, 1 / 2, 1.0)

BUILDING = ("ctags: CPU, s", "cold: CPU, s", "cold: wall, s", "cold: words complete after, s")
ANSWERING = tuple(f"{kind}, p95 of CPU, ms" for kind in (*COMMON, *LOOSE))
SIZES = ("index on disk, MB", "memory while answering, MB", "memory of any worker, MB")

FILES = "files"


class Growth(NamedTuple):
    """One figure at every size, and the power of the number of files with which it grows."""

    what: str
    values: Sequence[float]
    exponent: float

    def __str__(self) -> str:
        """Return the figure as a row of Markdown."""
        return f"| {self.what} | {' | '.join(f'{value:,.3g}' for value in self.values)} | {self.exponent:.2f} |"


def part(root: Path, fraction: float) -> Callable[[Path], bool]:
    """Return the test whether a file belongs to a part of the tree; what git keeps for itself never does."""

    def belongs(path: Path) -> bool:
        relative = path.relative_to(root)
        digest = hashlib.blake2b(f"{SEED}{relative}".encode("utf-8", "replace"), digest_size=8).digest()
        return ".git" not in relative.parts and int.from_bytes(digest) < fraction * 2**64

    return belongs


def figures(bench: Bench) -> Mapping[str, float]:
    """Measure one tree."""
    return {figure.what: figure.measured for measure in (cold, answers) for figure in measure(bench)}


def growth(what: str, files: Sequence[float], values: Sequence[float]) -> Growth:
    """Return how a figure grows; the exponent is not a number where the figure is nothing at some size."""
    if min(values) <= 0:
        return Growth(what, values, math.nan)
    slope = statistics.linear_regression([math.log(x) for x in files], [math.log(y) for y in values]).slope
    return Growth(what, values, slope)


def plot(path: Path, name: str, files: Sequence[float], grown: Mapping[str, Growth]) -> None:
    """Draw what building and what answering cost, on logarithmic scales."""
    from matplotlib.figure import Figure  # pyright: ignore[reportMissingImports]

    drawing = Figure(figsize=(12, 5), layout="constrained")
    panels = drawing.subplots(1, 2)
    for panel, rows, unit in ((panels[0], BUILDING, "seconds"), (panels[1], ANSWERING, "milliseconds of CPU, p95")):
        for row in rows:
            label = f"{row.partition(', p95')[0].removesuffix(', s')}  (exponent {grown[row].exponent:.2f})"
            panel.loglog(files, grown[row].values, marker="o", label=label)
        panel.set_xticks(files, [f"{count:,.0f}" for count in files], minor=False)
        panel.minorticks_off()
        panel.set_xlabel(f"files of {name}")
        panel.set_ylabel(unit)
        panel.grid(visible=True, alpha=0.3)
        panel.legend(fontsize="small")
    drawing.savefig(path, dpi=110)


def main(arguments: Sequence[str]) -> int:
    """Print the table and draw the plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path, default=Path(__file__).with_name("growth.png"))
    options = parser.parse_args(arguments)
    root: Path = options.root.resolve()
    sizes = []
    for fraction in PARTS:
        scratch = options.scratch.resolve() / f"{fraction:g}"
        scratch.mkdir(parents=True, exist_ok=True)
        sizes.append(figures(Bench(root, scratch, options.repeat, part(root, fraction))))
        print(f"{sizes[-1][FILES]:,.0f} files: {sizes[-1]['cold: CPU, s']:,.1f} s of CPU", file=sys.stderr, flush=True)
    files = [size[FILES] for size in sizes]
    grown = {what: growth(what, files, [size[what] for size in sizes]) for what in (*BUILDING, *SIZES, *ANSWERING)}
    print(f"| files | {' | '.join(f'{count:,.0f}' for count in files)} | exponent |")
    print(f"|---{'|---' * len(files)}|---|", *grown.values(), sep="\n")
    if options.json:
        rows = [{"what": row.what, "values": row.values, "exponent": row.exponent} for row in grown.values()]
        options.json.write_text(json.dumps({"files": files, "figures": rows}, indent=1) + "\n")
    plot(options.plot, root.name, files, grown)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
