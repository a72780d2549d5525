"""What is kept of a tree: the database and its rows, postings, the vocabulary, the files in memory, snapshots."""
