"""What is stored of a tree: the rows and their database, postings, the vocabulary, snapshots."""
