r"""The formats of keys, as their issuers define them: how a key begins, and what follows.

A key is found as it stands in files, and not only as it was issued. Programs write texts with escapes, so that a key
may follow ``\n``, ``\u003d``, ``%3A`` or the end of a colour, whose last character is a letter, and its own dashes,
points and slashes may be written as ``%2D``, ``\u002d``, ``&#45;`` or ``\/``. Each format says what may come before:

* ``ANY``: its beginning is long enough that nothing else has it.
* ``WORD``: its beginning may be the end of a longer word (``task-``), which a letter or digit before it tells.
* ``CAPITAL``: the same, of beginnings in capitals, which end longer words in capitals only.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

_ESCAPE = (
    r"\\(?:[abefnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|U[0-9A-Fa-f]{8}|[0-7]{1,3})"
    r"|%(?:25)?[0-9A-Fa-f]{2}|=[0-9A-F]{2}|\[(?:[0-9;]{1,16}[A-Za-z]|m)"
)
"""One character as programs escape it: in strings, in addresses, in mail; the end of an order to a terminal."""


class Before(StrEnum):
    """What may stand before a key, as a pattern of RE2."""

    ANY = ""
    WORD = rf"(?:^|[^A-Za-z0-9]|{_ESCAPE})"
    CAPITAL = rf"(?:^|[^A-Z0-9]|{_ESCAPE})"
    LINE = rf"(?:^|[\n:\"']|{_ESCAPE})"


class KeyFormat(NamedTuple):
    """One format.

    Args:
        begins: What a key begins with and is known by, as a pattern of RE2; it stays in the text.
        follows: What comes after it, as a pattern of Python: it is masked. Where it has groups, they alone are.
        before: What may stand before it.
        run: A class of characters. Where what follows is missing, no key begins in the rest of a run of them.

    """

    begins: str
    follows: str
    before: Before = Before.ANY
    run: str = ""


_RANGES = re.compile("[A-Za-z0-9]-[A-Za-z0-9]")
"""The ranges in a class of characters; programs escape what is in none."""


def _forms(character: str) -> str:
    """Return a pattern of the escaped forms of a character."""
    code = f"{ord(character):02x}"
    digits = "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in code)
    slash = r"|\\/" if character == "/" else ""
    return rf"%(?:25)?{digits}|\\u00{digits}|\\x{digits}|&\#{ord(character)};{slash}"


def _literal(text: str) -> str:
    """Return a pattern of a text whose dashes, points and underscores may be escaped."""
    return "".join(rf"(?:\{one}|{_forms(one)})" if one in "-_." else one for one in text)


def _run(characters: str, least: int, most: int | None = None) -> str:
    """Return a pattern of so many characters, each of them escaped or not."""
    ranges, members = _RANGES.findall(characters), _RANGES.sub("", characters)
    plain = "".join((*ranges, *(rf"\{one}" for one in members)))
    forms = "".join(f"|{_forms(one)}" for one in members)
    return rf"(?:[{plain}]{forms}){{{least},{least if most is None else most}}}"


_POINT = _literal(".")
_WORDS = "A-Za-z0-9"
_URL = "A-Za-z0-9_-"
_BASE64 = "A-Za-z0-9+/"
_END = "(?![A-Za-z0-9_-])"
_NO_CAPITAL = "(?![A-Z0-9])"
_HEX = "0-9a-f"

_TO_VALUE = r"(?:[\s\"'\\:=>,()\[\]{}]|%[0-9A-Fa-f]{2}|\\[nrt]|</?[a-z]{1,12}>|&[a-z]{2,4};){1,24}"
"""What stands between the name of a value and the value: in code, configuration, markup and command lines."""

_NEAR = r"(?:[^A-Za-z0-9+/=]{1,24}[A-Za-z0-9+/=]{1,39}(?![A-Za-z0-9+/=])){0,5}?[^A-Za-z0-9+/=]{1,24}"
_MIXED = r"(?=[^a-z\s]{0,39}[a-z])(?=[^A-Z\s]{0,39}[A-Z])(?=[^0-9\s]{0,39}[0-9])"
_SECRET = rf"{_MIXED}{_run(_BASE64, 40)}{_END}"
"""A secret of Amazon, which has no beginning of its own: it stands near its id or its name and looks like no name."""

FORMATS = (
    # Amazon: an id, a secret that follows its id or name, and tokens
    KeyFormat("(?:AKIA|ASIA|ABIA|ACCA)", rf"([A-Z2-7]{{16}}){_NO_CAPITAL}(?:{_NEAR}({_SECRET}))?", Before.CAPITAL),
    KeyFormat(
        "(?i:secret[-_]?(?:access[-_]?)?key|aws[-_]?secret|s3a?\\.secret\\.key)(?i:_?id)?",
        rf"{_TO_VALUE}({_run(_BASE64, 40)}){_END}|{_NEAR}({_SECRET})",
    ),
    KeyFormat(r"(?i:session_?token|security_?token)", rf"{_TO_VALUE}({_run(_BASE64 + '=', 100, 2_000)})"),
    KeyFormat("ABSK", _run(_BASE64, 109, 300), Before.WORD),
    KeyFormat(_literal("amzn.mws."), _run(_HEX + "-", 36)),
    # GitHub, GitLab, Bitbucket, Atlassian
    KeyFormat(_literal("gh") + "[pousr]" + _literal("_"), _run(_WORDS, 36, 255)),
    KeyFormat(_literal("github_pat_"), _run("A-Za-z0-9_", 22, 255)),
    KeyFormat(
        "gl(?:pat|ptt|dt|rtr?|cbt|ft|soat|imt|agent|oas|ffct|wt)" + _literal("-"),
        _run(_URL + ".", 20, 300),
        Before.WORD,
    ),
    KeyFormat("GR1348941", _run(_URL, 20, 50)),
    KeyFormat("AT(?:ATT|CTT)3", _run(_URL + "=", 100, 300)),
    KeyFormat("ATBB", rf"{_run(_WORDS, 28, 40)}{_END}", Before.CAPITAL),
    # models and their hosts
    KeyFormat("sk" + _literal("-") + "(?:proj|svcacct|admin|ant|or)" + _literal("-"), _run(_URL, 20, 255), Before.WORD),
    KeyFormat("sk" + _literal("-"), rf"{_run(_WORDS, 32, 255)}{_END}", Before.WORD),
    KeyFormat("hf" + _literal("_"), _run(_WORDS, 34, 255), Before.WORD),
    KeyFormat(_literal("api_org_"), _run(_WORDS, 34, 255), Before.WORD),
    KeyFormat("gsk" + _literal("_"), _run(_WORDS, 48, 80), Before.WORD),
    KeyFormat("xai" + _literal("-"), _run(_WORDS, 70, 120), Before.WORD),
    KeyFormat("r8" + _literal("_"), rf"{_run(_WORDS, 37)}{_END}", Before.WORD),
    KeyFormat(_literal("pplx-"), _run(_WORDS, 40, 80), Before.WORD),
    KeyFormat(_literal("nvapi-"), _run(_URL, 60, 80), Before.WORD),
    KeyFormat(_literal("pcsk_"), _run("A-Za-z0-9_", 50, 90), Before.WORD),
    KeyFormat("lsv2" + _literal("_") + "(?:pt|sk)" + _literal("_"), _run("A-Za-z0-9_", 32, 60)),
    # Slack, Discord, Telegram, Microsoft Teams
    KeyFormat("xox[abeoprs]" + _literal("-"), _run("A-Za-z0-9-", 16, 255)),
    KeyFormat(_literal("xoxe.xox") + "[bp]" + _literal("-"), _run("A-Za-z0-9-", 16, 255)),
    KeyFormat(_literal("xapp-"), _run("A-Za-z0-9-", 18, 255), Before.WORD),
    KeyFormat(_literal("hooks.slack.com") + "/(?:services|workflows|triggers)/", _run(_BASE64, 40, 255)),
    KeyFormat(r"discord(?:app)?\.com/api/webhooks/", rf"[0-9]{{16,20}}/({_run(_URL, 60, 80)})"),
    KeyFormat("[0-9](?::|%3[Aa])AA", rf"{_run(_URL, 33)}{_END}"),
    KeyFormat(r"\.webhook\.office\.com/webhookb2/", "[0-9A-Za-z@/-]{100,300}"),
    # money
    KeyFormat("[sr]k" + _literal("_") + "(?:live|test|prod)" + _literal("_"), _run(_WORDS, 16, 255), Before.WORD),
    KeyFormat("whsec" + _literal("_"), _run(_BASE64, 32, 255), Before.WORD),
    KeyFormat("sq0(?:atp|csp)" + _literal("-"), _run(_URL, 22, 60)),
    KeyFormat("shp(?:at|ca|pa|ss)" + _literal("_"), "[0-9A-Fa-f]{32}"),
    KeyFormat("FLWSECK(?:_TEST)?" + _literal("-"), _run("A-Za-z0-9-", 12, 60)),
    KeyFormat("EZ[AT]K", rf"{_run(_WORDS, 54)}{_END}", Before.CAPITAL),
    KeyFormat(_literal("duffel_") + "(?:test|live)" + _literal("_"), _run(_URL + "=", 43)),
    KeyFormat(_literal("shippo_") + "(?:live|test)" + _literal("_"), "[0-9A-Fa-f]{40}"),
    # Google
    KeyFormat("AIza", _run(_URL, 35)),
    KeyFormat(_literal("GOCSPX-"), _run(_URL, 28)),
    KeyFormat(_literal("ya29."), _run(_URL + ".", 40, 1_024), Before.WORD),
    KeyFormat("1(?://|%2[Ff]%2[Ff])0", _run(_URL, 40, 512), Before.WORD),
    KeyFormat("AAAA[A-Za-z0-9_-]{7}:", _run(_URL, 140), Before.WORD),
    # JSON web tokens, and what is made like them
    KeyFormat("eyJrIjoi", _run(_BASE64 + "=", 70, 400)),
    KeyFormat(
        "eyJ",
        rf"(?>{_run(_URL, 8, 4_000)}){_POINT}eyJ(?>{_run(_URL, 8, 16_000)}){_POINT}{_run(_URL, 16, 4_000)}",
        run=f"[{_URL}]*",
    ),
    KeyFormat(_literal("ops_eyJ"), _run(_BASE64 + "=", 250, 2_000)),
    KeyFormat("sk" + _literal(".eyJ"), _run(_URL + ".", 40, 400), Before.WORD),
    KeyFormat("sntrys" + _literal("_") + "eyJ", _run(_BASE64 + "=_", 60, 600)),
    KeyFormat("sntryu" + _literal("_"), f"[{_HEX}]{{64}}"),
    # registries of packages
    KeyFormat("npm" + _literal("_"), rf"{_run(_WORDS, 36)}(?![A-Za-z0-9])", Before.WORD),
    KeyFormat("_(?:authToken|auth|password)(?:=|%3[Dd])", r"[A-Za-z0-9+/=_.%-]{16,}", Before.LINE),
    KeyFormat(_literal("pypi-") + "AgE[IN]", _run(_URL, 50, 1_000)),
    KeyFormat(_literal("rubygems_"), f"[{_HEX}]{{48}}"),
    KeyFormat("dckr" + _literal("_") + "[po]at" + _literal("_"), _run(_URL, 24, 60)),
    KeyFormat("AKCp", _run(_WORDS, 69), Before.CAPITAL),
    KeyFormat("cmVmd", rf"{_run(_WORDS, 59)}{_END}", Before.WORD),
    KeyFormat("CLOJARS_", _run(_WORDS, 60)),
    # clouds and what runs there
    KeyFormat("(?:AccountKey|SharedAccessKey)(?:=|%3[Dd])", _run(_BASE64 + "=", 43, 90)),
    KeyFormat("[0-9]Q~", _run(_WORDS + "_~.-", 31, 34)),
    KeyFormat("do[opr]" + _literal("_") + "v1" + _literal("_"), f"[{_HEX}]{{64}}"),
    KeyFormat("LTAI", rf"{_run(_WORDS, 20)}{_END}", Before.CAPITAL),
    KeyFormat("dapi", rf"[{_HEX}]{{32}}{_END}", Before.WORD),
    KeyFormat("HRKU-AA", _run(_URL, 58)),
    KeyFormat("hv[sbr]" + _literal("."), _run(_URL, 24, 300), Before.WORD),
    KeyFormat(r"\.atlasv1\.", _run(_URL + "=", 60, 70)),
    KeyFormat("sha256~", _run(_URL, 43)),
    KeyFormat("(?:fo1|fm1[ar]|fm2)_", _run(_BASE64 + "=_-", 43, 1_000), Before.WORD),
    KeyFormat(r"v1\.0-[0-9a-f]{24}-", f"[{_HEX}]{{146}}"),
    KeyFormat(r"dp\.(?:pt|st|ct|sa|scim|audit)\.", _run(_WORDS + "_.-", 40, 80), Before.WORD),
    KeyFormat(r"dt0[a-z][0-9]{2}\.", _run("A-Z0-9", 24) + r"\." + _run("A-Z0-9", 64)),
    KeyFormat("pul-", rf"[{_HEX}]{{40}}{_END}", Before.WORD),
    KeyFormat("pscale_(?:tkn|oauth|pw)_", _run(_URL + ".=", 32, 64)),
    KeyFormat("tskey" + _literal("-"), _run("A-Za-z0-9-", 20, 120), Before.WORD),
    KeyFormat("sbp_", rf"[{_HEX}]{{40}}{_END}", Before.WORD),
    KeyFormat("nfp_", _run(_WORDS, 36, 60), Before.WORD),
    # services
    KeyFormat("SG" + _literal("."), rf"{_run(_URL, 22)}{_POINT}{_run(_URL, 43)}", Before.WORD),
    KeyFormat("xkeysib" + _literal("-"), rf"[{_HEX}]{{64}}-[A-Za-z0-9]{{16}}"),
    KeyFormat("key-", rf"[{_HEX}]{{32}}{_END}", Before.WORD),
    KeyFormat("SK", rf"[{_HEX}]{{32}}{_END}", Before.WORD),
    KeyFormat("gl(?:c|sa)" + _literal("_"), _run(_BASE64 + "=_", 32, 400), Before.WORD),
    KeyFormat("NRAK-", "[A-Z0-9]{27}"),
    KeyFormat("PMAK-", rf"[{_HEX}]{{24}}-[{_HEX}]{{34}}"),
    KeyFormat("lin_api_", _run(_WORDS, 40)),
    KeyFormat("ntn_", _run(_WORDS, 46), Before.WORD),
    KeyFormat("pat[A-Za-z0-9]{14}" + _literal("."), f"[{_HEX}]{{64}}", Before.WORD),
    KeyFormat("figd_", _run(_URL, 40, 60), Before.WORD),
    KeyFormat("CFPAT-", _run(_URL, 43)),
    KeyFormat("EAA[MC]", _run(_WORDS, 100, 400), Before.WORD),
    KeyFormat("API-", rf"[A-Z0-9]{{26}}{_END}", Before.WORD),
    KeyFormat("p8e-", _run(_WORDS, 32), Before.WORD),
    KeyFormat("rdme_", "[a-z0-9]{70}", Before.WORD),
    KeyFormat("pnu_", rf"{_run(_WORDS, 36)}{_END}", Before.WORD),
    KeyFormat("sgp_(?:[0-9A-Fa-f]{16}_|local_)?", rf"[{_HEX}]{{40}}{_END}", Before.WORD),
    KeyFormat("A3-[A-Z0-9]{6}-", "[A-Z0-9]{5,11}(?:-[A-Z0-9]{5,6}){3,4}", Before.WORD),
    KeyFormat("AGE-SECRET-KEY-1", "[0-9A-Z]{58}"),
)
