"""Language servers as an optional second opinion: started bare, asked with a deadline, never believed blindly."""
