"""Which uses lead out of the code base."""
