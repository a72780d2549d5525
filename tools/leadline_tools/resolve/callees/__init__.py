"""Which of several functions or constructors a call runs."""
