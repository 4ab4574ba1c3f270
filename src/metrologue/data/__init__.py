"""Columns in memory: texts, items, numbers and labels, on which everything else is built.

It may import kernels and what stands below them.
"""
