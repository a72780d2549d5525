"""The search of the contents of many repositories at once for texts that every match holds.

A *text engine* returns the files that may hold a match, never too few of the roots that it answers for. Whether they
hold one is decided by who asks. PostgreSQL with its trigrams is always there (``trigram_engine``), and a zoekt server
may be asked first (``zoekt_engine``). Of one root, or of a few, the words suffice, which are read from pages of these
roots alone (``hosted_words``).
"""
