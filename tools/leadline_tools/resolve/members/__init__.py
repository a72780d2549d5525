"""Members of types, by whatever way a type has them."""
