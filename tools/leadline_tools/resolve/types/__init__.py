"""Types: what they declare and inherit, and the members that objects of them have."""
