"""Who is asked where identifiers are defined, by tree, and how their answers are put together.

Engines are installed as the modules of ``truth`` say. Each is asked about every identifier that it can see.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from defining.record import Known, Vote
from defining.tokens import Token
from truth import c, csharp, go, java, php, python, ruby, rust_links, scala, typescript
from truth.corpus import Corpus
from truth.record import Place


class DefinitionEngine(Protocol):
    """A compiler or type checker that says where what stands at a place is defined."""

    @property
    def version(self) -> str:
        """Return its name and version."""
        ...

    def sees(self, path: str) -> bool:
        """Return whether it looks into a file."""
        ...

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return every definition, None for what is outside of the tree; nothing where the engine knows none."""
        ...

    def close(self) -> None:
        """End it."""
        ...


Engines = Callable[[Corpus, str, Path, Path], Sequence[DefinitionEngine]]


class Checked(Protocol):
    """Knows of places at which a name can be defined."""

    def confirmed(self, place: Place, name: str, places: frozenset[Place | None]) -> frozenset[Place | None]:
        """Return those of the places at which a name can be defined that stands at ``place``."""
        ...


Check = Callable[[Corpus, Path], Checked]


@dataclass(frozen=True, slots=True)
class Tree:
    """A source tree.

    Args:
        version: Its name and version.
        languages: Its languages, of which the first names its family.
        engines: Who is asked about it.
        fresh: Whether no rule was ever changed with it at hand: then nobody looks at its identifiers one by one.
        check: What holds the answers of the only engine of a language against a parser of that language.

    """

    version: str
    languages: Sequence[str]
    engines: Engines
    fresh: bool = False
    check: Check | None = None


