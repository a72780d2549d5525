"""What a caller sees of a database: some of its refs as one code base."""
