"""Searches that go by what is new: atoms, novelty, breadth-first, iterated width, two queues, and plans found that way."""
