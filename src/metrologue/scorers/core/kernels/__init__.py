"""Compiled loops over n-grams, for the tables and the pairs of all metrics."""
