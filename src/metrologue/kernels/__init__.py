"""Compiled loops over bytes, token ids and offsets, and the list of them that is built. A kernel knows no scorer.

It may import native and what stands below it.
"""
