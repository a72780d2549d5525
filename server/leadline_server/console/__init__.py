"""The commands of the console, one file each."""
