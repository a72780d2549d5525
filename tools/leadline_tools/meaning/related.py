"""Words of programming that mean the same, or nearly: what a person calls authentication is ``auth`` in the code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from leadline_tools.meaning.stems import stem

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
coordinate coord; dimension dim; dynamic dyn; evaluate eval; exclusive excl; hexadecimal hex; hierarchy tree;
horizontal horiz; vertical vert; kernel kern; keyboard kbd; multiply mul; multiplication mul; subtract sub;
palette pal; physical phys; preference pref; preprocess preprocessor preproc pp; protocol proto; recursive rec;
reset rst; return ret; search find; separator sep; simulate sim; standard std; substitute subst; synthesize synth;
text txt; timestamp time; translate translation trans; virtual virt; volume vol; width height size
"""
"""Words with their abbreviations, and forms of a word that no ending explains."""

_SIMILAR = """
delete remove drop erase clear unlink; create make new build construct factory; get fetch retrieve load read;
begin start open launch boot startup bootstrap; end stop finish close shutdown terminate exit;
error exception failure fault fail; convert transform translate cast coerce coercion conversion;
find search lookup locate query match; log logger logging trace debug print; throttle limit rate quota;
cancel abort interrupt cancellation; queue fifo channel; hash digest checksum; wait await block sleep join;
run execute invoke call; spawn fork launch thread task; send emit dispatch publish post write; receive read listen accept;
lock mutex semaphore guard; parallel concurrent async thread; check validate verify assert ensure;
encode serialize dump stringify write; decode deserialize parse load read; show display render print draw view;
array list vector sequence; dictionary map hash hashmap table; property attribute field member;
listener callback handler hook observer event subscriber; template view render; schedule timer delay defer;
default fallback; option setting flag preference; rename move; copy clone duplicate; merge combine join concat;
split divide partition chunk; sort order rank; filter select where predicate; update modify change mutate set patch;
insert add append push put; notify signal wake event; repeat retry loop; secret password credential token key;
user account; store save persist write cache storage; memory heap allocator alloc; pool worker executor;
url address link route path; redirect forward location; version release; permission access policy authorize gate;
request call; reply response answer; file document; folder path; image picture; text string; number numeric integer float;
network socket tcp connection; browser client; server host daemon; import include require module; plugin extension addon;
test spec check; mock fake stub; expire ttl timeout deadline; compress gzip zip deflate archive;
escape quote sanitize encode; inject container provider dependency; compare equal difference diff; empty blank null none nil;
replace substitute swap; wrap decorate decorator proxy wrapper adapter; abstract base generic; inherit extend subclass parent;
entry main; shell terminal console cli command; prompt input; completion autocomplete suggest; color style theme;
stack frame trace; recursion recursive traverse walk visit visitor; random uuid; date time calendar clock;
cors origin; cookie session; upload multipart form; stream pipe flow; buffer chunk; page paginate pagination cursor offset;
migrate migration schema; transaction commit rollback; index key; join relation association; model entity record;
lex lexer scan scanner tokenize tokenizer; parse parser grammar syntax; optimize optimizer; iterate loop each;
undo revert rollback; watch monitor observe; health status ping; argument parameter; annotation decorator attribute;
group category; nested inner child; lazy deferred; raise throw; catch rescue recover handle; helper utility
"""
"""Words that name the same matter, though they do not mean the same."""


class Related(NamedTuple):
    """The stem of another word for something, and whether it is an abbreviation of the word, or merely similar."""

    stem: str
    same: bool


@cache
def _table() -> Mapping[str, Mapping[str, bool]]:
    table: dict[str, dict[str, bool]] = {}
    for same, groups in ((False, _SIMILAR), (True, _ABBREVIATED)):
        for group in groups.split(";"):
            members = list(dict.fromkeys(map(stem, group.split())))
            for member in members:
                table.setdefault(member, {}).update((other, same) for other in members if other != member)
    return table


def related(stemmed: str) -> list[Related]:
    """Return the stems of the words that are related to those with a stem."""
    return [Related(other, same) for other, same in _table().get(stemmed, {}).items()]
