"""Words of programming that mean the same: what a person calls authentication is ``auth`` in the code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from leadline_tools.find_code.stems import stem

_ABBREVIATED = """
address addr; allocate alloc; application app; argument arg args argv; asynchronous async; attribute attr;
authentication authenticate authenticator authorization authorize auth; boolean bool; buffer buf; callback cb;
character char chr; column col; command cmd; compatibility compat; concurrency concurrent; condition cond;
configuration configure config conf cfg settings; connection connect conn; context ctx; current cur curr; database db;
declaration decl; definition define def; delete del; dependency dependent dep deps; descriptor description desc;
destination dest dst; development dev; difference diff; directory dir folder; document documentation doc docs;
duplicate dup; element elem; enumeration enumerate enum; environment env envvar; equality equal eq; error err;
evaluate eval; exception exc; execute execution executable exec; expression expr; extension ext; filesystem fs;
format fmt; function func fn; generate gen; header hdr; hypertext http; identifier identity id ident;
image img; implementation impl; index indices idx; information info; initialize init; instruction insn instr;
integer int; interface iface; iterate iter; javascript js; language lang; length len; library lib; location loc;
manager mgr; maximum max; memory mem; message msg; minimum min; module mod; navigation nav; network net; number num;
object obj; operation operator op; option optional opt opts; original orig; package pkg; parameter param params;
password passwd; performance perf; permission perm; pointer ptr; position pos; predicate pred; previous prev;
procedure process proc; property prop props; publish pub; python py; query queries; random rand rng; receive recv;
reference ref; regex regexp; register registry registration reg; relational rel; remove rm; repository repo;
request req; response respond resp res; schedule sched; semaphore sem; sequence seq; session sess; signature sig;
socket sock; source src; specification spec; statement stmt; statistics stats stat; string str; structure struct;
subscribe subscription sub; synchronous synchronize sync; system sys; table tbl; template tmpl; temporary temp tmp;
terminal term tty; token tok; transaction tx txn; transformation transform; typescript ts; utility util utils;
value val; variable var; vector vec; version ver; websocket ws; window win; write written wrote; send sent;
throw thrown threw; bind bound binding; build built; find found; hold held; keep kept; run ran; choose chosen;
resolve resolution; decide decision; serialize serialization serializable ser serde marshal;
deserialize deserialization de unmarshal serde; url uri; email mail smtp; metadata meta; encrypt encryption crypt;
multithread multithreaded threads; namespace ns; administrator admin; localization locale i18n l10n; unicode utf8 utf;
nonblocking nonblock; readonly ro; arithmetic arith; assembly asm; automatic auto; binary bin; calculate calc;
coordinate coord; dimension dim; dynamic dyn; evaluate eval; exclusive excl; hexadecimal hex;
horizontal horiz; vertical vert; kernel kern; keyboard kbd; multiply mul; multiplication mul; subtract sub;
palette pal; physical phys; preference pref; preprocess preprocessor preproc pp; protocol proto; recursive rec;
reset rst; return ret; search find; separator sep; simulate sim; standard std; substitute subst; synthesize synth;
text txt; timestamp time; translate translation trans; virtual virt; volume vol
"""
"""Words with their abbreviations, and forms of a word that no ending explains."""


@cache
def _table() -> Mapping[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for group in _ABBREVIATED.split(";"):
        members = list(dict.fromkeys(map(stem, group.split())))
        for member in members:
            table.setdefault(member, {}).update(dict.fromkeys(other for other in members if other != member))
    return {member: tuple(others) for member, others in table.items()}


def related(stemmed: str) -> tuple[str, ...]:
    """Return the stems of the words that mean the same as those with a stem."""
    return _table().get(stemmed, ())
