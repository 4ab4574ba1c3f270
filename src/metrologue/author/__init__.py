"""The names that the author of a metric needs. They are stable; everything else inside is internal.

``docs/author.md`` writes a metric with them. ``metrologue.testing.check_metric`` checks it, and
``python -m metrologue.author new NAME DIR`` makes a package with one.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
