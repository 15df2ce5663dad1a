"""Repair: what is done about a simulation that ended badly, before anyone learns from it. One strategy per file."""
