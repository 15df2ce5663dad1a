"""VGDL as text: lines and words, descriptions, levels, and what is wrong with them."""
