"""Indexing: the files that are known, the first scan of a tree, and the thread that writes what is found of them."""
