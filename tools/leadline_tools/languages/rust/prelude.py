"""The prelude of Rust, which every module sees without an import, and the types of the language.

https://doc.rust-lang.org/std/prelude/index.html, https://doc.rust-lang.org/reference/names/preludes.html
"""

from __future__ import annotations

from typing import Final

PRELUDE: Final = frozenset(
    (
        # marker, ops, clone, cmp, convert, default, iter, option, result, string, vec, boxed, borrow, mem
        "Send Sized Sync Unpin Copy Drop Fn FnMut FnOnce AsyncFn AsyncFnMut AsyncFnOnce drop Box ToOwned Clone "
        "PartialEq PartialOrd Eq Ord AsRef AsMut Into From TryFrom TryInto Default Iterator Extend IntoIterator "
        "DoubleEndedIterator ExactSizeIterator FromIterator Option Some None Result Ok Err String ToString Vec "
        # what ``derive`` names
        "Debug Hash "
        # types of the language
        "bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64"
    ).split()
)

STANDARD_TYPES: Final = frozenset(
    (
        "Iterator Vec String Option Result bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64"
    ).split()
)
"""Types that every module sees and that give no members of what they hold, as ``Box`` does: none is a pointer to it."""

_PATH_TYPES: Final = STANDARD_TYPES | {"Box"}
_CRATES: Final = frozenset({"std", "core", "alloc"})
_LIBRARY_TYPES: Final = frozenset(
    (
        "Arc Rc Weak Cell RefCell OnceCell LazyCell UnsafeCell Mutex RwLock Condvar Barrier Once OnceLock LazyLock "
        "AtomicBool AtomicI8 AtomicI16 AtomicI32 AtomicI64 AtomicIsize AtomicPtr AtomicU8 AtomicU16 AtomicU32 "
        "AtomicU64 AtomicUsize HashMap HashSet BTreeMap BTreeSet BinaryHeap LinkedList VecDeque RandomState "
        "DefaultHasher Path PathBuf OsStr OsString CStr CString Cow Pin NonNull PhantomData MaybeUninit "
        "ManuallyDrop Layout TypeId Duration Instant SystemTime Ordering Reverse Wrapping NonZero Command Stdio "
        "Child File OpenOptions Cursor BufReader BufWriter TcpListener TcpStream UdpSocket UnixListener UnixStream "
        "IpAddr Ipv4Addr Ipv6Addr SocketAddr Box String Vec Option Result"
    ).split()
)
"""Types, and no traits, that are usually named by a path: https://doc.rust-lang.org/std/all.html."""


def is_standard_path(path: str) -> bool:
    """Return whether a dotted path is that of a type of the prelude, or of a type or a module of the library."""
    crate, _, inside = path.partition(".")
    last = inside.rpartition(".")[2]
    return path in _PATH_TYPES or (crate in _CRATES and (last in _LIBRARY_TYPES or last.islower()))


MACROS: Final = frozenset(
    (
        "assert assert_eq assert_ne cfg column compile_error concat concat_bytes concat_idents dbg debug_assert "
        "debug_assert_eq debug_assert_ne env eprint eprintln file format format_args include include_bytes "
        "include_str is_aarch64_feature_detected is_x86_feature_detected line log_syntax matches module_path "
        "option_env panic print println stringify thread_local todo trace_macros try unimplemented unreachable vec "
        "write writeln"
    ).split()
)
"""The macros of the standard library that need no import: https://doc.rust-lang.org/std/index.html#macros."""
