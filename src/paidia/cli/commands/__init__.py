"""One command per file: the function `run` is the command, its docstring and type hints are its help."""
