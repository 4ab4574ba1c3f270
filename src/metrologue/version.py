"""The version, which signatures bear."""

__version__ = "0.4.0"
