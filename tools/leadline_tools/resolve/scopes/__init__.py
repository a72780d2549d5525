"""What names mean where they stand: visible bindings, namespaces, macros, declarations that the linker makes one, names from outside."""
