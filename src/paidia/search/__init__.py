"""One search for all worlds: the tree search as a composition of phases, and whole searches on the same frame.

    search = Mcts(game, selection=Grave(), playout=Mast(), backup=MonteCarlo(), final_move=HighestMean(), parameters=...)

One folder per phase, one strategy per file: `selection/` `playout/` `backup/` `final_move/` `evaluation/` `pruning/` `root/`
`repair/`; `planners/` are other searches (width, best-first, evolution, OLETS, one step). `tree` holds the nodes (positions or
sequences of moves), `statistics/` what strategies share, `parameters` every number they read, `search` the frame of all.

The package can be called: `paidia.search(state, "grave", sims=1000)` is `paidia.api.search`.
"""

from paidia.core.loading.callable_package import make_callable

make_callable(__name__)
