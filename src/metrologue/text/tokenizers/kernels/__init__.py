"""Compiled loops that cut texts into tokens, which no other room calls."""
