"""Compiled loops over bytes, token ids and offsets that several rooms call, and the building of all kernels.

A kernel knows no scorer.

It may import native and what stands below it.
"""
