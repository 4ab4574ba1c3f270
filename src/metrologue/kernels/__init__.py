"""Compiled loops over bytes, token ids and offsets. A kernel knows no scorer."""
