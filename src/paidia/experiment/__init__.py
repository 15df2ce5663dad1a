"""Experiments: plan (TOML) -> jobs -> worker processes -> store, resumable at any moment."""