TREES: Mapping[str, Tree] = {
    "django": Tree("Django 5.2, source distribution", ("python",), python.servers),
    "httpx": Tree("HTTPX 0.28.1, source distribution", ("python",), python.servers),
    "rich": Tree("Rich 15.0.0, source distribution", ("python",), python.servers),
    "flask": Tree("Flask 3.1.3, source distribution", ("python",), python.servers),
    "sqlalchemy": Tree("SQLAlchemy 2.1.9, source distribution", ("python",), python.servers),
    "rxjs": Tree("RxJS 7.8.1, src", ("typescript", "tsx"), typescript.defining),
    "core": Tree("Vue, vuejs/core e2bede961", ("typescript", "tsx"), typescript.defining),
    "zod": Tree("Zod, colinhacks/zod", ("typescript", "tsx"), typescript.defining),
    "express": Tree("Express, expressjs/express a3714473", ("javascript",), typescript.defining),
    "go": Tree("Go 1.19.8, src", ("go",), go.defining),
    "cobra": Tree("Cobra, spf13/cobra adbc881", ("go",), go.defining),
    "gin": Tree("Gin, gin-gonic/gin dcaa4296", ("go",), go.defining),
    "prometheus": Tree("Prometheus, prometheus/prometheus d15adb9ad7", ("go",), go.defining),
    "libuv": Tree("libuv of uvloop 0.21.0", ("c",), c.defining),
    "redis": Tree("Redis, redis/redis 4f8cdc2a1", ("c",), c.defining),
    "linux-parts": Tree("Linux 6.1: include, init, kernel, lib, mm, arch/x86", ("c",), c.defining),
    "leveldb": Tree("LevelDB, google/leveldb 78a352f", ("cpp",), c.defining),
    "jq": Tree("jq, jqlang/jq 579e6f76", ("c",), c.defining),
    "git": Tree("Git, git/git 1a3e64c6c4", ("c",), c.defining),
    "fmt": Tree("{fmt}, fmtlib/fmt 60ccad51", ("cpp",), c.defining),
    "spdlog": Tree("spdlog, gabime/spdlog 62302019", ("cpp",), c.defining),
    "googletest": Tree("GoogleTest, google/googletest 72606823", ("cpp",), c.defining),
    "zlib": Tree("zlib, madler/zlib d201f04", ("c",), c.defining),
    "tmux": Tree("tmux, tmux/tmux c1f947a3c", ("c",), c.defining),
    "cjson": Tree("cJSON, DaveGamble/cJSON a29814f", ("c",), c.defining),
    "lua": Tree("Lua, lua/lua 53b41d0c", ("c",), c.defining, fresh=True),
    "yaml-cpp": Tree("yaml-cpp, jbeder/yaml-cpp c3f8112", ("cpp",), c.defining),
    "cli11": Tree("CLI11, CLIUtils/CLI11 c1cfe00d", ("cpp",), c.defining, fresh=True),
    "tinyxml2": Tree("TinyXML-2, leethomason/tinyxml2 3dcad8e", ("cpp",), c.defining),
    "re2": Tree("RE2, google/re2 972a15ce", ("cpp",), c.defining),
    "curl": Tree("curl, curl/curl 5c61e168", ("c",), c.defining),
    "libpng": Tree("libpng, pnggroup/libpng d1d0abef", ("c",), c.defining),
    "wren": Tree("Wren, wren-lang/wren 77aeb12a", ("c",), c.defining),
    "lz4": Tree("LZ4, lz4/lz4 d9c01a3d", ("c",), c.defining),
    "quickjs": Tree("QuickJS, bellard/quickjs d73189d", ("c",), c.defining),
    "zstd": Tree("Zstandard, facebook/zstd 2dddf0905, lib, programs, examples", ("c",), c.defining),
    "snappy": Tree("Snappy, google/snappy 6281a07", ("cpp",), c.defining),
    "oniguruma": Tree("Oniguruma, kkos/oniguruma f95747b", ("c",), c.defining),
    "benchmark": Tree("Benchmark, google/benchmark 267a1115", ("cpp",), c.defining),
    "janet": Tree("Janet, janet-lang/janet 284990a0", ("c",), c.defining),
    "libevent": Tree("libevent, libevent/libevent 0c3e47ad", ("c",), c.defining),
    "cxxopts": Tree("cxxopts, jarro2783/cxxopts a3a21b31", ("cpp",), c.defining, fresh=True),
    "expat": Tree("Expat, libexpat/libexpat 11856978, expat", ("c",), c.defining, fresh=True),
    "mruby": Tree("mruby, mruby/mruby 06ed794a", ("c",), c.defining, fresh=True),
    "libyaml": Tree("LibYAML, yaml/libyaml 840b65c", ("c",), c.defining, fresh=True),
    "catch2": Tree("Catch2, catchorg/Catch2 a6ee7e20", ("cpp",), c.defining),
    "simdjson": Tree("simdjson, simdjson/simdjson f807de97", ("cpp",), c.defining),
    "pugixml": Tree("pugixml, zeux/pugixml 3a8e1dc", ("cpp",), c.defining),
    "abseil": Tree("Abseil, abseil/abseil-cpp 926f1d05", ("cpp",), c.defining),
    "ninja": Tree("Ninja, ninja-build/ninja fc6bb98e", ("cpp",), c.defining),
    "jsoncpp": Tree("JsonCpp, open-source-parsers/jsoncpp edc01ab", ("cpp",), c.defining, fresh=True),
    "json": Tree("JSON for Modern C++, nlohmann/json 199dea11b", ("cpp",), c.defining),
    "java.base": Tree("OpenJDK 17, java.base", ("java",), java.defining),
    "gson": Tree("Gson, google/gson 9835b6f90", ("java",), java.defining),
    "commons-lang": Tree("Commons Lang, apache/commons-lang", ("java",), java.defining),
    "click": Tree("Click, pallets/click 2c8cd3ac", ("python",), python.servers, fresh=True),
    "celery": Tree("Celery, celery/celery 5dc781f0b", ("python",), python.servers, fresh=True),
    "poetry": Tree("Poetry, python-poetry/poetry f46702336", ("python",), python.servers, fresh=True),
    "hono": Tree("Hono, honojs/hono 28a9c128", ("typescript", "tsx"), typescript.defining),
    "trpc": Tree("tRPC, trpc/trpc 340811ba5", ("typescript", "tsx"), typescript.defining, fresh=True),
    "date-fns": Tree("date-fns, date-fns/date-fns dd6639830", ("typescript", "tsx"), typescript.defining, fresh=True),
    "mocha": Tree("Mocha, mochajs/mocha e6b9ee77", ("javascript",), typescript.defining),
    "eslint": Tree("ESLint, eslint/eslint c27bc926e", ("javascript",), typescript.defining),
    "webpack": Tree(
        "webpack, webpack/webpack bc3e930f7: lib, hot, tooling, setup", ("javascript",), typescript.defining
    ),
    "nodemailer": Tree("Nodemailer, nodemailer/nodemailer 2f667f4", ("javascript",), typescript.defining, fresh=True),
    "mongoose": Tree("Mongoose, Automattic/mongoose 3e212cec8", ("javascript",), typescript.defining, fresh=True),
    "moment": Tree("Moment 2.31.0 of npm, src", ("javascript",), typescript.defining, fresh=True),
    "sails": Tree("Sails 1.5.18 of npm, lib", ("javascript",), typescript.defining, fresh=True),
    "lighthouse": Tree(
        "Lighthouse 12.8.2 of npm: core, cli, shared, types", ("javascript",), typescript.defining, fresh=True
    ),
    "node-red": Tree(
        "Node-RED 5.0.7 of npm: runtime, registry, util", ("javascript",), typescript.defining, fresh=True
    ),
    "nodemon": Tree("nodemon 3.1.14 of npm: lib, bin", ("javascript",), typescript.defining, fresh=True),
    "msw": Tree("Mock Service Worker 2.15.0 of npm: src", ("typescript", "tsx"), typescript.defining, fresh=True),
    "eleventy": Tree("Eleventy 3.1.8 of npm", ("javascript",), typescript.defining, fresh=True),
    "caddy": Tree("Caddy, caddyserver/caddy 0cf03d32f", ("go",), go.defining, fresh=True),
    "hugo": Tree("Hugo, gohugoio/hugo 7b5199fde", ("go",), go.defining, fresh=True),
    "mockito": Tree("Mockito, mockito/mockito ee8a330da", ("java",), java.defining, fresh=True),
    "guzzle": Tree("Guzzle, guzzle/guzzle 2779e868", ("php",), php.defining),
    "monolog": Tree("Monolog, Seldaek/monolog 57eb1028", ("php",), php.defining),
    "composer": Tree("Composer, composer/composer eba7baa59", ("php",), php.defining),
    "slim": Tree("Slim, slimphp/Slim 038fd571", ("php",), php.defining),
    "console": Tree("Symfony Console, symfony/console 6b099f33", ("php",), php.defining),
    "flysystem": Tree("Flysystem, thephpleague/flysystem 072735c5", ("php",), php.defining),
    "twig": Tree("Twig, twigphp/Twig f3db1d1a0", ("php",), php.defining, fresh=True),
    "bookstack": Tree("BookStack, BookStackApp/BookStack 6f1c54d01", ("php",), php.defining),
    "koel": Tree("koel, koel/koel 41cab99fe", ("php",), php.defining),
    "itertools": Tree("Itertools, rust-itertools/itertools af6d17d", ("rust",), rust_links.defining),
    "regex": Tree("regex, rust-lang/regex 2b52759", ("rust",), rust_links.defining),
    "tokio": Tree("Tokio, tokio-rs/tokio ea91b33ca", ("rust",), rust_links.defining),
    "chrono": Tree("chrono, chronotope/chrono b04c42fd", ("rust",), rust_links.defining, fresh=True),
    "syn": Tree("Syn, dtolnay/syn 8011b1c5", ("rust",), rust_links.defining, fresh=True),
    "winnow": Tree("winnow, winnow-rs/winnow a111f06a", ("rust",), rust_links.defining, fresh=True),
    "num-bigint": Tree("num-bigint, rust-num/num-bigint 41f0b03", ("rust",), rust_links.defining, fresh=True),
    "clap": Tree("clap, clap-rs/clap 6982fb1c9", ("rust",), rust_links.defining, fresh=True),
    "rack": Tree("Rack, rack/rack 8bf4eb07", ("ruby",), ruby.defining, check=ruby.CheckedNames),
    "sinatra": Tree("Sinatra, sinatra/sinatra cb22afd7", ("ruby",), ruby.defining, check=ruby.CheckedNames),
    "jekyll": Tree("Jekyll, jekyll/jekyll 202df5713", ("ruby",), ruby.defining, check=ruby.CheckedNames),
    "lobsters": Tree("Lobsters, lobsters/lobsters 57268d76", ("ruby",), ruby.defining, check=ruby.CheckedNames),
    "devise": Tree("Devise, heartcombo/devise 7ca7ed9c", ("ruby",), ruby.defining, check=ruby.CheckedNames),
    "faraday": Tree("Faraday, lostisland/faraday 59334e0e", ("ruby",), ruby.defining, check=ruby.CheckedNames),
    "sidekiq": Tree("Sidekiq, sidekiq/sidekiq 1bb4aa06", ("ruby",), ruby.defining, fresh=True, check=ruby.CheckedNames),
    "puma": Tree("Puma, puma/puma ff2e2126", ("ruby",), ruby.defining, fresh=True, check=ruby.CheckedNames),
    "json.net": Tree("Json.NET 9.0.1, JamesNK/Newtonsoft.Json", ("csharp",), csharp.defining),
    "dapper": Tree("Dapper 1.42, DapperLib/Dapper", ("csharp",), csharp.defining),
    "moq": Tree("Moq 4.2.1510.2205, moq/moq4", ("csharp",), csharp.defining),
    "serilog": Tree("Serilog, serilog/serilog 70e729de", ("csharp",), csharp.modern),
    "mediatr": Tree("MediatR, jbogard/MediatR d1d4b06", ("csharp",), csharp.modern),
    "polly": Tree("Polly, App-vNext/Polly addc946c", ("csharp",), csharp.modern),
    "fluentvalidation": Tree(
        "FluentValidation, FluentValidation/FluentValidation 36353874", ("csharp",), csharp.modern
    ),
    "automapper": Tree("AutoMapper, AutoMapper/AutoMapper d0e0e245: src", ("csharp",), csharp.modern, fresh=True),
    "util": Tree("Util 18.9.1, twitter/util", ("scala",), scala.defining),
    "json4s": Tree("Json4s 3.6.12, json4s/json4s", ("scala",), scala.defining),
    "os-lib": Tree("OS-Lib, com-lihaoyi/os-lib e237000, of the JVM and Scala 2", ("scala",), scala.defining),
    "zio-json": Tree("zio-json, zio/zio-json 4fceb6e2, of the JVM and Scala 2", ("scala",), scala.defining),
    "cats": Tree(
        "Cats, typelevel/cats 7f2dce516: kernel, algebra-core, core, free, of Scala 2.13", ("scala",), scala.defining
    ),
    "fastparse": Tree(
        "FastParse, com-lihaoyi/fastparse 385431ec, of the JVM and Scala 2", ("scala",), scala.defining, fresh=True
    ),
    "scalaz": Tree(
        "Scalaz, scalaz/scalaz 39500a87c: core, effect, of Scala 2.13", ("scala",), scala.defining, fresh=True
    ),
    "gitbucket": Tree("GitBucket, gitbucket/gitbucket f957ee0a6: src/main", ("scala",), scala.defining, fresh=True),
    "jsoup": Tree("jsoup, jhy/jsoup 46b62086", ("java",), java.defining, fresh=True),
}


