"""The tokens of Claude, estimated: its tokenizer is not public, so a model of it is counted with.

A text is cut into pieces: words, runs of digits, of underscores, of other signs, of blanks, and line ends. A piece
costs a whole number of tokens, which depends on nothing else; no piece reaches over a line end. So counts of lines add
up, as those of o200k do.

Digits cost a token for each three, blanks one for each 16, a line end one, a single space between two words or signs
nothing. The price of every other piece is linear in its bytes, in what it costs in o200k, and in how rare those tokens
are, with weights for each shape of piece. Common words are one token in either vocabulary, and what is rare in one is
rare in the other, but Claude's from 4.7 on is a tenth of the size: names of code cost it far more.

The weights are in ``data/claude.json``, with what they were calibrated on and with the prices of frequent pieces that
they do not give; ``bench/claude.py`` makes and judges them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from leadline_estimators.tokenizer import Counter, Tokenizer, load, ranks_of

CALIBRATION = Path(__file__).parent / "data" / "claude.json"
"""The weights of both generations, by shape of piece, in the order of ``features``, and prices of single pieces."""

_PIECE = re.compile(
    r"[^\W\d_]+|[^\w\s]+|\d+|_+|\n"
    r"|[^\S\n\t]{2,}|\t+"
    r"|(?<![^\s\d_])[^\S\n]|[^\S\n](?=[\d\s]|\Z)"  # a single space beside a digit, an underscore or a line end
)
_DIGITS, _UNDERSCORES, _BLANKS = 3, 8, 16
"""How many of a run one token holds."""

_FREQUENT = 200
"""Ranks below are single characters, whose order says nothing of how frequent they are."""

_REMEMBERED = 65_536


class Generation(StrEnum):
    """A tokenizer of Claude: the one of versions 3 to 4.6, or that of 4.7 and later."""

    Early = "3"
    Late = "4.7"


class Shape(StrEnum):
    """What a piece looks like, which its weights depend on."""

    Lower = "lower"
    Title = "title"
    Upper = "upper"
    Mixed = "mixed"
    Signs = "signs"
    Other = "other"
    """With characters beyond ASCII."""


def shape(piece: str) -> Shape:
    """Return the shape of a piece."""
    if not piece.isascii():
        return Shape.Other
    if not piece[0].isalpha():
        return Shape.Signs
    if piece.islower():
        return Shape.Lower
    if piece[1:].islower():
        return Shape.Title
    return Shape.Upper if piece.isupper() else Shape.Mixed


def features(piece: str) -> tuple[float, ...]:
    """Return what the price of a piece is linear in: 1, bytes, o200k tokens, their rarity, capital letters."""
    ranks = ranks_of(f" {piece}" if piece[0].isalpha() else piece)
    rarity = sum(math.log(max(rank, _FREQUENT)) for rank in ranks)
    capitals = sum(map(str.isupper, piece))
    return 1.0, float(len(piece.encode("utf-8", "replace"))), float(len(ranks)), rarity, float(capitals)


def pieces(text: str) -> list[str]:
    """Return the pieces of a text; what costs nothing is no piece."""
    return _PIECE.findall(text)


def price_by_rule(piece: str) -> int | None:
    """Return the tokens of a piece that needs no weights: digits, underscores, blanks, a line end; None for others."""
    first = piece[0]
    if first.isspace():
        return -(-len(piece) // _BLANKS)
    if first == "_":
        return -(-len(piece) // _UNDERSCORES)
    if piece.isdigit() and piece.isascii():
        return -(-len(piece) // _DIGITS)
    return None


def tokenizer(generation: Generation, per_o200k: float) -> Tokenizer:
    """Return the tokenizer of a generation; without a rank file of o200k it counts bytes, which are more.

    Args:
        generation: Whose tokens are counted.
        per_o200k: The most of them that what frames an answer has for one of o200k.
    """

    @lru_cache(maxsize=_REMEMBERED)
    def price(piece: str) -> int:
        fixed = price_by_rule(piece)
        if fixed is not None:
            return fixed
        known = _calibration().known[generation].get(piece)
        if known is not None:
            return known
        weights = _calibration().weights[generation][shape(piece)]
        return max(1, round(sum(map(float.__mul__, weights, features(piece)))))

    def count(text: str) -> int:
        return sum(map(price, _PIECE.findall(text))) if load() else len(text.encode("utf-8", "surrogatepass"))

    counted: Counter = lru_cache(maxsize=_REMEMBERED)(count)
    return Tokenizer(count, counted, per_o200k)


@dataclass(frozen=True, slots=True)
class _Calibration:
    """What was measured: weights of features by shape, and the tokens of frequent pieces of which they are wrong."""

    weights: Mapping[Generation, Mapping[Shape, Sequence[float]]]
    known: Mapping[Generation, Mapping[str, int]]


@cache
def _calibration() -> _Calibration:
    kept = json.loads(CALIBRATION.read_text(encoding="utf-8"))
    weights = {g: {shape: tuple(map(float, kept["weights"][g][shape])) for shape in Shape} for g in Generation}
    return _Calibration(weights, {g: kept["known"][g] for g in Generation})
