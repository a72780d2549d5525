"""The model of Claude's tokens: calibrated on some trees, scored on the answers of a server about others.

    python bench/claude.py calibrate --yardstick PYTHON ROOT...
    python bench/claude.py score --yardstick PYTHON --cache DIR ROOT...

PYTHON is a Python 3.12 or later with ``ctok==1.3.0`` (see ``yardstick.py``); ``calibrate`` also needs ``numpy`` where
it runs itself. ``calibrate`` writes ``data/claude.json``. ``score`` exits with 1 where an answer is over its limit, or
where the answers that were cut use less of it than is promised.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

import leadline_server
from answers import is_cut
from drawn import SEED, Drawing, opened
from leadline_estimators.claude import CALIBRATION, Generation, Shape, features, pieces, price_by_rule, shape
from leadline_tools.tool import TOOLS

FILES = 600
"""Files of a tree that the calibration reads."""

LONGEST = 40
"""Characters of a piece; longer ones are data, not words."""

FREQUENT = 0.02
"""Of the files of a tree, the share that has a piece whose own price is kept."""

BYTES = 60_000
"""Bytes of each."""

MODELS = {"claude": Generation.Late, "claude-pre-4.7": Generation.Early}
"""All other profiles of a generation count as these do."""

VERSIONS = {Generation.Early: "3.0", Generation.Late: "4.8"}
"""What the yardstick calls the generations."""

BUDGETS = (170, 300, 600, 1_000, 2_000, 4_000, 9_000)
PROMISED = 0.85


def counted(yardstick: str, requests: Iterable[tuple[str, str]]) -> list[int]:
    """Return the yardstick's tokens of texts, each with the version that is meant."""
    asked = "".join(json.dumps(request) + "\n" for request in requests)
    run = [yardstick, str(Path(__file__).with_name("yardstick.py"))]
    done = subprocess.run(run, input=asked, capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.splitlines()]


# Calibration


def found_in(roots: Sequence[Path]) -> tuple[set[str], set[str]]:
    """Return the distinct pieces of files drawn by seed and of all paths, and those that are frequent.

    Each counts once, however often it is written: what is everywhere in one tree is rare in another. Frequent is what
    is in ``FREQUENT`` of the files of a tree, and what frames the answers themselves.
    """
    found, frequent = set(framing()), set(framing())
    for root in roots:
        paths = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
        random.Random(SEED).shuffle(paths)
        found.update(*(pieces(str(path.relative_to(root))) for path in paths))
        texts = (path.read_bytes()[:BYTES] for path in paths[: 4 * FILES])
        files = [set(pieces(text.decode("utf-8", "ignore"))) for text in texts if b"\0" not in text][:FILES]
        found.update(*files)
        files_with = Counter(piece for file in files for piece in file)
        frequent.update(piece for piece, number in files_with.items() if number >= max(3, FREQUENT * len(files)))
    return {piece for piece in found if weighed(piece)}, {piece for piece in frequent if weighed(piece)}


def framing() -> list[str]:
    """Return the pieces of what Leadline itself writes: its tools, their arguments, and the words of its answers."""
    said = [f"{tool.name} {' '.join(tool.arguments.model_fields)}" for tool in TOOLS.values()]
    package = Path(leadline_server.__file__).parent
    said += [(package / name).read_text(encoding="utf-8") for name in ("compose.py", "render.py", "next_calls.py")]
    return [piece for text in said for piece in pieces(text)]


def weighed(piece: str) -> bool:
    """Return whether the price of a piece takes weights."""
    return price_by_rule(piece) is None and len(piece) <= LONGEST


def alone(piece: str) -> str:
    """Return a text that costs two words and a line end more than a piece: signs between them, words on their own."""
    return f"x{piece}y\n" if shape(piece) is Shape.Signs else f"x y\n{piece}\n"


@click.group()
def main() -> None:
    """Calibrate or score."""


