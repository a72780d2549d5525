"""What ``account.py`` measures: one module for each of its commands, and what they share."""
