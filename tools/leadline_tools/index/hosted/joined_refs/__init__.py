"""The refs that a caller may see, joined to one code base."""