def ask(engines: Sequence[DefinitionEngine], tokens: Sequence[Token]) -> list[Known]:
    """Return tokens with what the engines say of them."""
    with ThreadPoolExecutor(len(engines)) as threads:
        said = list(threads.map(partial(_ask_one, tokens), engines))
    return [Known(token, _votes(answers)) for token, *answers in zip(tokens, *said, strict=True)]


def _ask_one(tokens: Sequence[Token], engine: DefinitionEngine) -> list[frozenset[Place | None]]:
    began = time.monotonic()
    answers: list[frozenset[Place | None]] = []
    for token in tokens:
        seen = engine.sees(token.place.path)
        answers.append(engine.definitions(token.place) if seen else frozenset())
    known = sum(map(bool, answers))
    print(f"  {engine.version}: {time.monotonic() - began:.0f} s, knows {known:,} of {len(tokens):,}", flush=True)
    return answers


def _votes(answers: Iterable[frozenset[Place | None]]) -> Sequence[Vote]:
    """Return each place, with the number of engines that give one on its line."""
    votes = Counter[tuple[str, int] | None]()
    columns: dict[tuple[str, int] | None, Place | None] = {}
    for places in answers:
        lines = {place[:2] if place is not None else None: place for place in places}
        votes.update(lines.keys())
        for line, place in lines.items():
            columns.setdefault(line, place)
    return [Vote(columns[line], number) for line, number in votes.most_common()]


def check(known: Known, checked: Checked) -> Known:
    """Return a token without the places that a check contradicts, and what is left on the lines that it gives."""
    votes: dict[Place | None, int] = {}
    for vote in known.votes:
        for place in checked.confirmed(known.token.place, known.token.name, frozenset({vote.place})):
            votes[place] = vote.engines
    return Known(known.token, [Vote(*one) for one in votes.items()])
