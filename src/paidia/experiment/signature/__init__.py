"""One number for how paidia behaves: fixed seeds over a fixed suite, folded into 60 bits, part by part.

It changes only when behaviour changes (rules, search, agents), never with speed, machine or refactoring, so two results with
the same signature were made by the same algorithms.

    board       native boards: rules, search, agents
    gdl         GDL sheets: net and interpreter, and agents on them
    vgdl        the engine of video games, by random play
    arcade      agents in video games
    control     randomizers and tuners, in all worlds
    experiment  from a plan to the rows that are kept

A result depends on some of the parts only (`parts_of`), and carries those.

suite       what is played, and the numbers it comes to
known       the same numbers, remembered as long as paidia's files are the same
behaviour   the parts that a result depends on, as they are kept with it
"""
