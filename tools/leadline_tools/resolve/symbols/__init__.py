"""Symbols with their definitions: the parts of one in several files, members that no outline lists, who can see one."""
