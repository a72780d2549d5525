"""What inherits, implements and overrides, and the members that types have by it."""
