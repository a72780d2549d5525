"""``python -m leadline_server`` is ``leadline``."""

import gc
import os
import sys

# Started with -m, Python looks for every module in the current folder first, and that may be an untrusted repository.
if sys.path and sys.path[0] in {"", os.getcwd()}:  # noqa: PTH109  pathlib could come from that folder
    del sys.path[0]


_NEW_OBJECTS = 100_000
"""Objects after which Python looks for garbage while it imports: it makes many, and all of them stay."""


def main() -> None:
    """Run the console: what a resident server answers is printed before the rest of it is imported."""
    gc.set_threshold(_NEW_OBJECTS)
    words = sys.argv[1:]
    try:
        from leadline_server.resident.shortcut import answer

        outcome = answer(words)
    except KeyboardInterrupt:
        sys.exit(_report_interrupt())
    if isinstance(outcome, int):
        sys.exit(outcome)
    from leadline_server.cli import main as console

    try:
        console(outcome, prog_name="leadline")
    except SystemExit as ended:
        _end_if_interrupted(ended.code)
        raise


def _end_if_interrupted(code: object) -> None:
    """End at once after an interruption: threads may be in native code, which aborts when Python ends around it."""
    from leadline_server.lifecycle import INTERRUPTED

    if code == INTERRUPTED:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(INTERRUPTED)


def _report_interrupt() -> int:
    from leadline_server.lifecycle import INTERRUPTED

    sys.stderr.write("\nleadline: Interrupted.\n")
    return INTERRUPTED


if __name__ == "__main__":
    main()
