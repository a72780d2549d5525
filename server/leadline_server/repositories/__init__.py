"""The repositories of a shared server: sources that name them, code hosts that list them, webhooks of pushes."""
