"""Texts in memory: what everything else is made of."""
