"""The views of a database: the refs that a caller may see, as one code base."""
