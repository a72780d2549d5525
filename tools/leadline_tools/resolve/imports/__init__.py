"""Where imports lead: the modules that they spell, those declared by name, and what files include."""
