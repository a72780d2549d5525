"""The deletion of what nothing has any more, and the notes by which it is known what was used."""
