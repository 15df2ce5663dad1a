"""A game from a file that was not there before, by the command line."""

from pathlib import Path

from paidia.cli.main import main

main(["new", "game", "my-game"])
assert Path("my_game.py").is_file() and Path("test_my_game.py").is_file()
main(["play", "my_game.py", "--agents", "grave,uct", "--sims", "50"])
print("done")
