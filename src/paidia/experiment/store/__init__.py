"""The store of an experiment: one SQLite file, one writer, every match exactly once.

schema   its tables, from the list of measures      older    stores of schemas 1 to 3, seen or turned into today's
store    open, enter, read                          merge    several stores into one
lock     one writer at a time                       export   all matches as a flat table
rows     what a row can be                          salvage  what can still be read of a damaged one
ledger   its matches as a small text file           kept     what such a file has of a match
recall   a ledger's matches entered into a store    connection  SQLite, with errors a person can act on
"""

from __future__ import annotations

from paidia.experiment.store.store import Store

__all__ = ["Store"]
