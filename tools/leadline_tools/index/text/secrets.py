"""Which files of a tree are secret: they are not read. Keys in other files are masked, see ``keys``.

The policy, which SECURITY.md repeats for users:

* A file whose name says that it holds secrets (``SECRET_FILES``) is listed, but neither read nor searched.
* A key in any other file, in one of the formats that their issuers define (``key_formats``), is masked as the file is
  read, and again in whatever else is sent: messages of programs, names of files.
* Files that the user has named with ``--allow-secrets`` are read as they are.

Only formats are known that nothing else looks like; a password in plain words is not recognised.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

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

RULES = "\0".join(SECRET_FILES).encode()
"""All that is said here: an index depends on it."""


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
