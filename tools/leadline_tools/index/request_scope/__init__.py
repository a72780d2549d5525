"""The scope of a request: the files and kinds that its arguments select, notes of what the index lacks, next calls."""
