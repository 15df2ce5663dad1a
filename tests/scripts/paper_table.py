"""A table of a paper, for a few seconds and with a small budget; its papers' plans may lie in the folder given."""

import sys

from paidia.cli.main import main

papers = ["--papers", sys.argv[1]] if len(sys.argv) > 1 else []
main(["reproduce", "s002-t1", "--scale", "0.01", "--sims", "20", "--seconds", "8", "--workers", "1", *papers])
print("done")
