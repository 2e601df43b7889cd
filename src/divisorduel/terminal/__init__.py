"""Where people at a terminal meet the games."""
