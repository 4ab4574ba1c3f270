"""Comparisons of speed: each number is a ratio to another library that ran at the same time on the same text."""
