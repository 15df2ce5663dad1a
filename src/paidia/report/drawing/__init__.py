"""Pictures: plots of results (`plots`, `pictures`), parameters over a match, tuned landscapes, search trees, video games."""
