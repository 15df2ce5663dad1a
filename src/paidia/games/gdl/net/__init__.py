"""The propositional net of a game, in the order in which it is made: ground (with gringo), aspif, netlist, net, turns,
machine, effects, kernel.
"""
