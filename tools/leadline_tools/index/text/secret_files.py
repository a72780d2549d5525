"""Secret files of a tree, which are not read. Keys in other files are masked, see ``key_masking``.

The policy, which SECURITY.md repeats for users:

* A file whose name says that it holds secrets (``SECRET_FILES``) is listed, but neither read nor searched.
* A key in any other file, in one of the formats that their issuers define (``key_formats``), is masked as the file is
  read, and again in whatever else is sent: messages of programs, names of files.
* Files that the user has named with ``--allow-secrets`` are read as they are.

Only formats are known that nothing else looks like; a password in plain words is not recognised.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import re2

from leadline_tools.index.text.gitignore import compile_glob
from leadline_tools.lazy_regex import lazy_compile

SECRET_FILES = (
    *(".env", ".env.*", ".env_*", ".env-*", "*.env", ".envrc"),
    *("id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "secring.gpg"),
    *("*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.ppk", "*.jks", "*.keystore", "*.kdb", "*.kdbx", "*.ovpn"),
    *(".netrc", "_netrc", ".git-credentials", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd"),
    *(".npmrc", ".pypirc", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".composer/auth.json"),
    *(
        ".vault-token",
        ".vault_pass*",
        ".vault-password*",
        ".dockercfg",
        ".dockerconfigjson",
        "rclone.conf",
        ".s3cfg",
        ".boto",
    ),
    *("credentials", "credentials.json", "client_secret*.json", "service-account*.json", "service_account*.json"),
    *("application_default_credentials.json", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml"),
    *("*.tfstate", "*.tfstate.*", "terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json"),
    *(".terraformrc", "terraform.rc", "credentials.tfrc.json", "kubeconfig", "*.kubeconfig", "gh/hosts.yml"),
    *(".ssh/**", ".gnupg/**", ".aws/**", ".azure/**", ".kube/**", ".docker/config.json", ".config/gcloud/**"),
    *(".password-store/**", ".git/**/config", ".git/**/config.*", ".git/**/fetch_head", ".git/**/logs/**"),
    *(".git/**/credentials",),
)
"""Names of secret files as globs of .gitignore, whatever their case; ``.ssh/**`` is in any folder."""

EXAMPLES = frozenset({".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults"})
"""Names of files that show what a secret one holds. This is no exception for what is in a folder of that name."""

_COPY = lazy_compile(
    r"[\s~#]$|^#|^\.#|^\.(?=.+\.sw[a-p]$)|[._-](?:bak|backup|old|orig|save|saved|copy|tmp|temp|sw[a-p]|rej|dist|prev|[0-9]{1,8})$"
    r"| (?:copy|\([0-9]{1,3}\))$"
)
"""What editors and people add to the name of a file when they copy it."""

_MOST_COPIED = 4


@dataclass(frozen=True, slots=True)
class SecretPolicy:
    """Which files are secret; ``allowed`` are globs of .gitignore for files that are read as they are."""

    allowed: tuple[str, ...] = ()

    def is_secret(self, path: str) -> bool:
        """Return whether a file is neither read nor searched; ``path`` is that of the file itself, not of a link."""
        return _names_secrets(path.lower()) and not self.shows(path)

    def secret_paths(self, paths: Sequence[str]) -> frozenset[str]:
        """Return those of some paths that are secret: all of them are searched as one text, which takes an eighth."""
        lowered = list(map(_lowered, paths))
        starts = list(accumulate((len(one) + 1 for one in lowered), initial=0))
        found = _MAYBE_SECRET.finditer(b"\n".join(lowered))
        return frozenset(filter(self.is_secret, (paths[bisect_right(starts, one.start()) - 1] for one in found)))

    def hides(self, path: str, text: bytes) -> bool:
        """Return whether a file is neither read nor searched because of what it holds."""
        return holds_credentials(text) and not self.shows(path)

    def shows(self, path: str) -> bool:
        """Return whether a file is read as it is."""
        return any(_matcher(glob)(path) for glob in self.allowed)

    @property
    def name(self) -> str:
        """Return what tells this policy from others, empty for the usual one."""
        return "\n".join(sorted(self.allowed))


def _lowered(path: str) -> bytes:
    return path.lower().encode("utf-8", "surrogatepass")


def _names_secrets(path: str) -> bool:
    """Return whether a path is that of a secret file or of a copy of one."""
    if _MAYBE_SECRET.search(_lowered(path)) is None:
        return False
    folder, slash, name = path.rpartition("/")
    if name in EXAMPLES:
        return bool(slash) and _is_listed(f"{folder}/x")
    return any(_is_listed(f"{folder}{slash}{one}") for one in _originals(name))


def _originals(name: str) -> Iterator[str]:
    """Yield a name, and those of the files that it may be a copy of."""
    for _ in range(_MOST_COPIED):
        yield name
        name, copied = _COPY.subn("", name)
        if not copied or not name:
            return


def _is_listed(path: str) -> bool:
    return any(_matcher(glob)(path) for glob in _GLOBS)


_GLOBS = tuple(f"**/{glob}" if "/" in glob else glob for glob in SECRET_FILES)

_matchers: dict[str, Callable[[str], bool]] = {}


def _matcher(glob: str) -> Callable[[str], bool]:
    """Return what tells whether a path matches a glob; raises ValueError for one that makes no sense."""
    known = _matchers.get(glob)
    if known is None:
        known = _matchers[glob] = compile_glob(glob)
    return known


_MAYBE_SECRET = re2.compile(
    rb"env|id_|\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx?|ovpn)|netrc|credential|pgpass|\.my|npmrc|pypirc|htpasswd"
    rb"|docker|vault|client_secret|service.account|secr|tfstate|tfvars|terraform|kube|rclone|s3cfg|\.boto|/hosts\.yml"
    rb"|settings\.xml|auth\.json|\.ssh/|\.gnupg/|\.aws/|\.azure/|gcloud/|\.password-store/|\.git/"
)
"""What all paths of secret files have, and few others. A match holds no end of a line."""

_HOLDS = (
    (b"kind: Config", re.compile(rb"\s*(?:#.*\s+)*apiVersion: v1\b(?s:.)*(?:key-data|token|password): \S{8}")),
    (b'"terraform_version"', re.compile(rb'\s*\{(?s:.)*"lineage"')),
    (b'"service_account"', re.compile(rb'\s*\{(?s:.)*"private_key')),
    (b'"authorized_user"', re.compile(rb'\s*\{(?s:.)*"refresh_token"')),
    (b'"auths"', re.compile(rb'\s*\{(?s:.)*"(?:auth|identitytoken)"')),
)
"""What a file of credentials holds, whatever its name, and how it begins: of kubectl, Terraform, Google and Docker."""

_MAY_HOLD = lazy_compile(rb"\s*(?:\{|#|apiVersion: v1)")
"""How all of them begin, and few other files."""

BEGINNING = 16 * 1024
"""Bytes of a file that are looked at for what it holds."""


def may_hold_credentials(text: bytes | bytearray) -> bool:
    """Return whether a file that begins so may be one of credentials; False for nearly all others."""
    return _MAY_HOLD.match(text) is not None


def holds_credentials(text: bytes) -> bool:
    """Return whether the beginning of a file is that of a file of credentials."""
    if not may_hold_credentials(text):
        return False
    first = text[:BEGINNING]
    return any(mark in first and pattern.match(first) is not None for mark, pattern in _HOLDS)


RULES = "\0".join(
    (*SECRET_FILES, *sorted(EXAMPLES), _COPY.pattern, *(pattern.pattern.decode() for _, pattern in _HOLDS))
).encode()
"""All that is said here: an index depends on it."""
