"""Comparisons of the real libraries with our scorers: on the documents' cases, and on any texts.

It may import meta and what stands below it.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
