"""Which places mean a symbol, by the word of compilers and type checkers: what ``references.py`` measures against."""
