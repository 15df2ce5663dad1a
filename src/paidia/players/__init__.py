"""Agents: a seat at the table made of search, control and clock. `presets/*.toml` are the papers' agents.

A new agent is one TOML file in `presets/`; a new kind of player is one file here that registers itself in `KINDS`.
"""
