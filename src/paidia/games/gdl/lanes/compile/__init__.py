"""From a net to a lane program.

circuit    Boolean expressions over planes (a plane: one bit for each lane), shared and folded as they are made
embedding  a net as such expressions, some of its fluents and moves said
choice     a uniformly random legal move for every lane, by its rank among them
turns      whose turn it is, proved from the net, so that the roles share one choice
decisive   moves that win at once, and those by which the other would
build      net -> lane program: what is legal and over, the choice, the next state, goals
schedule   expressions -> operations in an order; planes: operations over values -> operations over planes
"""
