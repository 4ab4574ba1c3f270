"""The trace: what each feature adds to the score."""

from metrologue.learned.trace import build

__all__ = ["build"]
