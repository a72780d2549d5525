"""The call hierarchy: who calls a function, and what it calls, as a tree."""
