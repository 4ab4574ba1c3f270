"""Language models: the probability of each token of a text.

It may import text and what stands below it, and ``metrologue.segments``.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
