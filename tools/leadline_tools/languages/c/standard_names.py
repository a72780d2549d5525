"""Names of the standard library of C and of POSIX: macros that a system may lack, and names that are reserved.

Annex B of https://www.open-std.org/jtc1/sc22/wg14/www/docs/n1570.pdf and the headers of
https://pubs.opengroup.org/onlinepubs/9799919799/idx/headers.html.
"""

from __future__ import annotations

from typing import Final

from leadline_tools.lazy_regex import lazy_compile

_ERRORS: Final = frozenset(
    (
        "2BIG ACCES ADDRINUSE ADDRNOTAVAIL AFNOSUPPORT AGAIN ALREADY BADF BADMSG BUSY CANCELED CHILD CONNABORTED"
        " CONNREFUSED CONNRESET DEADLK DESTADDRREQ DOM DQUOT EXIST FAULT FBIG HOSTUNREACH IDRM ILSEQ INPROGRESS"
        " INTR INVAL IO ISCONN ISDIR LOOP MFILE MLINK MSGSIZE MULTIHOP NAMETOOLONG NETDOWN NETRESET NETUNREACH"
        " NFILE NOBUFS NODEV NOENT NOEXEC NOLCK NOLINK NOMEM NOMSG NOPROTOOPT NOSPC NOSYS NOTCONN NOTDIR NOTEMPTY"
        " NOTRECOVERABLE NOTSOCK NOTSUP NOTTY NXIO OPNOTSUPP OVERFLOW OWNERDEAD PERM PIPE PROTO PROTONOSUPPORT"
        " PROTOTYPE RANGE ROFS SPIPE SRCH STALE TIMEDOUT TXTBSY WOULDBLOCK XDEV"
    ).split()
)
"""The names of errors without the letter that they begin with."""

_STANDARD: Final = lazy_compile(
    r"NULL|EOF|BUFSIZ|offsetof|assert|static_assert|va_copy|errno|bool|true|false|alignof|alignas|noreturn|CHAR_BIT"
    r"|RAND_MAX|CLOCKS_PER_SEC|INFINITY|NAN|HUGE_VALF?|EXIT_(?:SUCCESS|FAILURE)|SEEK_(?:SET|CUR|END)|[RWXF]_OK"
    r"|STD(?:IN|OUT|ERR)_FILENO|(?:U?CHAR|SCHAR|U?SHRT|U?INT|U?LONG|U?LLONG|WCHAR)_(?:MAX|MIN)"
    r"|(?:PATH|NAME|OPEN|IOV|HOST_NAME|LINE|ARG|SSIZE|SIZE|NGROUPS|SYMLINK|TTY_NAME|LOGIN_NAME|PTRDIFF)_MAX"
    r"|U?INT(?:_LEAST|_FAST)?(?:8|16|32|64)_(?:MAX|MIN|C)|U?INT(?:MAX|PTR)_(?:MAX|MIN|C)"
    r"|(?:PRI|SCN)[diouxX](?:LEAST|FAST)?(?:8|16|32|64|MAX|PTR)|(?:FLT|DBL|LDBL)_\w+"
    r"|M_(?:E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|2_SQRTPI|SQRT2|SQRT1_2)|SIG[A-Z0-9]{2,}"
    r"|SIG_(?:DFL|IGN|ERR|BLOCK|UNBLOCK|SETMASK)|SA_(?:RESTART|SIGINFO|NOCLDSTOP|NOCLDWAIT|NODEFER|ONSTACK|RESETHAND)"
    r"|S_IS(?:BLK|CHR|DIR|FIFO|REG|LNK|SOCK)|S_IF(?:MT|BLK|CHR|DIR|IFO|REG|LNK|SOCK)|S_I[RWX](?:USR|GRP|OTH)"
    r"|S_IRWX[UGO]|S_IS[UG]ID|S_ISVTX|O_(?:RDONLY|WRONLY|RDWR|CREAT|EXCL|TRUNC|APPEND|NONBLOCK|NOCTTY|CLOEXEC|DIRECTORY"
    r"|NOFOLLOW|SYNC|DSYNC)|F_(?:DUPFD|DUPFD_CLOEXEC|GETFD|SETFD|GETFL|SETFL|GETLK|SETLK|SETLKW|RDLCK|WRLCK|UNLCK)"
    r"|FD_(?:CLOEXEC|SET|CLR|ISSET|ZERO|SETSIZE)|W(?:EXITSTATUS|IFEXITED|IFSIGNALED|IFSTOPPED|TERMSIG|STOPSIG|NOHANG)"
    r"|[AP]F_(?:INET6?|UNIX|UNSPEC)|SOCK_(?:STREAM|DGRAM|RAW|SEQPACKET|CLOEXEC|NONBLOCK)|SHUT_(?:RD|WR|RDWR)|SOMAXCONN"
    r"|IPPROTO_(?:IP|IPV6|TCP|UDP|ICMP|RAW)|SO_(?:BROADCAST|ERROR|KEEPALIVE|LINGER|RCVBUF|SNDBUF|REUSEADDR|TYPE)"
    r"|MSG_(?:NOSIGNAL|PEEK|OOB|WAITALL|TRUNC)|INADDR_(?:ANY|BROADCAST)|INET6?_ADDRSTRLEN|TCP_NODELAY"
    r"|AI_(?:PASSIVE|CANONNAME|NUMERICHOST|NUMERICSERV|ADDRCONFIG|V4MAPPED)|NI_(?:NUMERICHOST|NUMERICSERV|NAMEREQD)"
    r"|PROT_(?:READ|WRITE|EXEC|NONE)|MAP_(?:SHARED|PRIVATE|FIXED|FAILED|ANON|ANONYMOUS)|CLOCK_(?:REALTIME|MONOTONIC)"
    r"|LC_(?:ALL|COLLATE|CTYPE|MESSAGES|MONETARY|NUMERIC|TIME)|RTLD_(?:LAZY|NOW|GLOBAL|LOCAL)"
)


