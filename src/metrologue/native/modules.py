"""Where kernels are: in each ``kernels.py`` and each folder ``kernels`` of the package, wherever it stands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache

_ROOT = os.path.dirname(os.path.dirname(__file__))
_BUILD = "build.py"  # of the room ``kernels``: it builds the library


@cache
def modules() -> dict[str, str]:
    """The modules of kernels, by the first part of their kernels' names.

    This is the name of a module in a folder ``kernels``, and of the folder of a ``kernels.py``.

    Examples
    --------
    >>> modules()["words"], modules()["bleu"]
    ('metrologue.kernels.words', 'metrologue.scorers.bleu.kernels')
    """
    return {file.split(".")[-2 if file.endswith(".kernels") else -1]: file for file in _files("metrologue", _ROOT)}


def path_of(module: str) -> str:
    """The file of one of these modules."""
    return f"{os.path.join(_ROOT, *module.split('.')[1:])}.py"


def _files(package: str, folder: str) -> Iterator[str]:
    """The names of the modules of kernels below a folder, sorted."""
    with os.scandir(folder) as entries:
        inside = sorted(entries, key=lambda entry: entry.name)
    for entry in inside:
        name = f"{package}.{entry.name.removesuffix('.py')}"
        if entry.name == "kernels":
            files = sorted(os.listdir(entry.path))
            yield from (
                f"{name}.{file[:-3]}" for file in files if file.endswith(".py") and file not in ("__init__.py", _BUILD)
            )
        elif entry.name == "kernels.py":
            yield name
        elif entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__":
            yield from _files(name, entry.path)
