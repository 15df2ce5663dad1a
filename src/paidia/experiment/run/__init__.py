"""Running a plan: which match comes next, who plays it, and what becomes of those who die.

runner    the run itself, resumable          schedule, sequential   which match is next, and when a cell has enough
pool      jobs to workers, wherever          worker, outcome        what a worker does and hands back
local     processes of this machine          processes, ready       how processes begin, end, and are there at once
                                             ray_cluster            workers on a Ray cluster
backends  the two by name                    progress               how far it is
"""
