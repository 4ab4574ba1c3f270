"""How sure a score is, and whether a difference could be chance: resampling, written once for every metric.

It may import tracing and what stands below it.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
