"""General Game Playing over HTTP: our agents as players for any host, and a host for any players.

messages  the six messages and their text       player    what a player answers, whoever carries the messages
server    a player behind an HTTP port          host      a match between players at addresses
building  rules made ready while a clock runs   position  a match seen from outside
scramble  other names for the same rules        record    the match as the JSON that GGP hosts write
"""
