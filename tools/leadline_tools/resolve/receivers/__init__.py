"""What uses mean by the types of what stands before them: members of receivers, keywords of calls, keys of literals."""
