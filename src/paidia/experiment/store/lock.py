"""One writer per store. The operating system frees the lock when its holder dies, however it dies."""

from __future__ import annotations

from pathlib import Path

from paidia.core.errors import BadInput

__all__ = ["Lock"]


class Lock:
    """The lock of a store, held until it is released."""

    def __init__(self, path: Path) -> None:
        file = path.with_name(path.name + ".lock")
        try:
            self._file = file.open("a")
        except OSError as error:
            raise BadInput(f"cannot write the store {path}: {error}") from None
        try:
            _lock(self._file.fileno())
        except OSError:
            self._file.close()
            raise BadInput(f"another run is writing to {path}: wait for it or give another --store") from None

    def release(self) -> None:
        """Let others write."""
        self._file.close()


try:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
except ImportError:  # Windows
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
