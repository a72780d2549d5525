"""The check of the installation: Python, the grammars, the tokenizer."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterator

from leadline_estimators import tokenizer
from leadline_server import __version__
from leadline_server.health.finding import Finding, bad, good
from leadline_tools.languages import LANGUAGES, outline
from leadline_tools.languages.language import Language

OLDEST = (3, 11)
"""The first version of Python that the server runs on; pyproject.toml says the same."""

_REINSTALL = "Reinstall leadline: uv tool install --reinstall leadline, or pipx reinstall leadline."


def check_installation() -> Iterator[Finding]:
    """Look at what was installed."""
    yield _check_python()
    yield _check_grammars()
    yield _check_tokenizer()


def _check_python() -> Finding:
    seen = f"leadline {__version__}, Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info >= OLDEST:
        return good("environment", seen)
    wanted = ".".join(map(str, OLDEST))
    return bad("environment", seen, f"Install Python {wanted} or newer, and leadline with it.")


def _check_grammars() -> Finding:
    failed = {language.grammar[0]: why for language in LANGUAGES.values() if (why := _grammar_fault(language))}
    if not failed:
        walked = "Python" if outline.__file__.endswith(".py") else "compiled code"
        return good("grammars", f"{len(LANGUAGES)} languages load and parse; {walked} walks the trees")
    named = "; ".join(f"{module}: {why}" for module, why in sorted(failed.items()))
    return bad("grammars", f"{len(failed)} do not load: {named}", _REINSTALL)


def _grammar_fault(language: Language) -> str:
    """Return why a grammar cannot be used; the empty string for one that can."""
    try:
        language.parser().parse(b"\n")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _check_tokenizer() -> Finding:
    try:
        digest = hashlib.sha256(tokenizer.RANKS.read_bytes()).hexdigest()
    except OSError as error:
        return bad("tokenizer", f"the ranks cannot be read: {error.strerror}", _REINSTALL)
    if digest != tokenizer.RANKS_SHA256:
        return bad("tokenizer", f"the ranks are not those of o200k_base: SHA-256 {digest[:12]}...", _REINSTALL)
    try:
        tokenizer.load()
    except ImportError as error:
        return bad("tokenizer", f"tiktoken cannot be loaded: {error}", _REINSTALL)
    return good("tokenizer", f"o200k_base, exact; SHA-256 {digest[:12]}...")
