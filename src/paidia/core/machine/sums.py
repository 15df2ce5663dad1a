"""A sample of numbers as its sums, to which one more can be added without keeping them all."""

from __future__ import annotations

import msgspec

__all__ = ["Sums"]


class Sums(msgspec.Struct):
    """How many numbers, their sum and the sum of their squares."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """Count one more."""
        self.n += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """There must be at least one number."""
        return self.total / self.n

    @property
    def variance(self) -> float:
        """Of the numbers themselves; there must be at least one."""
        return max(0.0, self.squares / self.n - self.mean**2)
