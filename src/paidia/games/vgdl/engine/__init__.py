"""What happens in a tick, on the tables of a game.

layout         how rules and states lie in memory
kernel         all that runs in a tick, one module of many files: `parts`, and the units of the language in `avatars`,
               `behaviours`, `effects` and `terminations`
game           the game and the state that searches play with
"""
