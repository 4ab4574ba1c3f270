"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from metrologue.errors import instead_of

__all__ = ["deferred"]


def deferred(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    homes : mapping of str to str
        Each name with the module that defines it, which is imported when the name is first used.

    Raises
    ------
    AttributeError
        By the function that is returned, if the package has no such name.

    Examples
    --------
    >>> get = deferred("metrologue.errors", {"sqrt": "math"})
    >>> get("sqrt")(4)
    2.0
    """

    def get(name: str) -> Any:
        if name not in homes:
            cure = "" if name.startswith("__") else f"; {instead_of(name, homes)}"
            raise AttributeError(f"module {package!r} has no attribute {name!r}{cure}")
        found = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)  # this function is then not asked again
        return found

    return get
