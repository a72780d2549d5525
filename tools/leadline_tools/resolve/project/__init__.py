"""A code base as resolution sees it: its facts and files, what names mean in it, and what was found already."""
