"""A table of a paper, for a second and with a small budget: the papers' plans are in the package."""

from paidia.cli.main import main

main(["reproduce", "s002-t1", "--scale", "0.001", "--sims", "5", "--seconds", "1", "--workers", "1"])
print("done")
