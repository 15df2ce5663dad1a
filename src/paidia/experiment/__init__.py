"""Experiments: a plan in TOML becomes matches on all cores (or a cluster), kept in one SQLite file that
survives any crash.
"""
