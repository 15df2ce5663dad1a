"""Width search: states that show something new are kept, others are pruned."""
