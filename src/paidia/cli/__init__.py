"""The command line: a thin face over the library, one file per command in `commands/`."""
