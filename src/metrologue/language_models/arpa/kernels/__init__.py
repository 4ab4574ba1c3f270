"""Compiled loops over ARPA files and the tables made from them."""
