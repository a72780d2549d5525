"""What types declare and inherit, and the members that objects of them have."""
