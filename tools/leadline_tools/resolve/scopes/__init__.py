"""What names mean where they stand: visible bindings, namespaces, macros, linkage, names from outside."""
