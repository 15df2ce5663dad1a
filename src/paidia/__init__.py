"""paidia: give it rules it has never seen, and it plays them."""

__all__ = ["__version__"]

__version__ = "0.1.0"
