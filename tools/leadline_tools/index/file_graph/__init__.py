"""The graph of files: which use what of which others, kept for the state of an index."""
