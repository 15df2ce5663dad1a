"""What is found out about games and agents without a plan: how fast they are, what random play says, how trees grow."""
