"""What a call has of an index beside its answer: the files that its path selects, notes, and next reads."""
