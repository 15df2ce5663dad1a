"""What others see of a game: agents, people, and whoever compares it with recorded ones."""
