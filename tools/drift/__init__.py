"""Drift: which numbers the newest versions of the other libraries change."""
