"""GDL: games written as logic rules (Stanford General Game Playing), from KIF text to a fast state."""
