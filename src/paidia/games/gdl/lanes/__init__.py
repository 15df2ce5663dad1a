"""Lanes: thousands of matches of a GDL game at once, one bit of every machine word each.

circuit    Boolean expressions over planes (a plane: one bit for each lane), shared and folded as they are made
choice     a uniformly random legal move for every lane, by its rank among them
turns      whose turn it is, proved from the net, so that the roles share one choice
build      net -> lane program: what is legal and over, the choice, the next state, goals
program    the program as arrays: operations on planes, what the planes mean; saved to and read from a file
slow       the program in plain numpy, operation by operation
"""
