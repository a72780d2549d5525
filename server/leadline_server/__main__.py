"""``python -m leadline_server`` is ``leadline``."""

from leadline_server.cli import main

if __name__ == "__main__":
    main(prog_name="leadline")