def is_standard_macro(name: str) -> bool:
    """Return whether the standard library or POSIX has a macro of a name."""
    return _STANDARD.fullmatch(name) is not None or (name[:1] == "E" and name[1:] in _ERRORS)


_RESERVED: Final = frozenset(
    (
        "abort abs accept access acos alarm asctime asin assert atan atan2 atexit atof atoi atol atoll bind"
        " bsearch calloc ceil cfgetospeed chdir chmod chown clearerr clock clock_gettime clock_settime close"
        " closedir connect copysign cos cosh creat ctime difftime dirname div dlclose dlerror dlopen dlsym"
        " dprintf dup dup2 endpwent environ errno execl execle execlp execv execve execvp exit exp exp2 expm1"
        " fabs fchmod fchown fclose fcntl fdopen fdatasync feof ferror fflush fgetc fgetpos fgets fileno"
        " flockfile floor fma fmod fmodf fnmatch fopen fork fprintf fputc fputs fread free freeaddrinfo"
        " freopen frexp fscanf fseek fseeko fsetpos fstat fstatat fsync ftell ftello ftruncate funlockfile"
        " fwrite gai_strerror getaddrinfo getc getchar getcwd getdelim getegid getenv geteuid getgid"
        " gethostname getline getnameinfo getopt getpeername getpgid getpgrp getpid getppid getpwent getpwnam"
        " getpwuid getrlimit getrusage getsockname getsockopt gettimeofday getuid gmtime gmtime_r htonl htons"
        " hypot inet_ntop inet_pton ioctl isalnum isalpha isascii isatty isblank iscntrl isdigit isgraph isinf"
        " islower isnan isprint ispunct isspace isupper isxdigit kill labs ldexp ldiv listen llabs localeconv"
        " localtime localtime_r log log10 log1p log2 longjmp lround lseek lstat malloc mblen mbrtowc mbstowcs"
        " mbtowc memchr memcmp memcpy memmove memset mkdir mkfifo mkstemp mktime mlock mmap modf mprotect"
        " msync munlock munmap nan nanosleep ntohl ntohs open opendir openlog optarg opterr optind optopt"
        " pathconf pause pclose perror pipe poll popen pow printf psignal putc putchar putenv puts pwrite"
        " qsort raise rand random read readdir readlink readv realloc realpath recv recvfrom recvmsg regcomp"
        " regerror regexec regfree remove rename rewind rmdir round scanf select send sendmsg sendto setbuf"
        " setenv setgid setgroups setitimer setjmp setlocale setpgid setrlimit setsid setsockopt setuid"
        " setvbuf shutdown sigaction sigaddset sigdelset sigemptyset sigfillset signal sigprocmask sin sinh"
        " sleep snprintf socket socketpair sprintf sqrt srand srandom sscanf stat statvfs stderr stdin stdout"
        " strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strerror_r strftime strlen"
        " strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strptime strrchr strsignal strspn strstr"
        " strtod strtof strtok strtok_r strtol strtold strtoll strtoul strtoull strxfrm symlink sync sysconf"
        " syslog system tan tanh tcgetattr tcsetattr time times tmpfile tolower toupper trunc truncate ttyname"
        " tzset umask uname ungetc unlink unsetenv usleep utime utimes va_arg va_copy va_end va_start vdprintf"
        " vfprintf vprintf vsnprintf vsprintf wait waitpid wcrtomb wcslen wcstombs wctomb write writev DIR"
        " FILE addrinfo blkcnt_t blksize_t clock_t dev_t dirent div_t fd_set fpos_t gid_t group ino_t int16_t"
        " int32_t int64_t int8_t intmax_t intptr_t iovec itimerval jmp_buf ldiv_t mode_t msghdr nfds_t nlink_t"
        " off_t passwd pid_t pollfd pthread_attr_t pthread_cond_t pthread_key_t pthread_mutex_t pthread_once_t"
        " pthread_rwlock_t pthread_t ptrdiff_t regex_t regmatch_t rlimit rusage sa_family_t sem_t sig_atomic_t"
        " siginfo_t sigjmp_buf sigset_t size_t sockaddr sockaddr_in sockaddr_in6 sockaddr_storage sockaddr_un"
        " socklen_t ssize_t suseconds_t termios time_t timespec timeval tm uid_t uint16_t uint32_t uint64_t"
        " uint8_t uintmax_t uintptr_t useconds_t utimbuf va_list wchar_t winsize wint_t"
    ).split()
)
"""Functions, objects and types that no program makes by a macro: 7.1.3 of C11, and 2.2.2 of POSIX.1-2024."""


def is_reserved(name: str) -> bool:
    """Return whether a program may not declare a name itself, as far as it is a common one of the standard library."""
    return name in _RESERVED or is_standard_macro(name)
