"""One outside world per file."""
