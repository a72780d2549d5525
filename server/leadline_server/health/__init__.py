"""What the server rests on, looked at: each check says what it found and, where that is not good, the cure."""
