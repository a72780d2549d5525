"""What calls are given and functions take, and which function of several a call runs."""
