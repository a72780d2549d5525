"""What calls give and what functions take, by their text."""
