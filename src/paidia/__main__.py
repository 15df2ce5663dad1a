"""`python -m paidia` is the same as `paidia`."""

from paidia.cli.main import main

main()
