"""A random game of tron, as OpenSpiel users write it, and one of its games here."""

import random

import pyspiel

import paidia
import paidia.connect.openspiel  # registers the game "paidia"

game = pyspiel.load_game("paidia(game=gdl:tron)")
state = game.new_initial_state()
rng = random.Random(1)
while not state.is_terminal():
    if state.is_simultaneous_node():
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(game.num_players())])
    else:
        state.apply_action(rng.choice(state.legal_actions()))
assert len(state.returns()) == 2
print("done", state.returns(), paidia.play("openspiel:tic_tac_toe", ["uct", "random"], sims=50).goals)
