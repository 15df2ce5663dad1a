"""What the champion is made of, each part usable alone: a meter for its budget, a look at the game, rehearsals, trial matches.

meter       how much of a budget is left, in simulations or seconds
features    what random play tells about a game: the numbers of `paidia describe`, from a few games
rehearsal   a component agent plays the game alone on a copy, with little effort for each move
trial       component agents play matches against each other, in the same way
"""
