"""The metrics as modules of Hugging Face `evaluate`; nothing else in the package knows it.

A module in ``metrics/`` imports one of these classes, and has all it needs as its methods. Each is a mix-in that comes
before ``evaluate.Metric``, ``evaluate.Measurement`` or ``evaluate.Comparison``.

It may import meta and what stands below it.
"""

from metrologue.deferred import deferred, names_in

_MODULES = names_in(f"{__file__}i")
__all__ = sorted(_MODULES)
__getattr__ = deferred(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
