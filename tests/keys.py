"""Keys made up at run time, and what keys stand in: so that no text here looks like one."""

from __future__ import annotations

import textwrap
from base64 import b64encode
from random import Random

_RANDOM = Random(11)
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def some(characters: str, number: int) -> str:
    return "".join(_RANDOM.choice(characters) for _ in range(number))


KEYS = {
    "amazon": "AKIA" + some(_UPPER, 16),
    "github": "ghp_" + some(_LETTERS, 36),
    "github fine grained": "github_pat_" + some(_LETTERS, 22) + "_" + some(_LETTERS, 59),
    "gitlab": "glpat-" + some(_LETTERS, 20),
    "openai": "sk-proj-" + some(_LETTERS, 48),
    "anthropic": "sk-ant-" + "api03-" + some(_LETTERS, 93),
    "slack": "xoxb-" + f"123456789012-{some(_LETTERS, 24)}",
    "stripe": "sk_live_" + some(_LETTERS, 24),
    "google": "AIza" + some(_LETTERS, 35),
    "npm": "npm_" + some(_LETTERS, 36),
    "pypi": "pypi-AgEI" + some(_LETTERS, 80),
    "hugging face": "hf_" + some(_LETTERS, 34),
    "json web token": "eyJ" + f"hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.{some(_LETTERS, 43)}",
}
"""A key of each issuer."""

BEGINNINGS = {
    "amazon": "AKIA",
    "github": "ghp_",
    "github fine grained": "github_pat_",
    "gitlab": "glpat-",
    "openai": "sk-proj-",
    "anthropic": "sk-ant-",
    "slack": "xoxb-",
    "stripe": "sk_live_",
    "google": "AIza",
    "npm": "npm_",
    "pypi": "pypi-AgEI",
    "hugging face": "hf_",
    "json web token": "eyJ",
}
"""What all keys of an issuer begin with: it is shown."""

SECRET = some(_LETTERS + "+/", 37) + "aB3"
"""A secret of Amazon, which is known by what is near it."""

CONTEXTS = (
    *(
        "{}",
        '"{}"',
        "'{}'",
        "`{}`",
        "<k>{}</k>",
        "[{}]",
        "f({})",
        "${{{}}}",
        "|{}|",
        "~{}~",
        "#{}",
        "@{}",
        "é{}é",
        "/{}/",
    ),
    *("TOKEN_{}", "export X={}", "k:{}", "a.{}.", "--{}", "// {}", "https://u:{}@example.org/x", "\ufeff{}"),
    *(
        "x\\n{}\\n",
        "x\\t{}\\t",
        "x\\r{}",
        "x\\\\n{}\\\\n",
        "\\u003d{}\\u0026",
        "\\x3d{}\\x26",
        "\\075{}\\012",
        "\\u{{3d}}{}",
    ),
    *(
        "https%3A%2F%2Fx%3A{}%40example.org",
        "Bearer%20{}",
        "a%253A{}%2540",
        "a=3D{}=0A",
        "a&#61;{}&amp;",
        "&quot;{}&quot;",
    ),
    *("\x1b[32m{}\x1b[0m", "\\e[1;32m{}\\e[0m", "\\033[32m{}\\033[0m", "\\u001b[32m{}\\u001b[0m"),
)
"""What keys stand in, as programs write them."""

BODY = textwrap.wrap(b64encode(_RANDOM.randbytes(1_190)).decode(), 64)
PEM = ["-----BEGIN RSA PRIVATE" + " KEY-----", *BODY, "-----END RSA PRIVATE" + " KEY-----"]


def lines(form: str, end: str = "\n") -> str:
    """Return a private key with each of its lines in a form."""
    return end.join(form.format(line) for line in PEM)


PRIVATE = {
    "plain": lines("{}"),
    "a log with times": lines("2026-01-01T00:00:00Z {}"),
    "a log of the system": lines("Nov 26 23:45:01 host app[123]: {}"),
    "numbered lines": "\n".join(f"{number:6}  {line}" for number, line in enumerate(PEM)),
    "HTML": lines("{}<br>"),
    "entities": lines("{}", "&#10;"),
    "entities in hexadecimal": lines("{}", "&#xA;"),
    "an address": lines("{}", "%0A"),
    "mail": lines("{}", "=0A"),
    "JSON": lines("{}", "\\n"),
    "JSON in JSON": lines("{}", "\\\\n"),
    "escapes of Unicode": lines("{}", "\\u000a"),
    "escapes in hexadecimal": lines("{}", "\\x0a"),
    "escaped slashes": lines("{}").replace("/", "\\/"),
    "comments of SQL": lines("-- {}"),
    "comments of batch files": lines("REM {}"),
    "comments of TeX": lines("% {}"),
    "comments of HTML": lines("<!-- {} -->"),
    "Java": lines('  .append("{}\\n")'),
    "PHP": lines("  '{}' ."),
    "Visual Basic": lines('"{}" & vbCrLf & _'),
    "Lua": lines('"{}\\n" ..'),
    "Go": lines('"{}\\n" +'),
    "C++": lines('"{}\\n"'),
    "colours": lines("\x1b[32m{}\x1b[0m"),
    "a difference": lines("+{}"),
    "one line": "".join(PEM),
    "blanks": lines("{}", " "),
    "lines of 31": "\n".join([PEM[0], *textwrap.wrap("".join(BODY), 31), PEM[-1]]),
    "lines of 20": "\n".join([PEM[0], *textwrap.wrap("".join(BODY), 20), PEM[-1]]),
    "without an end": "\n".join(PEM[:-1]),
    "PuTTY": "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 14\n" + "\n".join(BODY) + "\nPrivate-MAC: abc",
    "SSH2": lines("{}").replace("-----", "----").replace("RSA PRIVATE", "SSH2 ENCRYPTED PRIVATE"),
    "small letters": lines("{}").replace(PEM[0], PEM[0].lower()).replace(PEM[-1], PEM[-1].lower()),
}
"""A private key in what it stands in."""

SECRETS = (
    *("aws_secret_access_key = {}", '"SecretAccessKey": "{}"', "secretAccessKey: '{}'", ":secret_access_key => '{}'"),
    *(
        f'Session("{KEYS["amazon"]}", "{{}}")',
        "<name>fs.s3a.secret.key</name>\n  <value>{}</value>",
        'secret_key = "{}"',
    ),
    *('{{\\"SecretAccessKey\\": \\"{}\\"}}', "aws configure set aws_secret_access_key {}", 'awsSecretKey := "{}"'),
    *("secretAccessKey: string = '{}'", "ENV AWS_SECRET_ACCESS_KEY {}", "<SecretAccessKey>{}</SecretAccessKey>"),
    *("AWS_SECRET_ACCESS_KEY%3D{}", "secretAccessKey = process.env.X || '{}'", "--aws-secret-key {}"),
    f"'key' => '{KEYS['amazon']}', 'secret' => '{{}}'",
)
"""What a secret of Amazon stands in."""


def shown(key: str, text: str) -> bool:
    """Return whether a text shows more of a key than its beginning: eight characters in a row from its second half."""
    second_half = key[len(key) // 2 :]
    return any(second_half[start : start + 8] in text for start in range(len(second_half) - 7))


def shows_secret_part(issuer: str, text: str) -> bool:
    """Return whether a text shows anything of the key of an issuer beyond what all its keys begin with."""
    key = KEYS[issuer]
    return shown(key, text) or key[: len(BEGINNINGS[issuer]) + 1] in text
