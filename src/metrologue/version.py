"""The version, which signatures bear."""

__version__ = "0.5.0"
