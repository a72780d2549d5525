"""Kinds of files that hold code of other languages, and how that code is found."""
