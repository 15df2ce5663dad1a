"""What happens in a tick, on the tables of a game."""
