"""Real-time search for video games: open-loop Monte-Carlo Tree Search and its enhancements."""
