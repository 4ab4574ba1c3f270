"""Representations: the vectors of tokens and of texts, by whatever encoder gives them.

It may import language_models and what stands below them.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
