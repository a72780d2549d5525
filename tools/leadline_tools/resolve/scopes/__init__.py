"""What names mean where they stand: namespaces, macros, declarations that the linker makes one, names from outside."""
