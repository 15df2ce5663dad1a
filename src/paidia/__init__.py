"""paidia: give it rules it has never seen, and it plays them."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("paidia")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["__version__"]
