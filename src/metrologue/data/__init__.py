"""Texts in memory, on which everything else is built."""
