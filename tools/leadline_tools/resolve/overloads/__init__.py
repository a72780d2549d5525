"""Overloads: functions, methods and constructors of one name, and which of them a call runs."""
