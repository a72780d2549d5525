"""Views of a database: some of its refs as one code base, as a caller sees them."""
