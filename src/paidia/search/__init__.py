"""Monte-Carlo Tree Search for abstract games, as a composition of four phases.

    search = Mcts(game, selection=Grave(), playout=Mast(), backup=MonteCarlo(), final_move=HighestMean(), parameters=...)

One folder per phase (`selection/`, `playout/`, `backup/`, `final_move/`), one strategy per file; `tree` holds the nodes,
`statistics/` what strategies share, `parameters` every number they read.
"""
