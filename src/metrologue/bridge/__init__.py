"""The metrics as modules of Hugging Face `evaluate`; nothing else in the package knows it.

A module in ``metrics/`` imports one of these classes, and has all it needs as its methods. Each is a mix-in that comes
before ``evaluate.Metric``, ``evaluate.Measurement`` or ``evaluate.Comparison``.

It may import meta and what stands below it.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
