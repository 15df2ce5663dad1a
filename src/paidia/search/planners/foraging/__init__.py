"""Searches that go by where something is to be had: OLETS, and those that pull its tree towards a learned map."""
