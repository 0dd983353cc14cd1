"""What each judge of a jury changes."""
