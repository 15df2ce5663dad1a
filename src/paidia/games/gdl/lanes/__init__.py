"""Lanes: thousands of matches of a GDL game at once, one bit of every machine word each.

compile    net -> lane program
program    the program as arrays: operations on planes, what the planes mean; saved to and read from a file
portable   what every back end shares, with nothing but numpy
processor  programs run on the processor: interpreted or compiled
gpu        programs run on a GPU
slow       the program in plain numpy, operation by operation
playouts   random games in lanes, on all cores, and what they say about a game
perft      lines of play counted in lanes
trace      what lanes do, written down; replay: played again by the scalar kernel
"""
