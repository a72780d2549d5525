"""The store of an index: its rows and their database, postings, the vocabulary, snapshots."""
