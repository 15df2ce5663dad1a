"""Fixtures of the tests of the page."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from conftest_web import browser, folder, server, visit

__all__ = ["browser", "folder", "server", "visit"]
