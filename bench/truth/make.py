"""Draw definitions of a corpus by seed, and have engines tell all their references.

    cd bench; python -m truth.make CORPUS ROOT --engines DIR [--referenced 60] [--drawing tune] [--scratch DIR]
        [--minutes N]

CORPUS is a name in ``CORPORA``; ROOT the source tree, DIR the folder in which the engines are installed: the modules of
this package say how. Each language has its own. Where it has several, a place means a symbol if two of them say so, and
is undecidable if only one does; a symbol that fewer than two know is passed over, and the next is drawn. The third and
the fourth are asked where the first two differ.

About each method of Python all are asked, and each is also asked for the definition of what stands at the places that
the others tell, see ``confirmed``. A place means the method if two say so, and fewer say that it means another
declaration; otherwise it is undecidable.

Symbols are drawn until so many have references; those without are kept too, since nothing should be found of them.
After so many minutes no more are asked about; a drawing that is there already goes on where it ended. The drawings
whose names hold ``-methods`` are of methods alone whose name is defined several times.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from truth import c, csharp, go, java, python, rust, typescript
from truth.confirmed import Confirmed, is_checked
from truth.corpus import Corpus, copied, drawn, opened
from truth.engine import Engine, Told, ended
from truth.record import FOLDER, Answer, Drawn, Origin, Place, Truth, read

MANY_NAMESAKES = 4
"""Definitions of a name from which on a method is drawn as one of a common name."""

BATCH = 25


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn: by which seed, from all definitions or from methods of common names, and without what.

    Where definitions are ``named``, by their file and their name, they alone are asked about, all of them.
    """

    seed: int
    common: bool = False
    without: Sequence[str] = ()
    named: Collection[tuple[str, str]] = ()

    def of(self, corpus: str, definitions: Sequence[Drawn]) -> list[Drawn]:
        """Return the definitions that it draws from, in its order."""
        paths = [FOLDER / f"{corpus}-{other}.json" for other in self.without]
        kept = frozenset(answer.drawn.place for path in paths if path.exists() for answer in read(path).answers)
        return [
            one
            for one in drawn(definitions, self.seed)
            if one.place not in kept
            and (not self.common or (one.kind == "Method" and one.namesakes >= MANY_NAMESAKES))
            and (not self.named or (one.place.path, one.name) in self.named)
        ]


DRAWINGS = {
    "tune": Drawing(4),
    "final": Drawing(44, without=("tune",)),
    "final-2": Drawing(444, without=("tune", "final")),
    "final-3": Drawing(4444, without=("tune", "final", "final-2")),
    "final-4": Drawing(44444, without=("tune", "final", "final-2", "final-3")),
    "tune-methods": Drawing(5, common=True),
    "final-methods": Drawing(55, common=True, without=("tune", "tune-methods")),
    "final-methods-2": Drawing(555, common=True, without=("tune", "tune-methods", "final", "final-methods")),
    "final-methods-3": Drawing(
        5555, common=True, without=("tune", "tune-methods", "final", "final-methods", "final-methods-2")
    ),
}
_LATER = {
    "final-methods-4": 55555,
    "tune-methods-2": 6,
    "final-methods-5": 555555,
    "tune-methods-3": 7,
    "final-methods-6": 777777,
    "tune-methods-4": 8,
}
"""Drawings of methods, each of what no drawing before it has, with their seeds; the first was not checked."""

for _name, _seed in _LATER.items():
    DRAWINGS[_name] = Drawing(_seed, common=True, without=tuple(DRAWINGS))

DRAWINGS["named"] = Drawing(
    0,
    named={
        ("django/db/models/query.py", "bulk_create"),
        ("django/utils/functional.py", "cached_property"),
        ("django/urls/base.py", "reverse"),
        ("django/http/response.py", "HttpResponse"),
    },
)
"""Four names of Django that are used everywhere, some of them for other things as well."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A corpus: its version, its language and who is asked about it."""

    version: str
    language: str
    engines: Callable[[Corpus, str, Path, Path], Sequence[Engine]]


