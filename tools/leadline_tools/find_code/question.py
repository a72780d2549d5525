"""A *question* in words: those that say something, and the names that are spelled as code spells them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from leadline_tools.find_code.related import related
from leadline_tools.find_code.stems import parts, stem

_SAYS_NOTHING = frozenset(
    """a about all also an and any are as at be been before being between both but by can could did do does doing done
    each either for from get gets given goes had has have having how i if in inside into is it its itself just like
    made make makes may me more most my no not of off on one only onto or other our out over own per place places same
    shall should so some such than that the their them then there these they this those through to too under up upon
    use used uses using via want was way we were what when where whether which while who whom whose why will with
    within without work works would you your""".split()
)
"""Words that are in every question."""

_SAYS_LITTLE = frozenset(
    map(
        stem,
        """api apply behavior behaviour class code component core define defined definition different feature file
        function functionality handle handled handling helper implement implementation implemented internal library
        logic main manage managed management mechanism method module object perform process processing provide
        provided support supported system thing type utility various based custom specific multiple single general
        common full set across several""".split(),
    )
)
"""Stems of words that say little of what is asked for: any code could be described with them."""

_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*[!?]?")
_SEGMENT = re.compile(r"\.|::|#|->")
_CODE_LIKE = re.compile(r"[a-z\d][A-Z]|[A-Z]{2,}[a-z]|_|\.|::|#|->|[!?]$")
"""What words of prose do not have: a change of case, an underscore, a dot inside."""

_LITTLE = 0.4
"""What they count beside other words."""

_MOST_TERMS = 16
"""Words that count; a question with more is a text that was pasted."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word that is asked for: its stem, what it counts, and the stems of words that mean the same.

    Args:
        word: The word in lower case.
        stem: Its stem.
        weight: What it counts beside the others, from 0 to 1.
        same: Stems of abbreviations, and of what it abbreviates.

    """

    word: str
    stem: str
    weight: float
    same: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for.

    Args:
        text: As it was written.
        terms: The words that say something, in order, each once.
        pairs: The numbers of terms that stand next to each other.
        names: Names spelled as in code, the dotted ones as their segments.
        exact: True where the whole is one name, spelled as in code or not.

    """

    text: str
    terms: tuple[Term, ...]
    pairs: tuple[tuple[int, int], ...]
    names: tuple[tuple[str, ...], ...]
    exact: bool


def parse_question(text: str) -> Question:
    """Return what is asked for in a text."""
    numbers: dict[str, int] = {}
    terms: list[Term] = []
    pairs: list[tuple[int, int]] = []
    before = -1
    words = parts(text)
    telling = [word for word in words if word not in _SAYS_NOTHING and (len(word) > 1 or len(words) < 3)] or words
    for word in telling:
        stemmed = stem(word)
        number = numbers.get(stemmed, -1)
        if number < 0:
            if len(terms) == _MOST_TERMS:
                break
            number = numbers[stemmed] = len(terms)
            terms.append(_term(word, stemmed))
        if before >= 0 and before != number:
            pairs.append((before, number))
        before = number
    names = _names(text)
    whole = text.strip()
    exact = len(names) == 1 and _NAME.fullmatch(whole) is not None
    return Question(text, tuple(terms), tuple(dict.fromkeys(pairs)), names, exact)


def _term(word: str, stemmed: str) -> Term:
    return Term(word, stemmed, _LITTLE if stemmed in _SAYS_LITTLE else 1.0, related(stemmed))


def _names(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the names in a text that are spelled as in code; a text of one word is one."""
    found = _NAME.findall(text)
    if len(found) > 1 or (found and found[0] != text.strip()):
        found = [name for name in found if _CODE_LIKE.search(name) or (name[0].isupper() and not text.startswith(name))]
    return tuple(dict.fromkeys(tuple(filter(None, _SEGMENT.split(name.rstrip("!?")))) for name in found))
