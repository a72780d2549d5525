"""What of a tree is secret: files that are not read, and keys that are masked where other files hold them.

The policy, which SECURITY.md repeats for users:

* A file whose name says that it holds secrets (``SECRET_FILES``) is listed, but neither read nor searched.
* A key in any other file, in one of the formats that their issuers define (``_FORMATS``), is masked as the file is
  read: what begins a format stays, the rest becomes ``MASK`` and asterisks. A masked text has as many characters and
  bytes as before, so that every line and column is that of the file, and no search can tell what was there.
* Files that the user has named with ``--allow-secrets`` are read as they are.

Only formats are known that nothing else looks like; a password in plain words is not recognised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import re2

from leadline_tools.index.text.gitignore import compile_glob

SECRET_FILES = (
    *(".env", ".env.*", "*.env", ".envrc", "!.env.example", "!.env.sample", "!.env.template", "!.env.dist"),
    *("id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"),
    *("*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.ppk", "*.jks", "*.keystore", "*.kdb", "*.kdbx"),
    *(".netrc", "_netrc", ".git-credentials", ".pgpass", ".pypirc", ".htpasswd", ".dockercfg", ".vault-token"),
    *("credentials", "credentials.json", "client_secret*.json", "terraform.tfstate", "terraform.tfstate.backup"),
    *("**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.kube/config", "**/.docker/config.json", "**/.git/config"),
)
"""Names of secret files as globs of .gitignore, whatever their case; ``!`` excepts some from those before it."""

MASK = "<key masked>"
"""What a masked key says in the text; the shortest key that is masked is longer."""

_FORMATS = (
    # What stays, and what is masked.
    (r"\b(?:AKIA|ASIA)", r"[A-Z2-7]{16}\b"),
    (r"(?i:aws_?secret_?access_?key)[\"']?[ \t]*[:=][ \t]*[\"']?", r"[A-Za-z0-9/+]{40}\b"),
    (r"\bgh[pousr]_", r"[A-Za-z0-9]{36,255}"),
    (r"\bgithub_pat_", r"[A-Za-z0-9_]{22,255}"),
    (r"\bglpat-", r"[A-Za-z0-9_-]{20,255}"),
    (r"\bsk-(?:proj|svcacct|admin|ant|or)-", r"[A-Za-z0-9_-]{20,255}"),
    (r"\bsk-", r"[A-Za-z0-9]{32,255}\b"),
    (r"\bxox[abeoprs]-", r"[A-Za-z0-9-]{16,255}"),
    (r"\bxapp-", r"[0-9]-[A-Za-z0-9-]{16,255}"),
    (r"\bhooks\.slack\.com/services/", r"T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{16,255}"),
    (r"\b[sr]k_(?:live|test)_", r"[A-Za-z0-9]{16,255}"),
    (r"\bwhsec_", r"[A-Za-z0-9]{32,255}"),
    (r"\bAIza", r"[A-Za-z0-9_-]{35}"),
    (r"\bGOCSPX-", r"[A-Za-z0-9_-]{28}"),
    (r"\bya29\.", r"[A-Za-z0-9_-]{40,512}"),
    (r"\beyJ", r"[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}"),
    (r"\bnpm_", r"[A-Za-z0-9]{36}\b"),
    (r"(?m:^|:)_(?:authToken|auth|password)=", r"[A-Za-z0-9+/=_.-]{16,}"),
    (r"\bpypi-AgEI", r"[A-Za-z0-9_-]{50,}"),
    (r"\bhf_", r"[A-Za-z0-9]{34,255}"),
    (r"\bSG\.", r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    (r"\bdop_v1_", r"[0-9a-f]{64}"),
    (r"\bAccountKey=", r"[A-Za-z0-9+/]{80,90}={0,2}"),
    (r"\bAGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
)
"""The formats of keys: Amazon, GitHub, GitLab, OpenAI and Anthropic, Slack, Stripe, Google, JSON web tokens, npm, PyPI,
Hugging Face, SendGrid, DigitalOcean, Azure, age."""

_BEGINS = (
    r"PRIVATE KEY|A[KS]IA|(?i:secret_?access_?key)|\bgh[pousr]_|github_pat_|glpat-|\bsk-|\bxox[abeoprs]-|xapp-"
    r"|hooks\.slack|[sr]k_(?:live|test)_|whsec_|AIza|GOCSPX-|\bya29\.|\beyJ|\bnpm_|_(?:authToken|auth|password)="
    r"|pypi-AgEI|\bhf_|\bSG\.|dop_v1_|AccountKey=|AGE-SECRET-KEY-1"
)
"""What is in every text that holds a key: looked for first, since hardly any text has it."""

_BETWEEN = r"(?:\\[nrt]|[\s\"'\\+/,;*#>|()])*"
"""What may stand between the lines of a private key: ends of lines and strings, marks of comments."""

_PRIVATE = (
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    rf"{_BETWEEN}(?:[A-Za-z][A-Za-z-]*: [^\n]*{_BETWEEN}){{0,8}}"
    rf"([A-Za-z0-9+/=]{{32,}}(?:{_BETWEEN}[A-Za-z0-9+/=]{{32,}})*"
    rf"(?:(?:{_BETWEEN}[A-Za-z0-9+/=]{{1,31}}){{1,2}}{_BETWEEN}-----END)?)"
)
"""A private key: its first line, headers, a body of lines in base 64, of which the last ones may be short."""

_LINE = re.compile(rb"(?<!\\)[A-Za-z0-9+/=]{3,}")
_END = b"-----END"


class _Span(NamedTuple):
    """What is masked: byte offsets."""

    start: int
    end: int


@cache
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # bytes: nothing outside of ASCII is meant
    options.log_errors = False
    return re2.compile(pattern.encode(), options)


RULES = "\0".join((*SECRET_FILES, MASK, *map("".join, _FORMATS), _PRIVATE)).encode()
"""All that is said here: an index depends on it."""

_MAYBE = _compiled(_BEGINS).search
_KEYS = "|".join(f"({kept}){masked}" for kept, masked in _FORMATS)
"""What finds keys; compiled, as that for private ones, for the first text that may have some."""


def masked(text: bytes) -> bytes:
    """Return a text in UTF-8 with its keys masked: as many bytes, characters and lines as before."""
    if _MAYBE(text) is None:
        return text
    hidden = bytearray(text)
    for start, end in (*_keys(text), *_private_keys(text)):
        mask = MASK.encode()[: end - start]
        hidden[start:end] = mask + b"*" * (end - start - len(mask))
    return bytes(hidden) if hidden != text else text


def _keys(text: bytes) -> Iterator[_Span]:
    for match in _compiled(_KEYS).finditer(text):
        yield _Span(match.end(match.lastindex), match.end())


def _private_keys(text: bytes) -> Iterator[_Span]:
    """Yield the lines of private keys; what a language has between them stays, so that the text still parses."""
    for match in _compiled(_PRIVATE).finditer(text):
        start, end = match.span(1)
        if text.endswith(_END, start, end):
            end -= len(_END)
        yield from (_Span(*part.span()) for part in _LINE.finditer(text, start, end))


@dataclass(frozen=True, slots=True)
class Policy:
    """Which files are secret; ``allowed`` are globs of .gitignore for files that are read as they are."""

    allowed: tuple[str, ...] = ()

    def is_secret(self, path: str) -> bool:
        """Tell whether a file is neither read nor searched; ``path`` is that of the file itself, not of a link."""
        return _names_secrets(path.lower()) and not self.shows(path)

    def shows(self, path: str) -> bool:
        """Tell whether a file is read as it is."""
        return any(_matcher(glob)(path) for glob in self.allowed)

    @property
    def name(self) -> str:
        """Return what tells this policy from others, empty for the usual one."""
        return "\n".join(sorted(self.allowed))


def _names_secrets(path: str) -> bool:
    return _MAYBE_SECRET(path) is not None and _listed(path)


def _listed(path: str) -> bool:
    listed = False
    for glob in SECRET_FILES:
        if listed == glob.startswith("!") and _matcher(glob.removeprefix("!"))(path):
            listed = not listed
    return listed


_matchers: dict[str, Callable[[str], bool]] = {}


def _matcher(glob: str) -> Callable[[str], bool]:
    """Return what tells whether a path matches a glob; raises ValueError for one that makes no sense."""
    known = _matchers.get(glob)
    if known is None:
        known = _matchers[glob] = compile_glob(glob)
    return known


_MAYBE_SECRET = re.compile(
    r"env|id_|\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx?)$|netrc$|credential|pgpass|pypirc|htpasswd|dockercfg"
    r"|vault|client_secret|tfstate|\.ssh/|\.gnupg/|\.aws/|\.kube/|\.docker/|\.git/"
).search
"""What all paths of secret files have, and few others."""
