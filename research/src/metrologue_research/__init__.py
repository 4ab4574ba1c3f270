"""Metrics of papers, made anew for metrologue: each home is found by its entry point, as that of any other package."""
