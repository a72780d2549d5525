"""Where go_to_definition leads from identifiers drawn by seed, against what compilers and type checkers say.

    python bench/definitions.py draw TREE ROOT --engines DIR [--tokens 800] [--seed N] [--scratch DIR]
    python bench/definitions.py check TREE ROOT
    python bench/definitions.py score TREE=ROOT... [--half tune|kept|fresh] [--rows N] [--kind TEXT] [--json FILE]
        [--cache DIR]

``draw`` draws identifiers uniformly over all that stand in the code of a tree, and asks engines where each is defined;
TREE is a name in ``defining/engines.py``, which says who they are. What they say is kept in ``truth/definitions``. A
place is true if two engines give it, or one where the language has only one; where they do not agree the identifier has
no truth. ``check`` holds a drawing that is kept against the parser of the language, where the only engine is wrong at
times: of Ruby, ``draw`` does so too. ``score`` asks go_to_definition about each identifier and compares. Of the half
``tune`` it prints what is wrong or missing, with the line; of the half ``kept`` only the numbers. Of a tree that no
rule was changed for all that is drawn is ``fresh``: only the numbers of it are printed, too.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from defining import record
from defining.engines import TREES, ask, check
from defining.tokens import FRESH, HALVES, Sort, draw
from defining.verdicts import RIGHT, Judge, Judged, Verdict
from truth.corpus import Corpus, copied, opened
from truth.engine import ended

SEED = 20_261_126


def main() -> int:
    """Draw or score; return the exit code."""
    given = _arguments()
    return _COMMANDS[given.command](given)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw", help="draw identifiers and ask engines")
    drawing.add_argument("tree", choices=TREES)
    drawing.add_argument("root", type=Path)
    drawing.add_argument("--engines", type=Path, required=True, metavar="DIR", help="where they are installed")
    drawing.add_argument("--tokens", type=int, default=800, metavar="N")
    drawing.add_argument("--seed", type=int, default=SEED)
    drawing.add_argument("--scratch", type=Path, help="where the copy is made that engines may write into")
    checking = commands.add_parser("check", help="hold a drawing against the parser of its language")
    checking.add_argument("tree", choices=[name for name, tree in TREES.items() if tree.check is not None])
    checking.add_argument("root", type=Path)
    scoring = commands.add_parser("score", help="compare answers with what engines said")
    scoring.add_argument("trees", nargs="+", metavar="TREE=ROOT")
    scoring.add_argument("--half", choices=(*HALVES, FRESH), default="tune")
    scoring.add_argument("--rows", type=int, default=40, metavar="N", help="rows of each kind that are printed")
    scoring.add_argument("--kind", default="", help="print rows of the kinds that hold this text alone")
    scoring.add_argument("--json", type=Path, metavar="FILE", help="write all numbers, and the rows of tune")
    scoring.add_argument("--cache", type=Path, help="where indexes are kept")
    return parser.parse_args()


def _draw(given: argparse.Namespace) -> int:
    tree = TREES[given.tree]
    with copied(given.root, given.tree, given.scratch) as copy, opened(copy) as index:
        corpus = Corpus(index, tree.languages[0])
        with ended(tree.engines(corpus, given.tree, copy, given.engines)) as engines:
            seen = (path for path in corpus.paths if any(engine.sees(path) for engine in engines))
            tokens = draw(
                index,
                tree.languages,
                given.tokens,
                given.seed,
                frozenset(seen).__contains__,
                (FRESH,) if tree.fresh else HALVES,
            )
            known = ask(engines, tokens)
            versions = tuple(engine.version for engine in engines)
    origin = record.Origin(given.tree, tree.version, tree.languages[0], given.seed, versions)
    path = record.FOLDER / f"{given.tree}.json"
    record.Drawing(origin, known).write(path)
    agreed = sum(bool(one.agreed(origin.needed)) for one in known)
    print(f"{path}: {len(known):,} identifiers, {agreed:,} with a truth")
    return 0


def _check(given: argparse.Namespace) -> int:
    path = record.FOLDER / f"{given.tree}.json"
    drawing, make = record.read(path), TREES[given.tree].check
    assert make is not None, "only such trees are accepted"
    with opened(given.root) as index:
        checked = make(Corpus(index, drawing.origin.language), given.root)
        known = [check(one, checked) for one in drawing.tokens]
    record.Drawing(drawing.origin, known).write(path)
    changed = sum(after != before for after, before in zip(known, drawing.tokens, strict=True))
    print(f"{path}: {changed:,} of {len(known):,} identifiers have other places than before, or none")
    return 0


def _score(given: argparse.Namespace) -> int:
    scored: dict[str, list[Judged]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, _, root in (tree.partition("=") for tree in given.trees):
            cache = (given.cache or Path(scratch)) / name
            scored[name] = _judged(record.read(record.FOLDER / f"{name}.json"), Path(root), cache, given.half)
    _print_table("tree", scored)
    everything = [one for judged in scored.values() for one in judged]
    _print_table("kind of token", {sort: [j for j in everything if j.known.token.sort is sort] for sort in Sort})
    _print_kinds(everything)
    if given.half == "tune":
        for name, judged in scored.items():
            root = Path(dict(tree.split("=", 1) for tree in given.trees)[name])
            _print_rows(root, judged, given.rows, given.kind)
    if given.json:
        rows = {name: [_as_json(one) for one in judged] for name, judged in scored.items()}
        numbers = {name: Counter(one.verdict for one in judged) for name, judged in scored.items()}
        whole = {"half": given.half, "numbers": numbers, "rows": rows if given.half == "tune" else {}}
        given.json.write_text(json.dumps(whole, indent=1), encoding="utf-8")
    return 0


def _judged(drawing: record.Drawing, root: Path, cache: Path, half: str) -> list[Judged]:
    with opened(root, cache) as index:
        judge = Judge(index, drawing.origin.needed)
        return [judge.judge(known) for known in drawing.tokens if known.token.half == half]


def _print_table(head: str, groups: Mapping[str, Sequence[Judged]]) -> None:
    shown = [verdict for verdict in Verdict if verdict is not Verdict.NoTruth]
    print(f"| {head} | identifiers | with a truth | {' | '.join(shown)} | right |\n|---|" + "---:|" * (len(shown) + 3))
    for name, judged in [*groups.items(), ("all", [one for some in groups.values() for one in some])]:
        counts = Counter(one.verdict for one in judged)
        total = sum(counts[verdict] for verdict in shown)
        cells = [f"{counts[verdict]:,}" + _percent(counts[verdict], total) for verdict in shown]
        right = sum(counts[verdict] for verdict in RIGHT)
        print(f"| {name} | {len(judged):,} | {total:,} | {' | '.join(cells)} | {100 * right / max(total, 1):.1f} % |")
    print()


def _percent(number: int, total: int) -> str:
    return f" ({100 * number / total:.1f} %)" if number else ""


def _print_kinds(judged: Sequence[Judged]) -> None:
    counts = Counter((one.kind, one.known.token.sort) for one in judged if one.verdict not in RIGHT)
    print("| verdict | kind of token | identifiers |\n|---|---|---:|")
    for (kind, sort), number in counts.most_common():
        print(f"| {kind} | {sort} | {number:,} |")
    print()


_PRINTED = (Verdict.Wrong, Verdict.Missing, Verdict.Undecided)


def _print_rows(root: Path, judged: Sequence[Judged], most: int, wanted: str) -> None:
    by_kind: dict[str, list[Judged]] = {}
    for one in judged:
        if one.verdict in _PRINTED and wanted in one.kind:
            by_kind.setdefault(one.kind, []).append(one)
    for kind, rows in sorted(by_kind.items(), key=lambda item: (_PRINTED.index(item[1][0].verdict), -len(item[1]))):
        print(f"## {root.name}: {kind} ({len(rows):,})")
        for one in rows[:most]:
            token = one.known.token
            line = (root / token.place.path).read_text(encoding="utf-8", errors="replace").split("\n")
            print(f"{token.place} {token.name} [{token.sort}]: {line[token.place.line - 1].strip()[:120]}")
            ours = sorted(f"{path}:{number}" for path, number in one.answer.places)
            print(f"    engines {_places(one)}; ours {', '.join(ours[:4]) or one.answer.message.partition(':')[0]}")
        print()


def _places(one: Judged) -> str:
    shown = [(f"{v.place.path}:{v.place.line}" if v.place else "outside", v.engines) for v in one.known.votes]
    return ", ".join(f"{place} ({number})" for place, number in shown[:4])


def _as_json(one: Judged) -> Mapping[str, object]:
    token = one.known.token
    return {
        "place": str(token.place),
        "name": token.name,
        "sort": token.sort,
        "verdict": one.verdict,
        "kind": one.kind,
        "votes": [[str(vote.place) if vote.place else None, vote.engines] for vote in one.known.votes],
        "said": one.answer.said,
        "places": sorted(f"{path}:{line}" for path, line in one.answer.places),
        "message": one.answer.message,
    }


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {"draw": _draw, "check": _check, "score": _score}


if __name__ == "__main__":
    sys.exit(main())
