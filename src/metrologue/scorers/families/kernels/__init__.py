"""Compiled loops that several metrics call."""
