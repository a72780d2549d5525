"""Diagnostics: what is wrong with the code, and what would fix it. Each source of them is a checker."""
