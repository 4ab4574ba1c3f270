"""The metrics. Each is a frozen dataclass, and its fields are the choices that libraries make.

A metric is imported when it is first used. The names are in ``__init__.pyi``, which ``python -m tools.stub`` makes.

A metric may import learned, ``scorers.core`` and what stands below them.
"""

from metrologue.deferred import deferred, names_in

_NAMES = names_in(f"{__file__}i")
__all__ = [*_NAMES]
__getattr__ = deferred(__name__, _NAMES)


def __dir__() -> list[str]:
    return __all__
