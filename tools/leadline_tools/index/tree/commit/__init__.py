"""The tree of a commit: its files are read from the objects of a repository, without a checkout."""
