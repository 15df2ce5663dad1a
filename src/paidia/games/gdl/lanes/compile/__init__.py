"""From a net to a lane program.

circuit    Boolean expressions over planes (a plane: one bit for each lane), shared and folded as they are made
choice     a uniformly random legal move for every lane, by its rank among them
turns      whose turn it is, proved from the net, so that the roles share one choice
build      net -> lane program: what is legal and over, the choice, the next state, goals
schedule   expressions -> operations in an order; planes: operations over values -> operations over planes
"""
