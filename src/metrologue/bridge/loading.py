"""Loading a module of this package, also where `evaluate` has no place for its copy."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any


def load(path: str, config_name: str | None = None, **options: Any) -> Any:
    """``evaluate.load(path, config_name, **options)``.

    `evaluate` copies the file of a module into its cache. Where nothing can be written, the file is taken as it lies.

    Parameters
    ----------
    path : str
        The folder of a module in this package.
    config_name : str, optional
    **options
        As for ``evaluate.load``.
    """
    import evaluate  # takes over a second

    try:
        return evaluate.load(path, config_name, **options)
    except OSError:
        return class_of(path)(config_name=config_name, **options)


def class_of(path: str) -> Any:
    """The class of the module in a folder of this package, from the file as it lies."""
    name = Path(path).name
    module = importlib.import_module(f"metrologue.metrics.{name}.{name}")
    kinds = (each for each in vars(module).values() if isinstance(each, type))
    [kind] = (each for each in kinds if each.__module__ == module.__name__)
    return kind