@main.command()
@click.option("--yardstick", required=True)
@click.argument("roots", nargs=-1, required=True, type=click.Path(path_type=Path))
def calibrate(yardstick: str, roots: tuple[Path, ...]) -> None:
    """Write the weights that fit the pieces of some trees best."""
    import numpy as np  # pyright: ignore[reportMissingImports]

    every, frequent = found_in(roots)
    found = sorted(every | frequent)
    weights: dict[str, dict[str, list[float]]] = {}
    known: dict[str, dict[str, int]] = {}
    for generation, version in VERSIONS.items():
        asked = [*map(alone, found), "x y\n", "x y\nx\n"]
        *tokens, words, line = counted(yardstick, ((version, text) for text in asked))
        weights[generation], known[generation] = {}, {}
        for one in Shape:
            chosen = [i for i, piece in enumerate(found) if shape(piece) is one]
            measured = np.array([features(found[i]) for i in chosen])
            wanted = np.array([tokens[i] - (words if one is Shape.Signs else line - 1) for i in chosen], float)
            solved = np.linalg.lstsq(measured, wanted, rcond=None)[0]
            error = measured @ solved - wanted
            for i, price, tokens_there in zip(chosen, measured @ solved, wanted, strict=True):
                if found[i] in frequent and max(1, round(price)) != tokens_there:
                    known[generation][found[i]] = int(tokens_there)
            weights[generation][one] = [round(float(weight), 5) for weight in solved]
            told = f"{len(chosen):6} pieces, mean {wanted.mean():.2f}, error {np.sqrt((error**2).mean()):.2f}"
            click.echo(f"{generation:4} {one:6} {told}")
    trees = [root.name for root in roots]
    kept = {
        "source": "least squares over distinct pieces of files, counted by ctok 1.3.0; bench/claude.py calibrate",
        "trees": trees,
        "pieces": len(found),
        "features": ["1", "bytes", "o200k tokens", "rarity: sum of log(rank)", "capitals"],
        "weights": weights,
        "known": known,
    }
    CALIBRATION.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


# Score


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer: its limit in Claude's tokens, its text, and whether it was cut."""

    limit: int
    text: str
    cut: bool


def answers(root: Path, cache: Path, model: str, number: int) -> Iterator[Sent]:
    """Yield the answers to questions drawn by seed, each at a budget drawn too."""
    session = opened(root, cache, model)
    draw = random.Random(SEED)
    try:
        for question in Drawing(session.index).questions(number, with_json=True):
            arguments = {**question.arguments, "max_tokens": draw.choice(BUDGETS)}
            answer = session.call(replace(question, arguments=arguments))
            limit = re.search(r"\| ~[\d,]+(?: of |/)([\d,]+)", answer.text.partition("\n")[0])
            if not answer.is_error:
                told = int(limit[1].replace(",", "")) if limit else min(int(arguments["max_tokens"]), 9_000)
                yield Sent(told, answer.text, is_cut(answer.text) and not _is_page(answer.text, arguments))
    finally:
        session.close()


def _is_page(text: str, arguments: Mapping[str, object]) -> bool:
    """Return whether an answer has as many items as were asked for: a limit ended it, not the budget."""
    asked = arguments.get("limit") or arguments.get("num_lines")
    shown = re.search(r"([\d,]+)-([\d,]+) of ", text.partition("\n")[0])
    if not asked or not shown:
        return False
    first, last = (int(number.replace(",", "")) for number in shown.groups())
    return last - first + 1 >= int(str(asked))


@main.command()
@click.option("--yardstick", required=True)
@click.option("--cache", required=True, type=click.Path(path_type=Path))
@click.option("--number", default=300, show_default=True, help="Questions for each tree and generation.")
@click.argument("roots", nargs=-1, required=True, type=click.Path(path_type=Path))
def score(yardstick: str, cache: Path, number: int, roots: tuple[Path, ...]) -> None:
    """Print what the answers about some trees cost by the yardstick, and what of their limit they use."""
    kept = True
    click.echo(
        "| tree | model | answers | over the limit | nearest to it | cut | used of it, median | 5th percentile |"
    )
    click.echo("|---|---|---:|---:|---:|---:|---:|---:|")
    for root in roots:
        for model, generation in MODELS.items():
            sent = list(answers(root, cache, model, number))
            tokens = counted(yardstick, ((VERSIONS[generation], one.text) for one in sent))
            used = [count / one.limit for count, one in zip(tokens, sent, strict=True)]
            cut = sorted(share for share, one in zip(used, sent, strict=True) if one.cut)
            over, middle = sum(share > 1 for share in used), statistics.median(cut)
            kept = kept and not over and middle >= PROMISED
            told = f"{max(used):.1%} | {len(cut)} | {middle:.1%} | {cut[len(cut) // 20]:.1%}"
            click.echo(f"| {root.name} | {model} | {len(sent)} | {over} | {told} |")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
