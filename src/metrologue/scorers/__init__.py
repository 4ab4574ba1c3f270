"""The metrics. Each is a frozen dataclass, and its fields are the choices that libraries make.

A metric is imported when it is first used. The names are in ``__init__.pyi``, which ``python -m tools.stub`` makes.

A metric may import learned, ``scorers.core`` and what stands below them.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