CORPORA = {
    "django": Kind("Django 5.2, source distribution", "python", python.engines),
    "go": Kind("Go 1.19.8, src", "go", go.engines),
    "httpx": Kind("HTTPX 0.28.1, source distribution", "python", python.engines),
    "java.base": Kind("OpenJDK 17, java.base", "java", java.engines),
    "keepass": Kind("KeePass 2.47, source of Debian's package", "csharp", csharp.engines),
    "libuv": Kind("libuv of uvloop 0.21.0", "c", c.engines),
    "rust-alloc": Kind("Rust 1.63.0, library/alloc", "rust", rust.engines),
    "rust-core": Kind("Rust 1.63.0, library/core", "rust", rust.engines),
    "rxjs": Kind("RxJS 7.8.2, src of the npm package", "typescript", typescript.engines),
}


def main() -> int:
    """Make one drawing; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("root", type=Path)
    parser.add_argument("--engines", type=Path, required=True)
    parser.add_argument("--referenced", type=int, default=60, help="how many symbols with references")
    parser.add_argument("--drawing", choices=DRAWINGS, default="tune")
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which no more symbols are drawn")
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    output = given.output or FOLDER / f"{given.corpus}-{given.drawing}.json"
    with copied(given.root, given.corpus, given.scratch) as copy:
        enough = Enough(given.referenced, time.monotonic() + 60 * given.minutes)
        begun = read(output) if output.exists() else None
        truth = made(given.corpus, copy, given.engines.resolve(), given.drawing, enough, begun)
    output.parent.mkdir(exist_ok=True)
    truth.write(output)
    references = sum(len(answer.references) for answer in truth.answers)
    undecidable = sum(len(answer.undecidable) for answer in truth.answers)
    print(f"{output}: {len(truth.answers)} symbols, {references:,} references, {undecidable:,} undecidable")
    return 0


class Enough(NamedTuple):
    """When no more symbols are drawn: after so many with references, or at a monotonic time."""

    referenced: int
    until: float


def made(name: str, copy: Path, folder: Path, drawing: str, enough: Enough, begun: Truth | None = None) -> Truth:
    """Return a drawing of a corpus, of which there is a copy that engines may write into, or more of one."""
    kind = CORPORA[name]
    with opened(copy) as index:
        corpus = Corpus(index, kind.language)
        definitions = corpus.definitions()
        order = DRAWINGS[drawing].of(name, definitions)
        with ended(kind.engines(corpus, name, copy, folder)) as asked:
            answers, passed_over = _answers(corpus, asked, order, enough, begun)
        unseen = {
            path
            for answer in answers
            for path in corpus.holding(answer.drawn.name)
            if not any(engine.sees(path) for engine in asked)
        }
    versions = tuple(engine.version for engine in asked)
    origin = Origin(
        name, kind.version, kind.language, drawing, DRAWINGS[drawing].seed, versions, len(definitions), passed_over
    )
    return Truth(origin, frozenset(unseen), tuple(answers))


def _answers(
    corpus: Corpus, engines: Sequence[Engine], order: Sequence[Drawn], enough: Enough, begun: Truth | None
) -> tuple[list[Answer], int]:
    """Return answers until so many symbols have references, and how many symbols were passed over for them."""
    needed = min(2, len(engines))
    answers = list(begun.answers) if begun is not None else []
    passed_over = begun.origin.passed_over if begun is not None else 0
    for batch in _batches(order[len(answers) + passed_over :]):
        if time.monotonic() > enough.until:
            break
        for one, voices in zip(batch, _voices(engines, batch), strict=True):
            if sum(bool(answer.references) for answer in answers) == enough.referenced:
                return answers, passed_over
            if len(voices) < needed:
                passed_over += 1
            else:
                answers.append(_agreed(corpus, one, voices, needed))
    return answers, passed_over


def _batches(order: Sequence[Drawn]) -> Iterator[Sequence[Drawn]]:
    for first in range(0, len(order), BATCH):
        print(f"asking {first} to {first + BATCH}", flush=True)
        yield order[first : first + BATCH]


def _voices(engines: Sequence[Engine], batch: Sequence[Drawn]) -> Iterator[Sequence[Told]]:
    """Yield for each symbol what the engines tell that know it.

    The first two are asked first, the others where these differ and about what engines check of one another.
    """
    first = _told(engines[:2], batch)
    checking = any(isinstance(engine, Confirmed) for engine in engines)
    more = [one for one in batch if (checking and is_checked(one)) or _differ([known.get(one) for known in first])]
    told = _checked(engines, [*first, *_told(engines[2:], more)])
    for one in batch:
        yield [known[one] for known in told if one in known]


def _differ(told: Sequence[Told | None]) -> bool:
    """Return whether engines do not all know a symbol, or report different places of it."""
    return None in told or len(set(told)) > 1


def _told(engines: Sequence[Engine], batch: Sequence[Drawn]) -> Sequence[Mapping[Drawn, Told]]:
    """Return what each engine tells of each symbol that it knows; nothing if there is nothing to ask."""
    if not (engines and batch):
        return []
    with ThreadPoolExecutor(len(engines)) as threads:
        return list(threads.map(partial(_known, batch), engines))


def _known(batch: Sequence[Drawn], engine: Engine) -> Mapping[Drawn, Told]:
    """Return what an engine tells of each symbol that it knows."""
    began = time.monotonic()
    told = {one: known for one, known in zip(batch, engine.tell(batch), strict=True) if known is not None}
    numbers = [len(known.places) - 1 for known in told.values()]
    others = sum(len(known.others) for known in told.values())
    took = f"{time.monotonic() - began:.0f} s"
    print(f"  {engine.version}: {took}, knows {len(numbers)}: {numbers}, of others {others}", flush=True)
    return told


def _checked(engines: Sequence[Engine], told: Sequence[Mapping[Drawn, Told]]) -> Sequence[Mapping[Drawn, Told]]:
    """Return what engines tell, each asked what of the places that the others tell belongs to another declaration."""
    places: defaultdict[Drawn, frozenset[Place]] = defaultdict(frozenset)
    for known in told:
        for symbol, one in known.items():
            places[symbol] |= one.places
    with ThreadPoolExecutor(len(engines)) as threads:
        return list(threads.map(partial(_denying, places), engines, told))


def _denying(
    places: Mapping[Drawn, frozenset[Place]], engine: Engine, told: Mapping[Drawn, Told]
) -> Mapping[Drawn, Told]:
    """Return what an engine tells, and of all places that engines tell which belong to another declaration to it."""
    if not isinstance(engine, Confirmed):
        return told
    began = time.monotonic()
    asked = {symbol: places[symbol] - one.places - one.others for symbol, one in told.items() if is_checked(symbol)}
    denied = {symbol: engine.denied(symbol, asked[symbol]) for symbol in asked}
    took = f"{time.monotonic() - began:.0f} s"
    number, of = (sum(len(some) for some in them.values()) for them in (denied, asked))
    print(f"  {engine.version}: {took}, denies {number} of {of} that others tell", flush=True)
    return {symbol: replace(one, others=one.others | denied.get(symbol, frozenset())) for symbol, one in told.items()}


def _agreed(corpus: Corpus, symbol: Drawn, voices: Sequence[Told], needed: int) -> Answer:
    """Return what enough engines tell, if fewer say that it belongs to another; the rest of it is undecidable.

    Where the name is spelled otherwise, an alias or a call that runs a constructor, it takes one of several more.
    """
    votes = Counter(place for voice in voices for place in voice.places if place != symbol.place)
    against = Counter(place for voice in voices for place in voice.others)
    more = min(needed + 1, len(voices))
    sure = frozenset(
        place
        for place, number in votes.items()
        if number > against[place] and (number >= more or (number >= needed and corpus.stands(symbol.name, place)))
    )
    unseen = frozenset[Place]().union(*(voice.unseen for voice in voices))
    return Answer(symbol, sure, (frozenset(votes) | unseen) - sure)


if __name__ == "__main__":
    sys.exit(main())
