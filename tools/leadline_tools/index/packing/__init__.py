"""What is known of a file as bytes: symbols, relations, facts, outlines and lists of files, packed and unpacked."""
